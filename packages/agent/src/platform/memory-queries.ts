/** Listing and removing threads of the journal in memory. */
import { compareHeads, type Head, matches, mayGoOn, type RemoveOptions, type RemoveResult, type ThreadQuery } from '@loom-agent/kernel'
import type { MemoryFeed } from './memory-feed.ts'
import { copyOf, liveHeadOf, type Now, type Table } from './memory-thread.ts'
import { childrenOf, removeTree, treeOf } from './memory-tree.ts'

/** The heads that a query finds, in its order. */
export function listThreads(table: Table, query: ThreadQuery, now: Now): readonly Head[] {
  const looked = query.parent === undefined ? [...table.threads.values()] : childrenOf(table, query.parent)
  const heads = looked.filter(({ seq }) => seq > 0).map((thread) => liveHeadOf(thread, now))
  const found = heads.filter((head) => matches(head, query)).sort((a, b) => compareHeads(a, b, query))
  return found.slice(0, query.limit).map((head) => ({ ...head, summary: copyOf(head.summary) }))
}

/** What a removal came to, and the threads that were removed. */
type Removal = { readonly result: RemoveResult; readonly tree: Iterable<string> }

/** Removes a thread with its children, unless it has changed, or something still needs one of them. */
export function removeThread(table: Table, thread: string, { expected, feed }: RemoveOptions & { readonly feed: MemoryFeed }): Removal {
  const { threads } = table
  const refuse = (result: RemoveResult): Removal => ({ result, tree: [] })
  const current = threads.get(thread)
  if (expected && (expected.incarnation !== current?.incarnation || expected.seq !== current.seq)) return refuse({ kind: 'changed' })
  const { parent = '' } = current?.summary ?? {}
  if (mayGoOn(threads.get(parent)?.summary)) return refuse({ kind: 'awaited', parent })
  const tree = treeOf(table, thread)
  const result = removeTree(table, tree, feed)
  return result.kind === 'removed' ? { result, tree } : refuse(result)
}
