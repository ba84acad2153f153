/** Trees of threads of the journal in memory, and their removal. */
import type { RemoveResult } from '@loom-agent/kernel'
import type { MemoryFeed } from './memory-feed.ts'
import { forget, type MemoryThread, type Table } from './memory-thread.ts'
import { noteRemoval } from './read-memory-feed.ts'

/** A thread, its children, theirs, and so on. */
export function treeOf(table: Table, root: string): ReadonlySet<string> {
  const tree = new Set([root])
  // A set is iterated over with what is added meanwhile.
  for (const parent of tree) for (const { thread } of childrenOf(table, parent)) tree.add(thread)
  return tree
}

/** The children of a thread. */
export function childrenOf({ threads, children }: Table, parent: string): readonly MemoryThread[] {
  return [...(children.get(parent) ?? [])].flatMap((child) => threads.get(child) ?? []).filter(({ summary }) => summary.parent === parent)
}

/** Removes a tree, unless one of its threads is driven, or read by a fork outside of it. Costs what the tree has, however many threads there are. */
export function removeTree(table: Table, tree: ReadonlySet<string>, feed: MemoryFeed): RemoveResult {
  const { threads, children, forks } = table
  for (const thread of tree) {
    const { holder, summary } = threads.get(thread) ?? {}
    if (holder !== undefined && summary?.status === 'running') return { kind: 'held', thread, holder }
  }
  for (const thread of tree) for (const fork of forks.get(thread) ?? []) if (!tree.has(fork)) return { kind: 'forked', fork }
  for (const thread of tree) {
    const current = threads.get(thread)
    threads.delete(thread)
    forget(children, current?.summary.parent ?? '', thread)
    forget(forks, current?.forkOf?.thread ?? '', thread)
    if (current?.seq) noteRemoval(feed, current)
  }
  return { kind: 'removed' }
}
