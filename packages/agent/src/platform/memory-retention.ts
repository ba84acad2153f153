/**
 * Which finished threads the journal in memory keeps: a process that makes one run after another must not keep them all.
 *
 * MEMORY-3. Of the threads whose name no caller gave, the last 1,000 that finished are kept, each with its children. Threads that run or wait, threads that are
 *           held, and named ones are never dropped.
 * MEMORY-4. A thread that a fork reads is not dropped: it is judged again when the fork is gone.
 * MEMORY-5. A thread that is dropped is removed like any other: the feed has its removal. Using it later is an error that says so, as long as its name is
 *           among the last 10,000 that were dropped.
 * MEMORY-6. What a run costs does not depend on how many threads there are: each look drops what is too much and stops at the first that must stay.
 * MEMORY-7. A thread that is read, or has a child that is, is not dropped: a slow reader gets all its events. At most 10,000 stay for that: readers that were
 *           abandoned must not keep all of memory.
 */
import { LoomError, type RemoveResult } from '@loom-agent/kernel'
import type { KeepThread } from './keep-thread.ts'
import type { MemoryFeed } from './memory-feed.ts'
import { type MemoryThread, note, type Table } from './memory-thread.ts'
import { removeTree, treeOf } from './memory-tree.ts'

/** Finished threads without a name of the caller's that are kept. */
const kept = 1000
/** Names of dropped threads that are remembered. */
const remembered = 10_000
/** Finished threads that are kept because they are read. */
const mostRead = 10_000

/** Decides what is dropped. */
export interface Retention {
  /** A thread was appended to: it may have finished, or go on. */
  appended(current: MemoryThread): void
  /** Drops what is too much; returns the threads that are gone. */
  dropSurplus(): readonly string[]
  /** Threads were removed. */
  removed(threads: Iterable<string>): void
  /** Keeps a thread that is read. */
  readonly keep: KeepThread
  /** Throws when the thread was dropped. */
  requireKept(thread: string): void
}

/** What is known of the threads that finished. */
interface Finished {
  readonly table: Table
  readonly feed: MemoryFeed
  /** Threads that may be dropped, in the order in which they finished. */
  readonly droppable: Map<string, MemoryThread>
  /** Threads that would have been dropped, by the fork that reads them. */
  readonly forked: Table['forks']
  /** Threads that would have been dropped, and are read. */
  readonly read: Map<string, MemoryThread>
  readonly dropped: ReturnType<typeof createDroppedNames>
}

/** The retention of a journal without threads. */
export function createRetention(table: Table, feed: MemoryFeed): Retention {
  const finished: Finished = { table, feed, droppable: new Map(), forked: new Map(), read: new Map(), dropped: createDroppedNames() }
  const { droppable, dropped } = finished
  const readers = createReaders((thread) => unread(finished, thread))
  return {
    appended(current) {
      if (current.isAnonymous) consider(finished, current)
    },
    dropSurplus() {
      if (droppable.size <= kept) return []
      const gone: string[] = []
      for (const oldest of droppable.values()) {
        const tree = droppable.size > kept ? drop(finished, oldest, readers.has) : undefined
        if (!tree) break
        gone.push(...tree)
      }
      return gone
    },
    removed: (threads) => forgetRemoved(finished, threads),
    keep: readers.add,
    requireKept(thread) {
      if (dropped.has(thread)) throw wasDropped(thread)
    },
  }
}

/** A thread that is at its end may be dropped, as the youngest. */
function consider({ droppable, read }: Finished, current: MemoryThread): void {
  droppable.delete(current.thread)
  read.delete(current.thread)
  if (isFinished(current)) droppable.set(current.thread, current)
}

/** What is no longer read may be a child of a thread that would have been dropped. */
function unread(finished: Finished, thread: string): void {
  const { table, read } = finished
  for (let id: string | undefined = thread; id !== undefined; id = table.threads.get(id)?.summary.parent) {
    const current = read.get(id)
    if (current) consider(finished, current)
  }
}

function forgetRemoved(finished: Finished, threads: Iterable<string>): void {
  const { table, droppable, read, forked, dropped } = finished
  for (const thread of threads) {
    droppable.delete(thread)
    read.delete(thread)
    dropped.delete(thread)
    const parents = forked.get(thread) ?? []
    forked.delete(thread)
    for (const id of parents) {
      const current = table.threads.get(id)
      if (current) consider(finished, current)
    }
  }
}

/** Drops a thread and its children; returns those that are gone, and undefined when it must stay for now. */
function drop(finished: Finished, current: MemoryThread, isRead: (thread: string) => boolean): Iterable<string> | undefined {
  const { table, feed, droppable, read, forked, dropped } = finished
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
  forgetRemoved(finished, tree)
  for (const name of tree) dropped.add(name)
  return tree
}

/** The threads that are read, with the number of their readers. */
function createReaders(unread: (thread: string) => void): { readonly add: KeepThread; readonly has: (thread: string) => boolean } {
  const readers = new Map<string, number>()
  return {
    add(thread) {
      readers.set(thread, (readers.get(thread) ?? 0) + 1)
      return () => {
        const left = (readers.get(thread) ?? 0) - 1
        if (left > 0) return void readers.set(thread, left)
        readers.delete(thread)
        unread(thread)
      }
    },
    has: (thread) => readers.has(thread),
  }
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

/** Whether a thread is at its end. One that failed may be resumed as long as it is kept. */
function isFinished({ isAnonymous, summary: { status } }: MemoryThread): boolean {
  return isAnonymous === true && (status === 'done' || status === 'stopped' || status === 'failed')
}

function wasDropped(thread: string): LoomError {
  const message = `The thread ${thread} was dropped: the journal in memory keeps the last 1,000 finished threads that no caller named.`
  const advice = "To keep a thread, name it: run(input, { thread }). To keep all of them, use another journal, such as sqlite('loom.db')."
  return new LoomError('LOOM_THREAD_DROPPED', `${message} ${advice}`, { context: { thread, kept } })
}
