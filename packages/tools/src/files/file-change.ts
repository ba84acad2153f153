/**
 * What a call changed: facts beside the result (CHANGED-1), and in the result, where the model reads it.
 *
 * CHANGE-1. A file whose content is the same is not changed.
 */
import { type Noted, withChanges } from '@loom-agent/agent/kit'
import type { FileChange } from '@loom-agent/kernel'

/** A result that says which files were changed. */
export interface WithFiles {
  /** The files that the call changed, by their hashes. */
  readonly files: readonly Pick<FileChange, 'path' | 'before' | 'after'>[]
}

/** The result of a call that changed one file. */
export function changed<Result extends WithFiles>(result: Omit<Result, 'files'>, change: FileChange): Noted {
  const { path, before, after } = change
  const files = before === after ? [] : [{ path, before, after }]
  return withChanges({ ...result, files }, { files: [change] })
}
