/** The journal in a SQLite database: the default for runs that outlive the process. */
import { createJournal, type Journal, LoomError } from '@loom-agent/kernel'
import type { Inspected } from '../storage/journal-finding.ts'
import type { CommitCounts } from './committer.ts'
import { type Database, openDatabase, type SqliteMode } from './database.ts'
import { createSqliteStore } from './sqlite-store.ts'

/** What the journal takes from the platform. */
export interface SqlitePorts {
  /** The time, in milliseconds; it decides whether a heartbeat is recent. Default: `Date.now`. */
  readonly now: () => number
}

/** How a journal is opened. */
export interface SqliteOptions {
  /**
   * `strict` flushes every batch before it is acknowledged. `relaxed` leaves that to the system, except for what a human has seen or said and for
   * calls that may not be run again: a power cut may lose the rest. Default: the mode that the journal was last opened with; a new one is strict.
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
 * Opens a journal, or creates a new one. Several processes may use one file at the same time.
 *
 * @example
 * const journal = sqlite('loom.db')
 */
export function sqlite(path: string, options: SqliteOptions = {}): SqliteJournal {
  const { mode, ports } = options
  if (typeof path !== 'string' || path === '') throw new LoomError('LOOM_OPTION_INVALID', 'A journal needs a path: sqlite("loom.db").')
  if (mode !== undefined && mode !== 'strict' && mode !== 'relaxed') {
    throw new LoomError('LOOM_OPTION_INVALID', `The mode of a journal is "strict" or "relaxed", not ${JSON.stringify(mode)}.`, {
      context: { mode: String(mode) },
    })
  }
  return journalIn(openDatabase(path, mode), ports)
}

/** The journal in an open database. */
export function journalIn(database: Database, { now = Date.now }: Partial<SqlitePorts> = {}): SqliteJournal {
  const store = createSqliteStore(database, now)
  return { ...createJournal(store), inspect: () => store.inspect(), stats: () => store.stats() }
}
