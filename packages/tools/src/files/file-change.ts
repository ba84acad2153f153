/**
 * What a call changed, as facts: the content of a file before and after, by its hash.
 *
 * CHANGE-1. Only a tool of Loom states such facts: they are known by a symbol, so that a result with the same fields is data (BAND-1).
 */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

/** What a call did to one file. */
export interface FileChange {
  /** The path, relative to the root, with / between names. */
  readonly path: string
  /** The SHA-256 of its content before, in hex; null when there was no file. */
  readonly before: string | null
  /** The SHA-256 of its content after, in hex; null when there is no file any more. */
  readonly after: string | null
}

/** A result that says which files were changed. */
export interface WithFiles {
  /** The files that the call changed. */
  readonly files: readonly FileChange[]
}

const brand = Symbol.for('loom.file-changes')

/** The result, with the changes as facts (CHANGE-1). A file whose content is the same is not changed. */
export function withChanges<T extends object>(result: T, changes: readonly FileChange[]): T & WithFiles {
  const files = changes.filter(({ before, after }) => before !== after)
  return Object.defineProperty({ ...result, files }, brand, { value: files })
}

/** What a result of a tool of Loom says it has changed; nothing for other values. */
export function fileChangesOf(result: unknown): readonly FileChange[] {
  return typeof result === 'object' && result !== null && Object.hasOwn(result, brand) ? (Reflect.get(result, brand) as readonly FileChange[]) : []
}

/** The hash of a content. */
export const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

const chunkBytes = 256 * 1024

/** The hash of an open file, read from its start. */
export async function hashOfFile(handle: FileHandle, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(chunkBytes)
  for (let position = 0; ; ) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, position)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, bytesRead))
    position += bytesRead
  }
}
