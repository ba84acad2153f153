/** The parent of a fork that begins. */
import { type ForkOf, missingParent } from '@loom-agent/kernel'
import type { OpenJournal } from './open-journal.ts'
import type { ThreadFile } from './thread-files.ts'
import type { ThreadState } from './thread-state.ts'

/**
 * Does the work of beginning a fork, if the parent holds the moment of the cut, and keeps the parent from being removed meanwhile (JOURNAL-7). Nothing
 * is awaited between the look at the parent and the entry in `beginning`: a removal comes before both, or sees the entry.
 */
export function whileParentStays(
  { files, removing, beginning }: OpenJournal,
  { fork, forkOf }: { readonly fork: ThreadState; readonly forkOf: ForkOf },
  work: (parent: ThreadFile) => Promise<void>,
): Promise<void> {
  return files.use(forkOf.thread, async (parent) => {
    let state = await files.open(parent)
    for (let removal = removing.get(parent.name); removal || state !== parent.opened; removal = removing.get(parent.name)) {
      await removal
      state = await files.open(parent)
    }
    const { header, seq } = state.scan
    if (header?.incarnation !== forkOf.incarnation || seq < forkOf.seq) throw missingParent(fork.name, forkOf)
    const forks = beginning.get(parent.name) ?? new Set()
    beginning.set(parent.name, forks.add(fork.name))
    try {
      await work(parent)
    } finally {
      // What a failed write has left may come back after a crash, and then the fork needs its parent.
      if (!fork.isSuspect && forks.delete(fork.name) && forks.size === 0) beginning.delete(parent.name)
    }
  })
}
