/**
 * How the journal in memory drops finished threads.
 *
 * MEMORY-4. A thread that a fork reads is not dropped: it is judged again when the fork is gone.
 * MEMORY-5. A thread that is dropped is removed like any other: the feed has its removal. Using it later is an error that says so, as long as its name is
 *           among the last 10,000 that were dropped.
 * MEMORY-6. What a run costs does not depend on how many threads there are: each look drops what is too much and stops at the first that must stay.
 * MEMORY-7. A thread that is read, or has a child that is, is not dropped: a slow reader gets all its events. At most 10,000 stay for that: readers that were
 *           abandoned must not keep all of memory.
 */
import { LoomError, type RemoveResult } from '@loom-agent/kernel'
import type { MemoryFeed } from './memory-feed.ts'
import { isFinished, type MemoryThread, note, type Table } from './memory-thread.ts'
import { removeTree, treeOf } from './memory-tree.ts'

/** Names of dropped threads that are remembered. */
const remembered = 10_000
/** Finished threads that are kept because they are read. */
const mostRead = 10_000

/** What is known of the threads that finished. */
export interface Finished {
  readonly table: Table
  readonly feed: MemoryFeed
  /** Threads that may be dropped, in the order in which they finished. */
  readonly droppable: Map<string, MemoryThread>
  /** How many of them are kept. */
  readonly kept: number
  readonly isRead: (thread: string) => boolean
}

/** Those that were dropped, and those that would have been. */
interface Judged extends Finished {
  /** Threads that would have been dropped, by the fork that reads them. */
  readonly forked: Table['forks']
  /** Threads that would have been dropped, and are read. */
  readonly read: Map<string, MemoryThread>
  readonly dropped: ReturnType<typeof createDroppedNames>
}

/** Drops threads. */
export interface Dropping {
  /** Drops what is too much; returns the threads that are gone. */
  dropSurplus(): readonly string[]
  /** A thread was appended to. */
  goesOn(thread: string): void
  /** A thread is no longer read. */
  unread(thread: string): void
  /** Threads were removed. */
  removed(threads: Iterable<string>): void
  /** Throws when the thread was dropped. */
  requireKept(thread: string): void
}

/** Dropping where nothing has been dropped yet. */
export function createDropping(finished: Finished): Dropping {
  const judged: Judged = { ...finished, forked: new Map(), read: new Map(), dropped: createDroppedNames() }
  const { droppable, kept, read, dropped } = judged
  return {
    dropSurplus() {
      const gone: string[] = []
      for (const oldest of droppable.values()) {
        const tree = droppable.size > kept ? drop(judged, oldest) : undefined
        if (!tree) break
        gone.push(...tree)
      }
      return gone
    },
    goesOn: (thread) => void read.delete(thread),
    unread: (thread) => unread(judged, thread),
    removed: (threads) => forgetRemoved(judged, threads),
    requireKept(thread) {
      if (dropped.has(thread)) throw wasDropped(thread, kept)
    },
  }
}

/** A thread that had to stay may be dropped now, as the youngest. */
function reconsider({ droppable, read }: Judged, current: MemoryThread): void {
  droppable.delete(current.thread)
  read.delete(current.thread)
  if (isFinished(current)) droppable.set(current.thread, current)
}

/** What is no longer read may be a child of a thread that would have been dropped. */
function unread(judged: Judged, thread: string): void {
  const { table, read } = judged
  for (let id: string | undefined = thread; id !== undefined; id = table.threads.get(id)?.summary.parent) {
    const current = read.get(id)
    if (current) reconsider(judged, current)
  }
}

function forgetRemoved(judged: Judged, threads: Iterable<string>): void {
  const { table, droppable, read, forked, dropped } = judged
  for (const thread of threads) {
    droppable.delete(thread)
    read.delete(thread)
    dropped.delete(thread)
    const parents = forked.get(thread) ?? []
    forked.delete(thread)
    for (const id of parents) {
      const current = table.threads.get(id)
      if (current) reconsider(judged, current)
    }
  }
}

/** Drops a thread and its children; returns those that are gone, and undefined when it must stay for now. */
function drop(judged: Judged, current: MemoryThread): Iterable<string> | undefined {
  const { table, feed, droppable, read, forked, dropped, isRead } = judged
  const { thread, holder } = current
  droppable.delete(thread)
  const tree = treeOf(table, thread)
  if (read.size < mostRead && [...tree].some(isRead)) {
    read.set(thread, current)
    return []
  }
  const result: RemoveResult = holder === undefined ? removeTree(table, tree, feed) : { kind: 'held', thread, holder }
  if (result.kind === 'forked') note(forked, result.fork, thread)
  // Its driver is about to release it, or a child of it is still driven: it is judged again later.
  if (result.kind === 'held') droppable.set(thread, current)
  if (result.kind !== 'removed') return undefined
  forgetRemoved(judged, tree)
  for (const name of tree) dropped.add(name)
  return tree
}

/** The names of dropped threads: the last ones, in a list that is written over from its start. */
function createDroppedNames(): Pick<Set<string>, 'has' | 'delete'> & { add(name: string): void } {
  const names = new Set<string>()
  const order: string[] = []
  let next = 0
  return {
    has: (name) => names.has(name),
    delete: (name) => names.delete(name),
    add(name) {
      const oldest = order[next]
      if (oldest !== undefined) names.delete(oldest)
      order[next] = name
      next = (next + 1) % remembered
      names.add(name)
    },
  }
}

function wasDropped(thread: string, kept: number): LoomError {
  const message = `The thread ${thread} was dropped: the journal in memory keeps the last 1,000 finished threads that no caller named.`
  const advice = "To keep a thread, name it: run(input, { thread }). To keep all of them, use another journal, such as sqlite('loom.db')."
  return new LoomError('LOOM_THREAD_DROPPED', `${message} ${advice}`, { context: { thread, kept } })
}
