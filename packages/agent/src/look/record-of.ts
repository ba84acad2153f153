/** Reading the whole record of a thread that must be there. */
import { type Journal, type LoomEvent, readEvents } from '@loom-agent/kernel'
import { requireJournal } from '../platform/require-journal.ts'
import { checkThread, threadNotFound } from '../types/thread-id.ts'

/** Refuses what is no journal, such as an agent, and what cannot name a thread. */
export function checkRead(journal: Journal, thread: string): void {
  requireJournal('reading a thread', journal)
  checkThread(thread)
}

/** The events of a thread; throws when there is no such thread. */
export async function* recordOf(journal: Journal, thread: string): AsyncGenerator<LoomEvent, void> {
  checkRead(journal, thread)
  let isEmpty = true
  for await (const event of readEvents(journal, thread)) {
    isEmpty = false
    yield event
  }
  if (isEmpty) throw threadNotFound(thread)
}
