/** Reading the events of a thread. */
import { readEvents as eventsOf, type Journal, type LoomEvent, type ReadRange } from '@loom-agent/kernel'
import { requireJournal } from '../platform/require-journal.ts'

/**
 * Every event of a thread from `from` on, in pages of at most `limit`. All are of one incarnation: when that is removed meanwhile, the next page throws
 * `LOOM_THREAD_NOT_FOUND`.
 *
 * @example
 * for await (const event of readEvents(journal, 'user-123')) console.log(event.seq, event.type)
 */
export async function* readEvents(journal: Journal, thread: string, range: ReadRange = {}): AsyncGenerator<LoomEvent, void> {
  requireJournal('readEvents', journal)
  yield* eventsOf(journal, thread, range)
}
