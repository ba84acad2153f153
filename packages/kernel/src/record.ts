/**
 * The record: a batch as bytes, and events as they are placed in it.
 *
 * K18. Seq, run and turn are derived in one place, here, so that an event has the same place live and read back.
 */
import { type Draft, eventVersions, type LoomEvent, type Seq } from './event.ts'
import type { Batch } from './journal.ts'
import type { Json } from './json.ts'
import { upcast } from './upcast.ts'

/** Where the next event goes. */
export interface Place {
  readonly thread: string
  readonly seq: Seq
  readonly time: number
  readonly run?: string | undefined
  readonly turn?: number | undefined
}

/** Gives drafts their places, in order. */
export function place(start: Place, drafts: readonly Draft[]): readonly LoomEvent[] {
  let { seq, run, turn } = start
  return drafts.map((draft) => {
    if (draft.type === 'run.started') run = draft.data.run
    if (draft.type === 'turn.entered') turn = draft.data.turn
    const own = draft.type === 'run.queued' ? draft.data.run : run
    seq += 1
    const v = eventVersions[draft.type] ?? 1
    const { thread, time } = start
    return {
      v,
      type: draft.type,
      thread,
      seq: seq - 1,
      time,
      ...(own && { run: own }),
      ...(turn && { turn }),
      data: draft.data,
    } as LoomEvent
  })
}

/** A batch as one line of JSON. */
export function encodeBatch(batch: Batch): string {
  const { id, time, run, turn, epoch } = batch
  const events = batch.events.map(({ type, data }) => (eventVersions[type] ? [type, data, eventVersions[type]] : [type, data]))
  return JSON.stringify({ id, time, epoch, run, turn, events })
}

/** The events of an encoded batch whose first event is `seq`. */
export function decodeBatch(thread: string, seq: Seq, line: string): readonly LoomEvent[] {
  const { time, run, turn, events } = JSON.parse(line) as Pick<Batch, 'time' | 'run' | 'turn'> & {
    events: [Draft['type'], Json, number?][]
  }
  const current = events.map(([type, data, v = 1]) => upcast({ type, v, data }))
  const placed = place({ thread, seq, time, run, turn }, current as readonly Draft[])
  return placed.map((event, index) => ({ ...event, v: current[index]?.v ?? 1 }) as LoomEvent)
}
