/** Node's own SQLite, looked up when a journal is opened: a Node without it can import this package and use the other journals. */
import type { DatabaseSync } from 'node:sqlite'
import { journalError } from '../failure.ts'

/** The class of databases. Throws where Node has none. */
export function databaseClass(): typeof DatabaseSync {
  const found = process.getBuiltinModule?.('node:sqlite')
  if (found) return found.DatabaseSync
  const advice = 'Use Node 22.13 or newer, or another journal: memoryJournal(), or file() and postgres() of @loom-agent/journals.'
  throw journalError('unusable', `sqlite() needs node:sqlite, which Node ${process.version} does not have. ${advice}`, {
    context: { node: process.version },
  })
}
