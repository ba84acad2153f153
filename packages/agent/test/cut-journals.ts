/** Journals cut short: what a new process finds when the one before died after any event. */
import { memoryJournal } from '@loom-agent/agent'
import { type Journal, type LoomEvent, readEvents } from '@loom-agent/kernel'

/** The events of every thread of a journal. */
export async function threadsOf(journal: Journal): Promise<ReadonlyMap<string, readonly LoomEvent[]>> {
  const threads = new Map<string, LoomEvent[]>()
  for (const { thread } of await journal.threads()) {
    const events: LoomEvent[] = []
    for await (const event of readEvents(journal, thread)) events.push(event)
    threads.set(thread, events)
  }
  return threads
}

/** Appends events one by one to a fresh thread. The drivers that they name are gone. */
export async function retell(journal: Journal, thread: string, events: readonly LoomEvent[]): Promise<void> {
  const [first] = events
  const incarnation = (first?.type === 'thread.started' && first.data.incarnation) || thread
  let epoch = 0
  let run: string | undefined
  let turn: number | undefined
  for (const [index, { type, data, time, ...place }] of events.entries()) {
    if (type === 'driver.acquired') ({ epoch } = await journal.acquire(thread, { worker: 'gone', incarnation, seen: epoch, force: true }))
    const draft = { type, data } as LoomEvent
    const batch = { id: `copy ${index}`, incarnation, expected: index, time, run, turn, events: [draft], summary: { status: 'running' as const } }
    const { kind } = await journal.append(thread, batch)
    if (kind !== 'appended') throw new Error(`${thread}@${index + 1} could not be copied: ${kind}.`)
    if (type === 'run.started') run = place.run
    turn = place.turn
  }
  await journal.release(thread, { epoch, incarnation })
}

/** A copy of a journal in which one thread ends after its nth event. Children that had not been started by then do not exist. */
export async function cutAfter(threads: ReadonlyMap<string, readonly LoomEvent[]>, thread: string, events: number): Promise<Journal> {
  const journal = memoryJournal()
  const kept = (threads.get(thread) ?? []).slice(0, events)
  const children = new Set(kept.flatMap((event) => (event.type === 'child.started' ? [event.data.child] : [])))
  await retell(journal, thread, kept)
  for (const [other, all] of threads) {
    const parent = all[0]?.type === 'thread.started' ? all[0].data.parent?.thread : undefined
    // Ancestors of the cut thread are there in full; descendants, if they had been started.
    if (other !== thread && (parent !== thread || children.has(other))) await retell(journal, other, all)
  }
  return journal
}
