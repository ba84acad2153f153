/** What can be done with a journal, whichever it is. */

export { exportThread } from './export.ts'
export { importThread } from './import.ts'
export { type MigrateOptions, type MigrateProgress, type MigrateReport, migrate } from './migrate.ts'
export { type PruneOptions, prune } from './prune.ts'
export { type Finding, type Inspected, verify } from './verify.ts'
