/** Loom's own tools. */
export type { Grant } from './grants/grant-folder.ts'
export { type Grants, type GrantsOptions, grants, type RememberOptions } from './grants/grants.ts'
export { type FileChange, fileChangesOf } from './files/file-change.ts'
export { type FileTools, fileTools } from './files/file-tools.ts'
export type { FileToolsOptions, ProtectOptions } from './files/options.ts'
export { codePaths, secretPaths } from './files/protected-paths.ts'
