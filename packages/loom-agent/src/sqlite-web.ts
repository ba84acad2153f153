/** Outside Node there is no file to keep a journal in. */
import type { sqlite as nodeSqlite } from '@loom-agent/journals/sqlite'
import { LoomError } from '@loom-agent/kernel'

/** Throws, and says what to use instead. It has the type of the Node function, so that programs compile alike under every resolution. */
export const sqlite: typeof nodeSqlite = (path) => {
  throw new LoomError('LOOM_OPTION_INVALID', `sqlite(${JSON.stringify(path)}) needs Node. Elsewhere, use memoryJournal() or a journal of your own.`, {
    context: { path },
  })
}
