/** Groups events into batches again: events that were appended together have the same time, and their run and turn follow from the events before. */
import { type Batch, canonicalJson, type Journal, type Json, type LoomEvent, place } from '@loom-agent/kernel'
import { damage, journalError } from '../storage/failure.ts'
import { versionOf } from './import-parts.ts'

/** Events of one append, with their time, run and turn. */
export type Placed = Pick<Batch, 'time' | 'run' | 'turn'> & { readonly events: readonly LoomEvent[] }

/** A seq of a thread, and the run and the turn in force after it. */
export type PlaceInThread = Pick<LoomEvent, 'seq' | 'run' | 'turn'>

/** The place after an event. A queued run is not in force yet. */
export function placeAfter({ run }: PlaceInThread, event: LoomEvent): PlaceInThread {
  return { seq: event.seq, run: event.type === 'run.queued' ? run : event.run, turn: event.turn }
}

/** The most events in one batch. */
const batchLimit = 500

/** Events of one incarnation of a thread. */
export type EventRange = Readonly<{ first: number; last: number; incarnation: string }>

/** The events from `first` to `last`, page by page. Throws when the thread was removed, also if another one has its name. */
export async function* eventsBetween(journal: Journal, thread: string, range: EventRange): AsyncGenerator<LoomEvent, void> {
  const { first, last, incarnation } = range
  let next = first
  while (next <= last) {
    const page = await journal.read(thread, { from: next, incarnation })
    if (page.length === 0) throw damage(thread, next, 'its end is missing')
    for (const event of page) {
      if (event.seq > last) return
      if (event.seq !== next) throw damage(thread, next, `the event ${event.seq} is in its place`)
      yield event
      next += 1
    }
  }
}

/** An event without its thread as text, for comparing. */
export function textOf({ v, type, seq, time, run, turn, data }: LoomEvent): string {
  return canonicalJson({ v, type, seq, time, run, turn, data: data as Json })
}

/** Groups events so that each gets its run, turn and time when they are appended. */
export async function* batchesIn(events: AsyncIterable<LoomEvent> | Iterable<LoomEvent>): AsyncGenerator<Placed, void> {
  let batch: LoomEvent[] = []
  let start: Omit<Placed, 'events'> = { time: 0 }
  let run: string | undefined
  let turn: number | undefined
  for await (const event of events) {
    checkEvent(event)
    const isSameBatch = batch.length > 0 && batch.length < batchLimit && start.time === event.time && follows(event, run, turn)
    if (!isSameBatch) {
      if (batch.length > 0) yield { ...start, events: batch }
      batch = []
      start = { time: event.time, run: event.type === 'run.queued' ? run : event.run, turn: event.turn }
    }
    batch.push(event)
    // The event of a queued run does not belong to the current run.
    if (event.type !== 'run.queued') run = event.run
    turn = event.turn
  }
  if (batch.length > 0) yield { ...start, events: batch }
}

function follows(event: LoomEvent, run: string | undefined, turn: number | undefined): boolean {
  const { thread, seq, time } = event
  return place({ thread, seq, time, run, turn }, [event]).every((placed) => placed.run === event.run && placed.turn === event.turn)
}

function checkEvent({ thread, seq, type, v }: LoomEvent): void {
  if (v === versionOf(type)) return
  const advice = 'Migrate it with the version that wrote it.'
  const message = `The event ${thread}@${seq} has version ${v} of ${type}, which this version of Loom cannot write. ${advice}`
  throw journalError('unusable', message, { context: { thread, seq } })
}
