/** Where a thread is in its tree, as recovery sees it: under which root, and whether all above it wait for it. */
import { type Head, type Journal, LoomError } from '@loom-agent/kernel'
import { openChildren } from '../question/open-children.ts'
import type { ThreadCache } from '../thread/thread-cache.ts'

/** Where a thread is in its tree. */
export interface TreePlace {
  readonly root: Head | undefined
  /** A thread above it has ended and cannot be resumed. */
  readonly isOrphan: boolean
  /** The parents of the thread, of its parent, and so on. */
  readonly parents: ReadonlyMap<string, string>
}

/** A child is driven by its parent: the tree is driven from its root. */
export async function treeOf(journal: Journal, head: Head): Promise<TreePlace> {
  let root: Head | undefined = head
  let isOrphan = false
  const parents = new Map<string, string>()
  while (root?.summary.parent !== undefined) {
    // Records that were imported may name each other as parents.
    if (parents.has(root.thread)) throw circular(head.thread, root.thread)
    parents.set(root.thread, root.summary.parent)
    root = await journal.head(root.summary.parent)
    const { status, parent } = root?.summary ?? {}
    // A child that failed has its result in its parent, and is not resumed.
    isOrphan ||= status === 'done' || status === 'stopped' || (status === 'failed' && parent !== undefined)
  }
  return { root, isOrphan, parents }
}

/** The highest child for which its parent no longer waits: a stop may have left it behind. No head says so. */
export async function leftBehind(threads: ThreadCache, parents: TreePlace['parents']): Promise<string | undefined> {
  let left: string | undefined
  for (const [child, parent] of parents) if (!openChildren((await threads.load(parent)).frame).includes(child)) left = child
  return left
}

function circular(of: string, thread: string): LoomError {
  const message = `The record of ${thread} names a parent that is not above it: ${of} has no root to be driven from. Remove the threads, or restore them from a copy.`
  return new LoomError('LOOM_THREAD_UNREADABLE', message, { context: { of, thread } })
}
