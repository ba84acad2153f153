/** What tests read of a journal. */
import { type Journal, type Json, type LoomEvent, readEvents } from '@loom-agent/kernel'

/** Everything that comes. */
export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** All events of a thread. */
export function eventsOf(journal: Journal, thread: string): Promise<readonly LoomEvent[]> {
  return allOf(readEvents(journal, thread))
}

/** The values of the facts of a thread. */
export async function valuesOf(journal: Journal, thread: string): Promise<readonly Json[]> {
  return (await eventsOf(journal, thread)).map((event) => (event.type === 'memory.recorded' ? event.data.value : event.type))
}
