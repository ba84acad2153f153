/** Workspaces: folders whose files agents change, as the rest of Loom sees them. */
import type { FileChange, FileConflict, FileMode } from '@loom-agent/kernel'
import { type Expected, expected } from '../platform/expected.ts'

/** What a file is now: the hash of its content and how it is stored, both null where there is none; or why it may not be looked at. */
export type FoundFile =
  | {
      /** The SHA-256 of its content; that of a link is the path that it leads to. */
      readonly hash: string | null
      /** Its permission bits, or that it is a link. */
      readonly mode: FileMode
    }
  | {
      /** Why it may not be looked at. */
      readonly refused: string
    }

/** A file that is put back. */
export interface FileToPut {
  /** The state that it must have, and the one that it is to have. */
  readonly change: FileChange
  /** The content that it is to have; null where it is to be removed, absent where only its permissions are to change. */
  readonly content?: Uint8Array | null | undefined
  /** Stays the same when the same file is put back again after a crash. */
  readonly key: string
}

/** Whether only the permissions of a file are to change. */
export const isModeOnly = ({ before, after, modes: [was, is] = [null, null] }: FileChange): boolean =>
  before === after && typeof was === 'number' && typeof is === 'number'

/** A folder whose files are changed by agents and by people. `workspace()` of `@loom-agent/tools` makes one. */
export interface Workspace {
  /** The name under which changes of its files are recorded. */
  readonly name: string
  /** What a file is now. */
  look(path: string): Promise<FoundFile>
  /**
   * Puts one file back, whole or not at all: only from the state that it must have, and with no effect where it has the one that it is to have. Returns what
   * stands in the way, and never rejects for it.
   */
  put(file: FileToPut): Promise<FileConflict | undefined>
}

/** What a workspace must be. */
export const aWorkspace: Expected = {
  words: 'a workspace: { name, look(path), put(file) }',
  fits: (value) => {
    const { name, look, put } = (expected.object.fits(value) ? value : {}) as Partial<Record<keyof Workspace, unknown>>
    return expected.name.fits(name) && typeof look === 'function' && typeof put === 'function'
  },
}
