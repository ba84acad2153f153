/** What became of the files of a workspace, as facts. A workspace is a folder, under a name. */
import type { BlobRef } from './message.ts'

/** How a file is stored: its permission bits, or that it is a link; null where there is none. */
export type FileMode = number | 'link' | null
/**
 * What became of one file, by its path below the folder of its workspace: the SHA-256 of its content before and after, null where there was no file. The
 * content of a link is the path that it leads to. `workspace` names one that is not called `workspace`; `modes` are there where they were looked at.
 */
export type FileChange = Readonly<{ path: string; before: string | null; after: string | null; workspace?: string; modes?: FileModes }>
/** How a file was stored before and after. */
export type FileModes = readonly [before: FileMode, after: FileMode]
/** Files that are changed, and those of their contents that the batch brings. */
export type FileChanges = Readonly<{ files?: readonly FileChange[]; contents?: readonly BlobRef[] }>
/** Files that were changed, and why there may be more changes than these. */
export type FileFacts = FileChanges & { readonly unseen?: string }
/** Contents of a file, as far as they are known: the one that it was to have, the one that it was expected to have, and the one that it had. */
type Contents = Readonly<{ wanted?: string | null; expected?: string | null; found?: string | null }>
/** A file that was not put back, and why: others changed it since, or in between; its content was not kept; it could not be written. */
export type FileConflict = Readonly<{ path: string; reason: 'edited' | 'mixed' | 'not-kept' | 'refused'; detail?: string }> & Contents
