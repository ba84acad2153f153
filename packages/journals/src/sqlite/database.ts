/** Opens a database as a journal. */
import { journalError } from '../storage/failure.ts'
import type { DatabaseSync } from './node-sqlite.ts'
import { databaseClass } from './node-sqlite.ts'
import { addColumns, applicationId, format, hasUptime, pageSize, schema, upgradeFrom1 } from './schema.ts'
import { isBusy, sqliteFailure } from './sqlite-failure.ts'

/** How much of what was acknowledged a power cut may lose: nothing, or what asking again brings back. */
export type SqliteMode = 'strict' | 'relaxed'

/** A database that is a journal. */
export interface Database {
  readonly path: string
  readonly db: DatabaseSync
  /** Undefined for a database in memory. */
  readonly mode: SqliteMode | undefined
  /** Whether other processes can use it at the same time. */
  readonly shared: boolean
}

/** How long a statement waits for other connections, in milliseconds. It blocks the whole process. */
const busyTimeout = 5
/** How long opening waits for processes that open the same new journal, in milliseconds. */
const openTimeout = 10_000
/** The first SQLite in which one connection may reset the WAL while another writes, without a race. */
const soundVersion = [3, 51, 3] as const

/** Opens a journal, or creates a new one. Throws when there is something else at the path. */
export function openDatabase(path: string, mode?: SqliteMode, version: string = process.versions['sqlite'] ?? ''): Database {
  const Connection = databaseClass()
  let db: DatabaseSync | undefined
  try {
    db = new Connection(path, { timeout: busyTimeout })
    const shared = path !== ':memory:' && isSound(version)
    // With the database locked, no other connection can reset the WAL.
    if (!shared) db.exec('pragma locking_mode = exclusive')
    const opened = db
    const found = retrySync(() => prepare(opened, path, mode))
    return { path, db, mode: path === ':memory:' ? undefined : found, shared }
  } catch (error) {
    if (db?.isOpen) db.close()
    throw sqliteFailure(error, path)
  }
}

function prepare(db: DatabaseSync, path: string, mode: SqliteMode | undefined): SqliteMode {
  db.exec(`pragma page_size = ${pageSize}; pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 0`)
  // What is removed is erased from the file too, and damage is found when a page is read.
  db.exec('pragma secure_delete = on; pragma cell_size_check = on; pragma trusted_schema = off; pragma journal_size_limit = 33554432')
  if (number(db, 'application_id') !== applicationId) create(db, path, mode ?? 'strict')
  if (Number(meta(db, 'format')) === 1) upgrade(db)
  const written = Number(meta(db, 'format'))
  if (written !== format) {
    const what = `has format ${written}; this version of Loom knows ${format}. Open it with the version that wrote it, or a newer one.`
    throw journalError('unusable', `The journal ${path} ${what}`, { context: { path, format: written } })
  }
  if (!hasUptime(db)) inTransaction(db, () => addColumns(db))
  const found = meta(db, 'mode') === 'relaxed' ? 'relaxed' : 'strict'
  if (mode !== undefined && mode !== found) db.prepare("update meta set value = ? where key = 'mode'").run(mode)
  return mode ?? found
}

/** Creates the tables, unless another process has done it meanwhile. */
function create(db: DatabaseSync, path: string, mode: SqliteMode): void {
  inTransaction(db, () => {
    if (number(db, 'application_id') === applicationId) return
    if (db.prepare('select 1 from sqlite_schema').get()) {
      throw journalError('unusable', `The database ${path} belongs to something else. Name another file, or a new one.`, { context: { path } })
    }
    db.exec(schema)
    const put = db.prepare('insert into meta (key, value) values (?, ?)')
    put.run('format', String(format))
    put.run('mode', mode)
  })
}

/** Brings a journal of format 1 up to date, unless another process has done it meanwhile. A process that has it open with older code must close it first. */
function upgrade(db: DatabaseSync): void {
  inTransaction(db, () => {
    if (Number(meta(db, 'format')) === 1) upgradeFrom1(db)
  })
}

function inTransaction(db: DatabaseSync, work: () => void): void {
  db.exec('begin immediate')
  try {
    work()
    db.exec('commit')
  } catch (error) {
    if (db.isTransaction) db.exec('rollback')
    throw error
  }
}

const number = (db: DatabaseSync, pragma: string): unknown => Object.values(db.prepare(`pragma ${pragma}`).get() ?? {})[0]
const meta = (db: DatabaseSync, key: string): unknown => db.prepare('select value from meta where key = ?').get(key)?.['value']

/** SQLite does not wait for other connections when it turns a new file into a WAL database, so this does. */
function retrySync<T>(work: () => T): T {
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  for (let waited = 0; ; waited += 2 * busyTimeout) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || waited >= openTimeout) throw error
    }
    Atomics.wait(sleeper, 0, 0, busyTimeout)
  }
}

function isSound(version: string): boolean {
  const parts = version.split('.').map(Number)
  for (const [index, least] of soundVersion.entries()) {
    const part = parts[index] ?? 0
    if (part !== least) return part > least
  }
  return true
}
