/** Which threads a migration copies. */
import type { Head, Journal } from '@loom-agent/kernel'
import { allHeads } from './all-heads.ts'

/** The label under which a fork keeps the moment it was cut at. */
const forkLabel = '$fork'

/** The ids of all threads, or of those that are asked for with everything they cannot do without. */
export async function* selected(journal: Journal, wanted: readonly string[] | ((head: Head) => boolean) | undefined): AsyncGenerator<string, void> {
  const seen = new Set<string>()
  for await (const thread of wanted === undefined || typeof wanted === 'function' ? chosen(journal, wanted) : wanted) {
    yield* wanted === undefined ? [thread] : family(journal, thread, seen)
  }
}

async function* chosen(journal: Journal, wanted: ((head: Head) => boolean) | undefined): AsyncGenerator<string, void> {
  for await (const head of allHeads(journal)) if (!wanted || wanted(head)) yield head.thread
}

/** A fork cannot be read without the thread it was cut from; a parent that goes on looks for its children. */
async function* family(journal: Journal, start: string, seen: Set<string>): AsyncGenerator<string, void> {
  for (const open = [start]; open.length > 0; ) {
    const thread = open.pop() as string
    if (seen.has(thread)) continue
    seen.add(thread)
    yield thread
    const cut = (await journal.head(thread))?.summary.labels?.[forkLabel]
    if (typeof cut === 'string') open.push(cut.slice(0, cut.lastIndexOf('@')))
    for await (const child of allHeads(journal, { parent: thread })) open.push(child.thread)
  }
}
