/** Loom's own tools. */
export { type FileTools, type FileToolsOptions, fileTools, protectedNames } from './files/file-tools.ts'
