/** What the program of the purity test uses, in one bundle: neither the kernel nor the journal in memory needs more than the language. */
export { memoryJournal } from '../../agent/src/platform/memory-journal.ts'
export { decide, emptyFrame, evolve, fold, frameAt, frames, place, tt } from '../src/index.ts'
