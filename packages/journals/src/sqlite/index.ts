/** Loom's journal in a SQLite database. */
export type { CommitCounts } from './committer.ts'
export type { SqliteMode } from './database.ts'
export { type SqliteJournal, type SqliteOptions, type SqlitePorts, sqlite } from './sqlite-journal.ts'
