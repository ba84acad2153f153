/**
 * Node's file system, looked up at the first use. A static import would make Node load all that `fs` offers, streams and promises among it, which takes
 * longer than loading a journal.
 */
type FileSystem = typeof import('node:fs')

let loaded: FileSystem | undefined

/** Node's file system. */
export const fs = (): FileSystem => {
  loaded ??= process.getBuiltinModule('node:fs')
  return loaded
}
