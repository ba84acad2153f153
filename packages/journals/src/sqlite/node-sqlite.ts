/**
 * Node's own SQLite, looked up when a journal is opened: a Node without it can import this package and use the other journals.
 *
 * The types are those of `node:sqlite` as far as they are used, so that the declarations of this package need no `@types/node`.
 */
import { journalError } from '../storage/failure.ts'

/** A value that a statement is given. */
export type SQLInputValue = null | number | bigint | string | Uint8Array

/** A value that a statement returns. */
export type SQLOutputValue = null | number | bigint | string | Uint8Array<ArrayBuffer>

/** A prepared statement. */
export interface StatementSync {
  run(...values: readonly SQLInputValue[]): { readonly changes: number | bigint }
  get(...values: readonly SQLInputValue[]): Record<string, SQLOutputValue> | undefined
  all(...values: readonly SQLInputValue[]): Record<string, SQLOutputValue>[]
  iterate(...values: readonly SQLInputValue[]): Iterable<Record<string, SQLOutputValue>>
}

/** An open database. */
export interface DatabaseSync {
  readonly isOpen: boolean
  readonly isTransaction: boolean
  prepare(sql: string): StatementSync
  exec(sql: string): void
  location(): string | null
  close(): void
}

/** Opens a database. */
type DatabaseClass = new (path: string, options: { readonly timeout: number }) => DatabaseSync

/** The class of databases. Throws where Node has none, or one that lacks what a journal uses. */
export function databaseClass(): DatabaseClass {
  const found = process.getBuiltinModule?.('node:sqlite')?.DatabaseSync
  if (found && 'location' in found.prototype) return found
  const advice = 'Use Node 22.16 or newer, or another journal: memoryJournal(), or those of @loom-agent/journals/file and /postgres.'
  throw journalError('unusable', `sqlite() needs a newer SQLite than Node ${process.version} has. ${advice}`, { context: { node: process.version } })
}
