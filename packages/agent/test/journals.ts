/** What tests need to look at a thread from outside. */
import type { Agent } from '@loom-agent/agent'
import { type EventOf, type EventType, type LoomEvent, readEvents } from '@loom-agent/kernel'

/** An agent of any kind, as far as its journal goes. */
export type Journaled = Pick<Agent, 'journal'>

/** Every event of a thread. */
export async function eventsOf({ journal }: Journaled, thread: string): Promise<readonly LoomEvent[]> {
  const events: LoomEvent[] = []
  for await (const event of readEvents(journal, thread)) events.push(event)
  return events
}

/** The events of one type. */
export async function factsOf<T extends EventType>(agent: Journaled, thread: string, type: T): Promise<readonly EventOf<T>[]> {
  return (await eventsOf(agent, thread)).flatMap((event) => (event.type === type ? [event as LoomEvent & EventOf<T>] : []))
}

/** The types of a thread's events, in order. */
export async function typesOf(agent: Journaled, thread: string): Promise<readonly string[]> {
  return (await eventsOf(agent, thread)).map(({ type }) => type)
}
