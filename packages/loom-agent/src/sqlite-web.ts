/** Outside Node there is no file to keep a journal in. */
import type { sqlite as nodeSqlite } from '@loom-agent/journals/sqlite'
import { LoomError } from '@loom-agent/kernel'

/** Refuses, and says what to do instead. It has the type of the function that it stands for, so that programs compile alike under every resolution. */
export const sqlite: typeof nodeSqlite = (path) => {
  throw new LoomError('LOOM_OPTION_INVALID', `sqlite(${JSON.stringify(path)}) needs Node. Elsewhere, use memoryJournal() or a journal of your own.`)
}
