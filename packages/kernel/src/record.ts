/**
 * The record: a batch as bytes, and events as they are placed in it.
 *
 * RECORD-1. Seq, run and turn are derived in one place, here, so that an event has the same place live and read back.
 */
import type { Draft, LoomEvent, Seq } from './event.ts'
import type { Frame } from './frame.ts'
import type { Batch } from './journal.ts'
import { type Json, own } from './json.ts'
import { eventVersions, upcast } from './upcast.ts'

/** Where the next event goes. */
export type Place = Readonly<{ thread: string; seq: Seq; time: number; run?: string | undefined; turn?: number | undefined }>

/** A place that moves on with every event. */
export type MovingPlace = { -readonly [K in keyof Place]: Place[K] }

/** The place of the next event of a frame. */
export const nextPlace = ({ thread, seq, run, turn }: Frame, time: number): MovingPlace => ({ thread, seq: seq + 1, time, run: run?.id, turn })

/** Moves a place to where the next event of a frame goes. */
export function moveTo(place: MovingPlace, { seq, run, turn }: Frame, time: number): void {
  place.seq = seq + 1
  place.time = time
  place.run = run?.id
  place.turn = turn
}

/** Gives drafts their places, in order. */
export function place(start: Place, drafts: readonly Draft[]): readonly LoomEvent[] {
  const next = { ...start }
  return drafts.map((draft) => placeNext(next, draft))
}

/** Gives a draft the next place, and moves the place on. */
export function placeNext(next: MovingPlace, { type, data }: Draft, v: number = own(eventVersions, type) ?? 1): LoomEvent {
  if (type === 'run.started') next.run = data.run
  if (type === 'turn.entered') next.turn = data.turn
  const { thread, seq, time, turn } = next
  const run = type === 'run.queued' ? data.run : next.run
  next.seq += 1
  return { v, type, thread, seq, time, run, turn: turn || undefined, data } as LoomEvent
}

/** The version of the record. In version 1 the line had no number, and big texts were marked among the events. */
const recordVersion = 2

/** A batch as one line of JSON. The id and the version come first, so that a long line need not be parsed for them. */
export function encodeBatch(batch: Batch): string {
  const { id, time, run, turn, epoch } = batch
  const events = batch.events.map(({ type, data }) => (own(eventVersions, type) ? [type, data, eventVersions[type]] : [type, data]))
  return JSON.stringify({ id, v: recordVersion, time, epoch, run, turn, events })
}

/** The events of an encoded batch whose first event is `seq`. */
export function decodeBatch(thread: string, seq: Seq, line: string): readonly LoomEvent[] {
  const { time, run, turn, events } = JSON.parse(line) as Pick<Batch, 'time' | 'run' | 'turn'> & {
    events: [Draft['type'], Json, number?][]
  }
  const next = { thread, seq, time, run, turn }
  return events.map(([type, data, stored = 1]) => {
    const current = upcast({ type, v: stored, data })
    return placeNext(next, current as Draft, current.v)
  })
}
