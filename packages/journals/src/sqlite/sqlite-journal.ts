/** The journal in a SQLite database: the default for runs that outlive the process. */
import { setImmediate as pause } from 'node:timers/promises'
import {
  type AppendResult,
  createJournal,
  type Head,
  type Journal,
  LoomError,
  type RemoveResult,
  type Store,
  type ThreadQuery,
} from '@loom-agent/kernel'
import { journalError } from '../storage/failure.ts'
import { mustFlush } from '../storage/flush.ts'
import type { Inspected } from '../storage/journal-finding.ts'
import { thisInstance } from '../storage/liveness.ts'
import { appendBatch, removeThread, storable } from './appending.ts'
import { createChangeFeed } from './change-feed.ts'
import { type CommitCounts, createCommitter } from './committer.ts'
import { type Database, openDatabase, type SqliteMode } from './database.ts'
import { inspect } from './inspect.ts'
import { createLeases } from './leases.ts'
import { patiently } from './patience.ts'
import { findHead, listHeads } from './public-heads.ts'
import { blobOf, pageLimit, readPage } from './reading.ts'
import { createTables } from './tables.ts'

/** What the journal needs of the world. */
export interface SqlitePorts {
  /** The time, in milliseconds; it decides whether a holder's heartbeat is recent. */
  readonly now: () => number
}

/** How a journal is opened. */
export interface SqliteOptions {
  /**
   * `strict` flushes every batch before it is acknowledged. `relaxed` leaves that to the system, except for what a human has seen or said and for
   * calls that may not be run again: a power cut may take the rest. Without it the journal keeps its mode; a new one is strict.
   */
  readonly mode?: SqliteMode
  /** Replaces what the journal takes from the platform, for tests. */
  readonly ports?: Partial<SqlitePorts>
}

/** A journal in a SQLite database. */
export interface SqliteJournal extends Journal, Inspected {
  /** How much this object has committed. */
  stats(): CommitCounts
}

/**
 * Opens a journal, or makes a new one. Several processes may use one file at the same time.
 *
 * @example
 * const journal = sqlite('loom.db')
 */
export function sqlite(path: string, options: SqliteOptions = {}): SqliteJournal {
  const { mode, ports } = options
  if (typeof path !== 'string' || path === '') throw new LoomError('LOOM_OPTION_INVALID', 'A journal needs a path: sqlite("loom.db").')
  if (mode !== undefined && mode !== 'strict' && mode !== 'relaxed') {
    throw new LoomError('LOOM_OPTION_INVALID', `The mode of a journal is "strict" or "relaxed", not ${JSON.stringify(mode)}.`)
  }
  return journalIn(openDatabase(path, mode), ports)
}

/** The journal in an open database. */
export function journalIn(database: Database, { now = Date.now }: Partial<SqlitePorts> = {}): SqliteJournal {
  const { path, db, mode, shared } = database
  const tables = createTables(database, { here: thisInstance(), now })
  const committer = createCommitter(tables)
  const leases = createLeases(tables, committer)
  const watchers = createChangeFeed(tables)
  let closing: Promise<void> | undefined
  const check = (thread?: string): void => {
    if (closing) throw journalError('closed', `The journal ${path} was closed. Open it again.`, { context: { path } })
    if (thread?.isWellFormed() === false) throw new LoomError('LOOM_THREAD_INVALID', 'The id of a thread has half a character in it.')
  }
  const reading = <T>(work: () => T): Promise<T> =>
    patiently(path, () => {
      check()
      return tables.reading(work)
    })
  const close = async (): Promise<void> => {
    watchers.clear()
    await leases.end()
    await committer.drained()
    db.close()
  }
  const store: Store = {
    traits: { name: 'sqlite', shared, durable: mode !== undefined, bytes: true, mode: mode ?? 'memory' },
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
      const flush = mode === 'relaxed' && mustFlush(given.events)
      const done = ({ kind }: AppendResult): void => {
        if (kind === 'fenced') leases.lost(thread, batch.epoch)
        else if (kind === 'appended') watchers.tell(thread, tables.heads.get(thread)?.end.seq ?? 0)
      }
      return committer.submit({ flush, bytes: batch.bytes, apply: () => appendBatch(tables, thread, batch), done })
    },
    head: (thread) => reading(() => findHead(tables, thread)),
    read: (thread, { from = 1, limit = pageLimit } = {}) => reading(() => readPage(tables, thread, { from: Math.max(1, from), limit })),
    watch(thread, hint) {
      check(thread)
      return watchers.add(thread, hint)
    },
    threads: (query) => listThreads(query, (page) => reading(() => listHeads(tables, page))),
    blob: (hash) => reading(() => blobOf(tables, hash)),
    async remove(thread) {
      check(thread)
      const done = ({ kind }: RemoveResult): void => {
        if (kind === 'removed') leases.lost(thread)
      }
      return committer.submit({ flush: true, bytes: 0, apply: () => removeThread(tables, thread), done })
    },
    async close() {
      closing ??= close()
      await closing
    },
  }
  return { ...createJournal(store), inspect: () => reading(() => inspect(tables)), stats: () => committer.counts() }
}

/** Lists page by page, with a pause after each, so that appends go on beside a long table. */
async function listThreads(
  { limit = Number.POSITIVE_INFINITY, ...query }: ThreadQuery = {},
  list: (page: ThreadQuery & { limit: number }) => Promise<readonly Head[]>,
): Promise<readonly Head[]> {
  const found: Head[] = []
  for (let next: ThreadQuery = query; ; ) {
    const page = await list({ ...next, limit: Math.min(pageLimit, limit - found.length) })
    found.push(...page)
    const after = page.at(-1)?.thread
    if (after === undefined || page.length < pageLimit) return found
    next = { ...query, after }
    await pause()
  }
}
