/** Loom's own tools. */
export { type FileTools, type FileToolsOptions, fileTools, protectedNames } from './files/file-tools.ts'
export type { Grant } from './grants/grant-folder.ts'
export { type Grants, type GrantsOptions, grants, type RememberOptions } from './grants/grants.ts'
