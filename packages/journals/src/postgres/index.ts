/** Loom's journal in a PostgreSQL database. */
export type { CommitCounts } from './committer.ts'
export type { PostgresAddress, PostgresMode, PostgresOptions, PostgresPool, PostgresPorts } from './options.ts'
export { type PostgresJournal, postgres } from './postgres-journal.ts'
