/**
 * The open tables of a journal: prepared statements, transactions, and a cache of heads.
 *
 * SQLITE-1. A head in the cache is the one in the table: a commit of another connection empties the cache before it is used (`data_version`, read
 *           inside the transaction), and so does a transaction that was rolled back.
 * SQLITE-2. No statement stays open when a function returns.
 */
import type { ForkOf, LoomError } from '@loom-agent/kernel'
import type { Link } from '../storage/chain.ts'
import type { Instance } from '../storage/liveness.ts'
import type { SummaryColumns } from '../storage/thread-columns.ts'
import type { Database } from './database.ts'
import type { SQLInputValue, SQLOutputValue, StatementSync } from './node-sqlite.ts'

/** What is known of a thread: its row, and the end of its batches. */
export interface HeadRow {
  readonly id: number
  readonly name: string
  /** When the row was made; 0 in format 1. */
  readonly began: number
  /** When the summary changed last; 0 in format 1. */
  changed: number
  incarnation: string
  /** Where a fork was cut. */
  forkOf: ForkOf | undefined
  /** The end of the last batch. */
  end: Link
  /** Whether this object has appended since the row was written. */
  grown: boolean
  /** What the row says: the thread was at least that long. */
  anchor: Link
  epoch: number
  worker: string | null
  instance: string | null
  summary: SummaryColumns
}

/**
 * Names a row, so that damage of one is not taken for damage of another: a thread that was removed and imported again has the same incarnation.
 */
export function damageKey({ name, incarnation, began }: HeadRow): string {
  return JSON.stringify([name, incarnation, began])
}

/** A row of a result. */
export type Row = Record<string, SQLOutputValue>

/** The clocks of a journal, in milliseconds. */
export interface Clocks {
  /** The wall clock. */
  readonly now: () => number
  /** The time since the machine's start. */
  readonly uptime: () => number
}

/** What a journal object brings to its tables. */
export interface TableOptions extends Clocks {
  readonly here: Instance
  /** How long a holder may be without a heartbeat, in milliseconds. */
  readonly leaseTimeout: number
  /** How long a change waits for other connections before it fails, in milliseconds. */
  readonly lockTimeout: number
}

/** The open tables, for every part of the journal. */
export interface Tables extends Database, TableOptions {
  /** The cache of heads, by name. */
  readonly heads: Map<string, HeadRow>
  /** Rows found damaged, by their `damageKey`, and the error that says so. */
  readonly damaged: Map<string, LoomError>
  /** The first row of a result. */
  get(sql: string, ...values: readonly SQLInputValue[]): Row | undefined
  /** All rows of a result. */
  all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[]
  /** The rows of a result, one by one; the caller iterates over all of them before it returns (SQLITE-2). */
  each(sql: string, ...values: readonly SQLInputValue[]): Iterable<Row>
  /** Runs a statement; returns how many rows it changed. */
  run(sql: string, ...values: readonly SQLInputValue[]): number
  /** A number that changes with every commit of another connection. */
  version(): number
  /** Does the work on one snapshot of the database. */
  reading<T>(work: () => T): T
  /** Begins a transaction that writes; once it is committed and `flush` was asked for, it survives a power cut. */
  begin(flush: boolean): void
  commit(): void
  /** Undoes everything since `begin`. */
  rollback(): void
}

/** The most heads in the cache. */
const headLimit = 4096

/** The tables of a database. */
export function createTables(database: Database, options: TableOptions): Tables {
  const { db, mode } = database
  const statements = new Map<string, StatementSync>()
  const heads = new Map<string, HeadRow>()
  let seen = -1
  let isFlushing = true
  const statement = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    const made = db.prepare(sql)
    statements.set(sql, made)
    return made
  }
  const version = (): number => statement('pragma data_version').get()?.['data_version'] as number
  const refresh = (): void => {
    const current = version()
    if (current !== seen || heads.size > headLimit) heads.clear()
    seen = current
  }
  return {
    ...database,
    ...options,
    heads,
    damaged: new Map(),
    get: (sql, ...values) => statement(sql).get(...values),
    all: (sql, ...values) => statement(sql).all(...values),
    each: (sql, ...values) => statement(sql).iterate(...values),
    run: (sql, ...values) => Number(statement(sql).run(...values).changes),
    version,
    reading(work) {
      statement('begin').run()
      try {
        refresh()
        return work()
      } finally {
        if (db.isTransaction) statement('rollback').run()
      }
    },
    begin(flush) {
      const flushes = flush || mode === 'strict'
      if (flushes !== isFlushing) db.exec(`pragma synchronous = ${flushes ? 'full' : 'normal'}`)
      isFlushing = flushes
      statement('begin immediate').run()
      refresh()
    },
    commit: () => void statement('commit').run(),
    rollback() {
      heads.clear()
      if (db.isTransaction) statement('rollback').run()
    },
  }
}
