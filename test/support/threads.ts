/** What tests need to look at a thread from outside. */
import { type EventOf, type EventType, type Journal, type LoomEvent, readEvents } from '@loom-agent/kernel'

/** A journal, or an agent of any kind, as far as its journal goes. */
export type Journaled = Journal | { readonly journal: Journal }

const journalOf = (where: Journaled): Journal => ('journal' in where ? where.journal : where)

/** Every event of a thread. */
export const eventsOf = (where: Journaled, thread: string): Promise<readonly LoomEvent[]> => Array.fromAsync(readEvents(journalOf(where), thread))

/** The events of one type. */
export async function factsOf<T extends EventType>(where: Journaled, thread: string, type: T): Promise<readonly EventOf<T>[]> {
  return (await eventsOf(where, thread)).flatMap((event) => (event.type === type ? [event as LoomEvent & EventOf<T>] : []))
}

/** The types of a thread's events, in order. */
export async function typesOf(where: Journaled, thread: string): Promise<readonly string[]> {
  return (await eventsOf(where, thread)).map(({ type }) => type)
}

/** The journal as it is for others when the process that holds its threads is gone: every thread can be taken. */
export const abandoned = (journal: Journal): Journal => ({
  ...journal,
  acquire: (thread, claim) => journal.acquire(thread, { ...claim, force: true }),
})

/** Removes a thread whose driver counts as gone, because it sends no heartbeats, and is not. */
export async function removeFrozen(journal: Journal, thread: string): Promise<void> {
  const head = await journal.head(thread)
  if (head) await journal.release(thread, head)
  await journal.remove(thread)
}
