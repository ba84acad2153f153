/** The events of a thread, all at once: a judge has time. */
import { type Journal, type LoomEvent, readEvents } from '@loom-agent/kernel'

/** All events of a thread. */
export async function eventsOf(journal: Journal, thread: string): Promise<readonly LoomEvent[]> {
  const events: LoomEvent[] = []
  for await (const event of readEvents(journal, thread)) events.push(event)
  return events
}
