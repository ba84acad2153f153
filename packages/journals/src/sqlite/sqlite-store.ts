/** The store in an open database: what the kernel builds the journal on. */
import { type AppendResult, LoomError, type RemoveResult, type Store } from '@loom-agent/kernel'
import { journalError } from '../storage/failure.ts'
import { mustFlush } from '../storage/flush.ts'
import type { Inspected } from '../storage/journal-finding.ts'
import { listThreads } from '../storage/list-threads.ts'
import { thisInstance } from '../storage/liveness.ts'
import type { Watchers } from '../storage/watchers.ts'
import { appendBatch, removeThread, storable } from './appending.ts'
import { createChangeFeed } from './change-feed.ts'
import { type CommitCounts, type Committer, createCommitter } from './committer.ts'
import type { Database } from './database.ts'
import { inspect } from './inspect.ts'
import { createLeases, type Leases } from './leases.ts'
import { findHead, listHeads } from './public-heads.ts'
import { blobOf, pageLimit, readPage } from './reading.ts'
import { retryWhileBusy } from './retry.ts'
import { createTables, type Tables } from './tables.ts'

/** A store in a SQLite database. */
export interface SqliteStore extends Store, Inspected {
  /** How much this object has committed. */
  stats(): CommitCounts
}

/** The store in a database; `now` is the clock of its heartbeats. */
export function createSqliteStore(database: Database, now: () => number): SqliteStore {
  const { mode, shared } = database
  const parts = partsOf(database, now)
  return {
    traits: { name: 'sqlite', shared, durable: mode !== undefined, bytes: true, mode: mode ?? 'memory' },
    ...writesOf(parts),
    ...readsOf(parts),
    inspect: () => parts.reading(() => inspect(parts.tables)),
    stats: () => parts.committer.counts(),
    close: () => parts.close(),
  }
}

/** The parts of an open journal. */
interface Parts {
  readonly tables: Tables
  readonly committer: Committer
  readonly leases: Leases
  readonly feed: Watchers
  /** Throws when the journal is closed, or when the id of a thread cannot be stored. */
  check(thread?: string): void
  /** Does the work on one snapshot of the database. */
  reading<T>(work: () => T): Promise<T>
  close(): Promise<void>
}

function partsOf(database: Database, now: () => number): Parts {
  const { path, db } = database
  const tables = createTables(database, { here: thisInstance(), now })
  const committer = createCommitter(tables)
  const leases = createLeases(tables, committer)
  const feed = createChangeFeed(tables)
  let closing: Promise<void> | undefined
  const check = (thread?: string): void => {
    if (closing) throw journalError('closed', `The journal ${path} was closed. Open it again.`, { context: { path } })
    if (thread?.isWellFormed() === false) throw new LoomError('LOOM_THREAD_INVALID', 'The id of a thread has half a character in it.')
  }
  const close = async (): Promise<void> => {
    feed.clear()
    await leases.end()
    await committer.drained()
    db.close()
  }
  return {
    tables,
    committer,
    leases,
    feed,
    check,
    reading: (work) =>
      retryWhileBusy(path, () => {
        check()
        return tables.reading(work)
      }),
    async close() {
      closing ??= close()
      await closing
    },
  }
}

function writesOf({ tables, committer, leases, feed, check }: Parts): Pick<Store, 'acquire' | 'release' | 'append' | 'remove'> {
  return {
    async acquire(thread, claim) {
      check(thread)
      return leases.acquire(thread, claim)
    },
    async release(thread, epoch) {
      check(thread)
      return leases.release(thread, epoch)
    },
    async append(thread, given) {
      check(thread)
      const batch = storable(given)
      const flush = tables.mode === 'relaxed' && mustFlush(given.events)
      const done = ({ kind }: AppendResult): void => {
        if (kind === 'fenced') leases.lost(thread, batch.epoch)
        else if (kind === 'appended') feed.notify(thread, tables.heads.get(thread)?.end.seq ?? 0)
      }
      return committer.submit({ flush, bytes: batch.bytes, apply: () => appendBatch(tables, thread, batch), done })
    },
    async remove(thread) {
      check(thread)
      const done = ({ kind }: RemoveResult): void => {
        if (kind === 'removed') leases.lost(thread)
      }
      return committer.submit({ flush: true, bytes: 0, apply: () => removeThread(tables, thread), done })
    },
  }
}

function readsOf({ tables, feed, check, reading }: Parts): Pick<Store, 'head' | 'read' | 'watch' | 'threads' | 'blob'> {
  return {
    head: (thread) => reading(() => findHead(tables, thread)),
    read: (thread, { from = 1, limit = pageLimit } = {}) => reading(() => readPage(tables, thread, { from: Math.max(1, from), limit })),
    watch(thread, hint) {
      check(thread)
      return feed.add(thread, hint)
    },
    threads: (query) => listThreads(query, (page) => reading(() => listHeads(tables, page))),
    blob: (hash) => reading(() => blobOf(tables, hash)),
  }
}
