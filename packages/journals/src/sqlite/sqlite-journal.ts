/** The journal in a SQLite database: the default for runs that outlive the process. */
import { uptime as machineUptime } from 'node:os'
import { type AppendResult, createJournal, type Journal, LoomError, type Store } from '@loom-agent/kernel'
import { checkQueries } from '../storage/check-queries.ts'
import { journalError } from '../storage/failure.ts'
import { mustFlush } from '../storage/flush.ts'
import { type HeartbeatOptions, heartbeatTable } from '../storage/heartbeat.ts'
import type { Inspected } from '../storage/journal-finding.ts'
import { listThreads } from '../storage/list-threads.ts'
import { heartbeatInterval, thisInstance } from '../storage/liveness.ts'
import { anObject, checkOptions, checkPath, numberFrom, oneOf } from '../storage/options.ts'
import { storable } from '../storage/storable-batch.ts'
import { appendBatch, type Removal, removeTree } from './appending.ts'
import { type ChangeFeed, createChangeFeed } from './change-feed.ts'
import { type CommitCounts, type Committer, createCommitter } from './committer.ts'
import { type Database, openDatabase, type SqliteMode } from './database.ts'
import { readFeed } from './feed.ts'
import { findHead, listHeads } from './heads.ts'
import { inspect } from './inspect.ts'
import { createLeases, type Leases } from './leases.ts'
import { blobNamesOf, blobOf, readPage } from './reading.ts'
import { retryWhileBusy } from './retry.ts'
import { standbyFor } from './standby.ts'
import { createTables, type Tables } from './tables.ts'

/** What the journal takes from the platform. Times are in milliseconds. */
export interface SqlitePorts {
  /** The wall clock. It decides whether a heartbeat from another machine is recent. Default: `Date.now`. */
  readonly now: () => number
  /** The time since the machine's start. It decides whether a heartbeat from this machine is recent. */
  readonly uptime: () => number
  /** A clock of this process that nothing sets. It decides whether a lease is still valid. Default: `performance.now`. */
  readonly monotonic: () => number
}

/** How a journal is opened. */
export interface SqliteOptions {
  /**
   * `strict` flushes every batch before it is acknowledged. `relaxed` leaves that to the system, except for what a human has seen or said and for
   * calls that may not be run again: a power cut may lose the rest. Default: the mode that the journal was last opened with; a new one is strict.
   */
  readonly mode?: SqliteMode
  /**
   * When heartbeats are sent. A lease lasts three times `every` without one, so all processes that share the file need the same. While the event loop
   * stands still, a worker sends them; not when there are `ports`, which it could not use.
   */
  readonly heartbeat?: HeartbeatOptions
  /** How long a write waits for other processes, in milliseconds, before it fails with `LOOM_JOURNAL_UNAVAILABLE`; 30,000 by default. */
  readonly lockTimeout?: number
  /** Replaces what the journal takes from the platform, for tests. */
  readonly ports?: Partial<SqlitePorts>
}

/** A journal in a SQLite database. */
export interface SqliteJournal extends Journal, Inspected {
  /** How much this object has committed. */
  stats(): CommitCounts
}

/**
 * Opens a journal, or creates a new one. Several processes may use one file at the same time.
 *
 * @example
 * const journal = sqlite('loom.db')
 */
export function sqlite(path: string, options: SqliteOptions = {}): SqliteJournal {
  checkPath('sqlite', path, 'a path: sqlite("loom.db")')
  checkOptions('sqlite', options, { mode: oneOf('strict', 'relaxed'), heartbeat: anObject, lockTimeout: numberFrom(1), ports: anObject })
  checkOptions('sqlite.heartbeat', options.heartbeat ?? {}, heartbeatTable)
  return journalIn(openDatabase(path, options.mode), options)
}

/** The journal in an open database. */
export function journalIn(database: Database, { heartbeat, lockTimeout = 30_000, ports }: SqliteOptions = {}): SqliteJournal {
  const { path, db } = database
  const { now = Date.now, uptime = () => machineUptime() * 1000, monotonic } = ports ?? {}
  const leaseTimeout = 3 * (heartbeat?.every ?? heartbeatInterval)
  const tables = createTables(database, { here: thisInstance(), now, uptime, leaseTimeout, lockTimeout })
  const committer = createCommitter(tables)
  const leases = createLeases(tables, committer, { ...heartbeat, now: monotonic, standby: ports ? undefined : standbyFor(tables) })
  const feed = createChangeFeed(tables)
  let closing: Promise<void> | undefined
  const check = (thread?: string): void => {
    if (closing) throw journalError('closed', `The journal ${path} was closed. Open it again.`, { context: { path } })
    if (thread?.isWellFormed() === false) throw new LoomError('LOOM_THREAD_INVALID', 'The id of a thread has half a surrogate pair in it.')
  }
  const reading = <T>(work: () => T): Promise<T> =>
    retryWhileBusy(tables, () => {
      check()
      return tables.reading(work)
    })
  const end = async (): Promise<void> => {
    feed.clear()
    await leases.end()
    await committer.drained()
    db.close()
  }
  const close = (): Promise<void> => {
    closing ??= end()
    return closing
  }
  const store = createStore({ tables, committer, leases, feed, check, reading, close })
  return { ...checkQueries(createJournal(store), now), inspect: () => reading(() => inspect(tables)), stats: () => committer.counts() }
}

/** The parts of an open journal. */
interface Parts {
  readonly tables: Tables
  readonly committer: Committer
  readonly leases: Leases
  readonly feed: ChangeFeed
  /** Throws when the journal is closed, or when the id of a thread cannot be stored. */
  check(thread?: string): void
  /** Does the work on one snapshot of the database. */
  reading<T>(work: () => T): Promise<T>
  close(): Promise<void>
}

function createStore({ tables, committer, leases, feed, check, reading, close }: Parts): Store {
  const { mode, shared } = tables
  return {
    traits: { name: 'sqlite', shared, durable: mode !== undefined, bytes: true, mode: mode ?? 'memory' },
    async acquire(thread, claim) {
      check(thread)
      return leases.acquire(thread, claim)
    },
    async release(thread, lease) {
      check(thread)
      return leases.release(thread, lease)
    },
    leaseValid: (thread, lease) => leases.isValid(thread, lease),
    async append(thread, given) {
      check(thread)
      const batch = storable(thread, given)
      const flush = mode === 'relaxed' && mustFlush(given.events)
      const done = ({ kind }: AppendResult): void => {
        if (kind === 'fenced') leases.lost(thread, given)
        else if (kind === 'appended') feed.appended(tables.heads.get(thread))
      }
      const change = { flush, bytes: batch.bytes, apply: () => appendBatch(tables, batch), done }
      return committer.submit(given.epoch === undefined ? change : leases.renewing(thread, change))
    },
    async remove(thread, { expected } = {}) {
      check(thread)
      const done = ({ removed }: Removal): void => {
        for (const name of removed) {
          leases.lost(name)
          feed.removed(name)
        }
      }
      const { result } = await committer.submit({ flush: true, bytes: 0, apply: () => removeTree(tables, thread, expected), done })
      return result
    },
    head: (thread) => reading(() => findHead(tables, thread)),
    read: (thread, range = {}) => reading(() => readPage(tables, thread, range)),
    watch(thread, hint) {
      check(thread)
      return feed.add(thread, hint)
    },
    feed: (range = {}) => reading(() => readFeed(tables, range)),
    threads: (query) => listThreads(query, (page) => reading(() => listHeads(tables, page))),
    blob: (hash) => reading(() => blobOf(tables, hash)),
    blobNames: (thread) => reading(() => blobNamesOf(tables, thread)),
    close,
  }
}
