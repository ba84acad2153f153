/**
 * The journal that a store makes: forks are read with the past that they share.
 *
 * FORK-1. The prefix is shared by reference: forking appends to the fork alone, and the parent is never touched.
 * FORK-2. A fork reads as one thread: its seqs continue those of the parent, and every event names the fork.
 */
import { LoomError } from './errors.ts'
import type { LoomEvent } from './event.ts'
import type { ForkOf, Journal, ReadRange, Store } from './journal.ts'

/** Makes a journal of a store. */
export function createJournal(store: Store): Journal {
  return {
    traits: store.traits,
    acquire: (thread, claim) => store.acquire(thread, claim),
    release: (thread, epoch) => store.release(thread, epoch),
    append: (thread, batch) => store.append(thread, batch),
    head: (thread) => store.head(thread),
    read: (thread, range = {}) => readPage(store, thread, range),
    watch: (thread, hint) => store.watch(thread, hint),
    threads: (query) => store.threads(query),
    blob: (hash) => store.blob(hash),
    async remove(thread) {
      const result = await store.remove(thread)
      if (result.kind === 'forked') throw stillRead(thread, result.fork)
    },
    close: () => store.close(),
  }
}

/** A page of a thread. What a fork shares comes from the thread that has it, however many forks are in between. */
async function readPage(store: Store, thread: string, { from = 1, limit = Number.POSITIVE_INFINITY }: ReadRange): Promise<readonly LoomEvent[]> {
  let source = thread
  let last = from + limit - 1
  for (;;) {
    const wanted = last - from + 1
    const page = await store.read(source, { from, ...(Number.isFinite(wanted) && { limit: wanted }) })
    if (!('forkOf' in page)) return source === thread ? page : sharedPage(page, { thread, source, from })
    last = Math.min(last, page.forkOf.seq)
    source = page.forkOf.thread
  }
}

function sharedPage(page: readonly LoomEvent[], at: { thread: string; source: string; from: number }): readonly LoomEvent[] {
  const { thread, source, from } = at
  if (page.length > 0) return page.map((event) => ({ ...event, thread }))
  const message = `${thread} is a fork of ${source}, and the events of ${source} from ${from} on are gone. Bring them back from a copy.`
  throw new LoomError('LOOM_THREAD_UNREADABLE', message, { context: { thread, parent: source, seq: from } })
}

function stillRead(thread: string, fork: string): LoomError {
  const message = `${thread} cannot be removed: ${fork}, which was forked from it, reads it. Remove the fork first, or keep both.`
  return new LoomError('LOOM_THREAD_BUSY', message, { context: { thread, fork } })
}

/** The error of a fork that cannot start: its parent, or the moment it was cut at, is not in the store. */
export function missingParent(fork: string, { thread, seq }: ForkOf): LoomError {
  const message = `${fork} cannot be forked from ${thread}@${seq}: that moment is not in the journal. It may have been removed; nothing was stored.`
  return new LoomError('LOOM_THREAD_NOT_FOUND', message, { context: { thread, seq, fork } })
}
