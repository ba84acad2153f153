/**
 * The open tables of a journal: prepared statements, transactions, and the heads that were seen last.
 *
 * SQLITE-1. A head in the cache is the one in the table: another connection's commit empties the cache before it is looked at (`data_version`, read inside
 *     the transaction), and so does a transaction that was given up.
 * SQLITE-2. No statement stays open when a function returns.
 */
import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { LoomError } from '@loom-agent/kernel'
import type { Instance } from '../liveness.ts'
import type { Database } from './database.ts'

/** Where a chain has come to; the hash is in hex. */
export interface Link {
  readonly seq: number
  readonly hash: string
}

/** What is known of a thread: its row, and the end of its batches. */
export interface HeadRow {
  readonly id: number
  readonly name: string
  /** The end of the last batch. */
  end: Link
  /** Whether this object has appended since the row was written. */
  grown: boolean
  /** What the row says: the thread was at least that long. */
  readonly anchor: Link
  epoch: number
  worker: string | null
  instance: string | null
  status: string
  agent: string | null
  parent: string | null
  wake_at: number | null
  labels: string | null
}

/** A row of a result. */
export type Row = Record<string, SQLOutputValue>

/** What every part of the journal works with. */
export interface Tables extends Database {
  readonly here: Instance
  readonly now: () => number
  /** The heads seen last, by name. */
  readonly heads: Map<string, HeadRow>
  /** Threads found damaged, and the error that says so. */
  readonly damaged: Map<string, LoomError>
  /** The first row of a result. */
  get(sql: string, ...values: readonly SQLInputValue[]): Row | undefined
  /** All rows of a result. */
  all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[]
  /** The rows of a result, one by one: whoever asks goes through them before it returns (SQLITE-2). */
  each(sql: string, ...values: readonly SQLInputValue[]): Iterable<Row>
  /** Runs a statement; answers how many rows it changed. */
  run(sql: string, ...values: readonly SQLInputValue[]): number
  /** The number that another connection's commit changes. */
  version(): number
  /** Does its work on one moment of the database. */
  reading<T>(work: () => T): T
  /** Does its work whole or not at all; when it has returned and `flush` was asked for, it survives a power cut. */
  writing(flush: boolean, work: () => void): void
}

/** Heads that are kept at most. */
const headLimit = 4096

/** The tables of a database. */
export function createTables(database: Database, { here, now }: Pick<Tables, 'here' | 'now'>): Tables {
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
  const giveUp = (): void => {
    heads.clear()
    if (db.isTransaction) statement('rollback').run()
  }
  return {
    ...database,
    here,
    now,
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
    writing(flush, work) {
      const flushes = flush || mode === 'strict'
      if (flushes !== isFlushing) db.exec(`pragma synchronous = ${flushes ? 'full' : 'normal'}`)
      isFlushing = flushes
      statement('begin immediate').run()
      try {
        refresh()
        work()
        statement('commit').run()
      } catch (error) {
        giveUp()
        throw error
      }
    },
  }
}
