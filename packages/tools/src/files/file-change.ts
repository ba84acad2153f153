/**
 * What a call changed, as facts: the content of a file before and after, by its hash.
 *
 * CHANGE-1. Only a tool of Loom states such facts: they are known by a symbol, so that a result with the same fields is data (BAND-1).
 */

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
