/** Where there is no Node there is no file to keep a journal in. */
import { type Journal, LoomError } from '@loom-agent/kernel'

/** Refuses, and says what to do instead. */
export function sqlite(path: string): Journal {
  throw new LoomError('LOOM_OPTION_INVALID', `sqlite(${JSON.stringify(path)}) needs Node. Elsewhere, use memoryJournal() or a journal of your own.`)
}
