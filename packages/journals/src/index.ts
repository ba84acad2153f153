/** What works on every journal: export, import, migration, retention and verification. */

export type { Inspected, JournalFinding } from './storage/journal-finding.ts'
export { exportThread } from './transfer/export.ts'
export { importThread } from './transfer/import.ts'
export { type MigrateOptions, type MigrateProgress, type MigrateReport, migrate } from './transfer/migrate.ts'
export { type PruneOptions, prune } from './transfer/prune.ts'
export { verify } from './transfer/verify.ts'
