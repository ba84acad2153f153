/** The kernel and the journal in memory in one bundle: neither needs more than the language. */
export { memoryJournal } from '../../agent/src/platform/memory-journal.ts'
export * from '../src/index.ts'
