/**
 * Which finished threads the journal in memory keeps: a process that makes one run after another must not keep them all. How threads are dropped is loaded
 * on use: most processes end before 1,000 have finished.
 *
 * MEMORY-3. Of the threads whose name no caller gave, the last 1,000 that finished are kept, each with its children. Threads that run or wait, threads that are
 *           held, and named ones are never dropped.
 */
import type { KeepThread } from './keep-thread.ts'
import type { Dropping } from './memory-dropping.ts'
import type { MemoryFeed } from './memory-feed.ts'
import { isFinished, type MemoryThread, type Table } from './memory-thread.ts'

/** Finished threads without a name of the caller's that are kept. */
const kept = 1000

/** Decides what is dropped. */
export interface Retention {
  /** A thread was appended to: it may have finished, or go on. */
  appended(current: MemoryThread): void
  /** Drops what is too much; returns the threads that are gone. Only the first time it is to be waited for. */
  dropSurplus(): readonly string[] | Promise<readonly string[]>
  /** Threads were removed. */
  removed(threads: Iterable<string>): void
  /** Keeps a thread that is read. */
  readonly keep: KeepThread
  /** Throws when the thread was dropped. */
  requireKept(thread: string): void
}

const none: readonly string[] = []

/** The retention of a journal without threads. */
export function createRetention(table: Table, feed: MemoryFeed): Retention {
  const droppable = new Map<string, MemoryThread>()
  let dropping: Dropping | undefined
  const readers = createReaders((thread) => dropping?.unread(thread))
  const dropFirst = async (): Promise<readonly string[]> => {
    const { createDropping } = await import('./memory-dropping.ts')
    dropping ??= createDropping({ table, feed, droppable, kept, isRead: readers.has })
    return dropping.dropSurplus()
  }
  return {
    appended(current) {
      if (!current.isAnonymous) return
      droppable.delete(current.thread)
      dropping?.goesOn(current.thread)
      if (isFinished(current)) droppable.set(current.thread, current)
    },
    dropSurplus() {
      if (droppable.size <= kept) return none
      // What is appended is stored, whether or not the code can be loaded: until then more is kept.
      return dropping ? dropping.dropSurplus() : dropFirst().catch(() => none)
    },
    removed(threads) {
      for (const thread of threads) droppable.delete(thread)
      dropping?.removed(threads)
    },
    keep: readers.add,
    requireKept: (thread) => dropping?.requireKept(thread),
  }
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
