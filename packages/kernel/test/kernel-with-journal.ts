/** The whole kernel and the journal in memory in one bundle: neither needs more than the language. */
import * as kernel from '../src/index.ts'

export { memoryJournal } from '../../agent/src/platform/memory-journal.ts'
export { kernel }
