/** The journal in a folder: JSON lines, a file for each thread. */
export type { Damage, DamageKind } from './damage.ts'
export type { Disk, DiskEntry, DiskFile } from './disk.ts'
export { nodeDisk } from './disk-node.ts'
export { type FileOptions, file } from './file-journal.ts'
export { type FolderReport, type FoundThread, inspectFolder } from './inspect.ts'
export type { FileMode } from './line.ts'
