/**
 * The times of a recorded thread without chance: how long an append, a model or a tool took.
 *
 * RECORDED-14. What came before a moment that the thread waits for (the end of a sleep, an expiry, a next attempt, a limit of time) comes before it in the
 *     fixture too, and what came after it comes after it: a replay with the agent as it was decides alike at every event.
 */
import { emptyFrame, evolve, type Frame, items, type JsonObject, type LoomEvent } from '@loom-agent/kernel'

/** When every recorded thread begins: 1 January 2001. */
const firstTime = 978_307_200_000
/** Shorter pauses between two events are chance, in milliseconds; longer ones are kept in whole seconds. */
const shortest = 1000
/** Milliseconds that an event keeps from a moment, where there is room: a replay computes the moment anew, and may come to a slightly other one. */
const distance = 1000

/** The thread as it was, and as it is with other times. */
interface Timelines {
  readonly real: Frame
  readonly quiet: Frame
}

/** The same events with times that show only what means something. */
export function quietTimes(events: readonly LoomEvent[]): readonly LoomEvent[] {
  const [first] = events
  if (!first) return []
  let timelines: Timelines = { real: { ...emptyFrame(first.thread), time: first.time }, quiet: { ...emptyFrame(first.thread), time: firstTime } }
  return events.map((event) => {
    const quiet = withQuietTimes(timelines, event)
    timelines = { real: evolve(timelines.real, event), quiet: evolve(timelines.quiet, quiet) }
    return quiet
  })
}

/** An event at its quiet time. The moments that it names are those that are known, or as far away as they were. */
function withQuietTimes(timelines: Timelines, event: LoomEvent): LoomEvent {
  const waits = waitsIn(timelines)
  const time = quietTimeOf(timelines, event.time, waits)
  const { ms, stages: _stages, ...rest } = event.data as JsonObject
  const known = new Map(waits.map(({ real, quiet }) => [real, quiet]))
  const momentOf = (real: number): number => known.get(real) ?? time + roundUp(real - event.time)
  const named = ['until', 'expires', 'retryAt'].flatMap((key) => {
    const moment = rest[key]
    return typeof moment === 'number' ? [[key, momentOf(moment)] as const] : []
  })
  const took = typeof ms === 'number' && ms >= shortest ? { ms: Math.round(ms / 1000) * 1000 } : {}
  return { ...event, time, data: { ...rest, ...Object.fromEntries(named), ...took } } as LoomEvent
}

/** Between the time that was given to a moment and the event that names it, a few milliseconds may have passed. */
function roundUp(delay: number): number {
  const unit = delay < 1000 ? 10 : delay < 60_000 ? 100 : 1000
  return Math.ceil(delay / unit) * unit
}

/** A moment that a thread waits for, on both timelines. */
interface Wait {
  readonly real: number
  readonly quiet: number
}

/** The quiet time of an event that came at a real time (RECORDED-14). An input has the time of another clock: after it, the time of the driver is what it was. */
function quietTimeOf({ real, quiet }: Timelines, time: number, waits: readonly Wait[]): number {
  const pause = time - real.time
  const natural = quiet.time + (Math.abs(pause) >= shortest ? Math.round(pause / 1000) * 1000 : 0)
  const passed = Math.max(...waits.filter((wait) => wait.real <= time).map((wait) => wait.quiet))
  const next = Math.min(...waits.filter((wait) => wait.real > time).map((wait) => wait.quiet))
  const after = passed + Math.min(distance, Math.floor((next - passed) / 2))
  const room = Math.ceil((next - Math.max(passed, quiet.time)) / 2)
  const before = next - Math.max(1, Math.min(distance, room))
  return Math.min(Math.max(natural, after), before)
}

/** What the thread waits for. */
function waitsIn({ real, quiet }: Timelines): readonly Wait[] {
  const known = momentsOf(quiet)
  return [...momentsOf(real)].flatMap(([name, moment]) => {
    const other = known.get(name)
    return other === undefined ? [] : [{ real: moment, quiet: other }]
  })
}

/** The moments that are open in a frame, by what waits for them. */
function momentsOf({ run, questions }: Frame): ReadonlyMap<string, number> {
  const moments = new Map<string, number>()
  const add = (name: string, moment: number | undefined): void => {
    if (moment !== undefined) moments.set(name, moment)
  }
  for (const { id, expires } of Object.values(questions)) add(`question ${id}`, expires)
  if (!run) return moments
  for (const call of items(run.calls)) for (const { key, until } of call.open) add(`step ${call.id} ${key}`, until)
  add('run', run.until)
  add('attempt', run.retryAt)
  const { time } = run.limits
  if (time !== undefined && run.since !== undefined) add('limit', run.since + time - run.driven)
  return moments
}
