/** Loom's command line. The command `loom` of the package `loom-agent` calls `runLoom`. */

export { exitCodes } from './platform/exit-codes.ts'
export type { Terminal } from './platform/terminal.ts'
export type { LoomConfig } from './project/config.ts'
export { runLoom } from './run-loom.ts'
