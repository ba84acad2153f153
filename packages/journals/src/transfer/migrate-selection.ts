/**
 * Selects the threads that a migration copies, in an order in which no copy lacks what it needs: after the threads that it was cut from, without which
 * a fork cannot be read, and after its children, which a driver of the copy would start over.
 */
import type { Head, Journal } from '@loom-agent/kernel'
import { allHeads } from '../storage/all-heads.ts'

type ChildrenOf = (thread: string) => Promise<readonly string[]>

/** The ids of all threads, or of the wanted ones with the threads that they need. A thread that its own child was cut from comes twice. */
export async function* selected(journal: Journal, wanted: readonly string[] | ((head: Head) => boolean) | undefined): AsyncGenerator<string, void> {
  const done = new Set<string>()
  if (wanted !== undefined && typeof wanted !== 'function') {
    for (const thread of wanted) yield* family(journal, thread, { done, childrenOf: (parent) => childrenIn(journal, parent) })
    return
  }
  const children: ChildrenOf = wanted ? (parent) => childrenIn(journal, parent) : await allChildrenIn(journal)
  for await (const head of allHeads(journal)) if (!wanted || wanted(head)) yield* family(journal, head.thread, { done, childrenOf: children })
}

/** The ids of the children of a thread. */
export async function childrenIn(journal: Journal, parent: string): Promise<readonly string[]> {
  const children: string[] = []
  for await (const { thread } of allHeads(journal, { parent })) children.push(thread)
  return children
}

/** Lists once: a journal in files looks at all threads for the children of one. */
async function allChildrenIn(journal: Journal): Promise<ChildrenOf> {
  const byParent = new Map<string, string[]>()
  for await (const { thread, summary } of allHeads(journal)) {
    if (summary.parent === undefined) continue
    const children = byParent.get(summary.parent) ?? []
    byParent.set(summary.parent, children)
    children.push(thread)
  }
  return async (parent) => byParent.get(parent) ?? []
}

/** What the walk knows: the threads that have come, and how it finds children. */
interface Walk {
  readonly done: Set<string>
  readonly childrenOf: ChildrenOf
}

/** A thread after its ancestors and its children, and they after theirs. */
async function* family(journal: Journal, start: string, { done, childrenOf }: Walk): AsyncGenerator<string, void> {
  const entered = new Set<string>()
  for (const open = [{ thread: start, isLast: false }]; open.length > 0; ) {
    const { thread, isLast } = open.pop() as { thread: string; isLast: boolean }
    if (done.has(thread)) continue
    // One of its own children was cut from it: it comes now as far as it can, and again after its children.
    if (isLast || entered.has(thread)) yield thread
    if (isLast) done.add(thread)
    if (entered.has(thread)) continue
    entered.add(thread)
    open.push({ thread, isLast: true })
    for (const child of await childrenOf(thread)) if (!entered.has(child)) open.push({ thread: child, isLast: false })
    const forkOf = (await journal.head(thread))?.forkOf
    if (forkOf) open.push({ thread: forkOf.thread, isLast: false })
  }
}
