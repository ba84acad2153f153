/** Ways to spoil a journal on purpose. */
import { type Draft, type EventData, type EventType, type LoomEvent, place } from '@loom-agent/kernel'
import type { HistoryRule } from '../../src/history/rules.ts'

/** Makes another journal of a journal. */
export type Edit = (events: readonly LoomEvent[]) => readonly LoomEvent[]

/** An event of a journal: the first of its type, or the n-th, counted from 0. */
export type Spot = EventType | readonly [EventType, number]

const indexOf = (events: readonly LoomEvent[], spot: Spot): number => {
  const [type, nth] = typeof spot === 'string' ? [spot, 0] : spot
  const found = events.flatMap((event, index) => (event.type === type ? [index] : []))[nth]
  if (found === undefined) throw new Error(`The journal has no ${type} number ${nth}.`)
  return found
}

/** Gives events their places again, so that nothing is wrong with them but what was meant to be. */
function placed(events: readonly LoomEvent[]): readonly LoomEvent[] {
  let run: string | undefined
  let turn: number | undefined
  const moved = new Map(events.map(({ seq }, index) => [seq, index + 1]))
  return events.flatMap((event, index) => {
    if (event.type === 'run.started') run = event.data.run
    const data =
      event.type === 'run.started' && 'queued' in event.data
        ? { ...event.data, queued: moved.get(event.data.queued) ?? event.data.queued }
        : event.data
    const { thread, time } = event
    const again = place({ thread, seq: index + 1, time, run, turn }, [{ ...event, data } as LoomEvent])
    turn = again[0]?.turn
    return again
  })
}

/** A change, the journal that is changed, and the rule that is broken then. */
export type Row = readonly [rule: HistoryRule, of: string, name: string, edit: Edit]

/** Changes a journal and looks no further than to one event. */
export const to =
  (edit: Edit, last: Spot): Edit =>
  (events) => {
    const edited = edit(events)
    return edited.slice(0, indexOf(edited, last) + 1)
  }

/** Leaves events out. */
export const drop =
  (...spots: readonly Spot[]): Edit =>
  (events) => {
    const gone = spots.map((spot) => indexOf(events, spot))
    return placed(events.filter((_event, index) => !gone.includes(index)))
  }

/** Leaves out everything from one event to another, both included. */
export const cut =
  (from: Spot, to: Spot): Edit =>
  (events) =>
    placed([...events.slice(0, indexOf(events, from)), ...events.slice(indexOf(events, to) + 1)])

/** Has an event happen twice. */
export const repeat =
  (spot: Spot): Edit =>
  (events) => {
    const index = indexOf(events, spot)
    return placed([...events.slice(0, index + 1), ...events.slice(index)])
  }

/** Puts in an event that did not happen. */
export const add =
  (draft: Draft, where: 'before' | 'after', spot: Spot): Edit =>
  (events) => {
    const index = indexOf(events, spot)
    const place = index + (where === 'after' ? 1 : 0)
    const added = { ...events[index], ...draft, seq: 0 } as LoomEvent
    return placed([...events.slice(0, place), added, ...events.slice(place)])
  }

/** Has an event happen earlier or later than it did. */
export const move =
  (spot: Spot, where: 'before' | 'after', target: Spot): Edit =>
  (events) => {
    const moved = events[indexOf(events, spot)] as LoomEvent
    const anchor = events[indexOf(events, target)] as LoomEvent
    const others = events.filter((event) => event !== moved)
    const place = others.indexOf(anchor) + (where === 'after' ? 1 : 0)
    return placed([...others.slice(0, place), moved, ...others.slice(place)])
  }

/** Changes the data of an event. */
export const alter =
  <T extends EventType>(spot: T | readonly [T, number], change: (data: Readonly<EventData[T]>) => EventData[T]): Edit =>
  (events) => {
    const index = indexOf(events, spot)
    const changed = { ...events[index], data: change(events[index]?.data as Readonly<EventData[T]>) } as LoomEvent
    return placed(events.map((event, other) => (other === index ? changed : event)))
  }

/** Puts another event in the place of one. */
export const become =
  (spot: Spot, draft: Draft): Edit =>
  (events) => {
    const index = indexOf(events, spot)
    return placed(events.map((event, other) => (other === index ? ({ ...event, ...draft } as LoomEvent) : event)))
  }

/** Changes the place of an event, without correcting the others. */
export const mark =
  (spot: Spot, change: (event: LoomEvent) => Partial<Pick<LoomEvent, 'thread' | 'seq' | 'time' | 'run' | 'turn'>>): Edit =>
  (events) => {
    const index = indexOf(events, spot)
    return events.map((event, other) => (other === index ? ({ ...event, ...change(event) } as LoomEvent) : event))
  }
