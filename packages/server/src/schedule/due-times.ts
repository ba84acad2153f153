/**
 * The due times of a schedule: pure functions of its timing. What the time is now is given to them.
 *
 * DUE-1. A due time is an instant. The same timing has the same due times in every process, whatever its clock and its time zone are.
 * DUE-2. A wall-clock time that the zone skips in spring is due at the first instant after the gap; one that it has twice in autumn is due once, at the
 *        first of the two. A pattern for every hour or minute is due in each hour and minute that there is.
 * DUE-3. However many due times lie between two instants, no more are computed than are asked for.
 */
import { LoomError, type Timing } from '@loom-agent/kernel'
import { Cron } from 'croner'

/** Finds due times. */
export interface DueTimes {
  /** The first one after an instant. */
  next(after: number): number | undefined
  /** The latest ones after an instant and not after another, at most so many, the oldest first. */
  latest(range: { readonly after: number; readonly to: number; readonly most: number }): readonly number[]
}

const second = 1000
/** Milliseconds that an interval has at least: more often, a schedule would only be a loop. */
const shortestInterval = second
const longestPattern = 200
const nicknames = /^@(yearly|annually|monthly|weekly|daily|hourly)$/

/** The error for a schedule that cannot be. */
export function scheduleInvalid(problem: string, context: Readonly<Record<string, string | number>>): LoomError {
  return new LoomError('LOOM_SCHEDULE_INVALID', `This cannot be a schedule: ${problem}`, { context })
}

function cronOf(pattern: string, zone: string): Cron {
  const shownPattern = pattern.slice(0, 80)
  const parts = pattern.trim().split(/\s+/).length
  if (pattern.length > longestPattern || (!nicknames.test(pattern.trim()) && parts !== 5 && parts !== 6)) {
    throw scheduleInvalid(`"${shownPattern}" is no cron expression. Give minute, hour, day, month and weekday, such as "0 8 * * 1-5".`, {
      cron: shownPattern,
    })
  }
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
  } catch {
    throw scheduleInvalid(`there is no time zone "${zone.slice(0, 80)}". Give a name such as "Europe/Berlin" or "UTC".`, { zone: zone.slice(0, 80) })
  }
  try {
    return new Cron(pattern.trim(), { timezone: zone, paused: true })
  } catch (error) {
    const why = (error as Error).message.replace(/^Cron\w+: /, '').slice(0, 200)
    throw scheduleInvalid(`"${shownPattern}" is no cron expression: ${why}`, { cron: shownPattern })
  }
}

function ofCron({ cron, zone }: { readonly cron: string; readonly zone: string }): DueTimes {
  const found = cronOf(cron, zone)
  return {
    next: (after) => found.nextRun(new Date(after))?.getTime(),
    latest({ after, to, most }) {
      // It looks for times before the second of the given instant.
      const before = new Date((Math.floor(to / second) + 1) * second)
      const times = found.previousRuns(most, before).map((time) => time.getTime())
      return times.filter((time) => time > after && time <= to).reverse()
    },
  }
}

function ofInterval({ interval, from }: { readonly interval: number; readonly from: number }): DueTimes {
  const next = (after: number): number => from + Math.max(1, Math.floor((after - from) / interval) + 1) * interval
  return {
    next,
    latest({ after, to, most }) {
      const last = from + Math.floor((to - from) / interval) * interval
      const first = Math.max(next(after), last - (most - 1) * interval)
      return first > last ? [] : Array.from({ length: (last - first) / interval + 1 }, (_, index) => first + index * interval)
    },
  }
}

const ofMoment = (at: number): DueTimes => ({
  next: (after) => (at > after ? at : undefined),
  latest: ({ after, to, most }) => (at > after && at <= to && most > 0 ? [at] : []),
})

/** The same due times up to an instant. */
function upTo({ next, latest }: DueTimes, until: number): DueTimes {
  return {
    next(after) {
      const time = next(after)
      return time === undefined || time > until ? undefined : time
    },
    latest: ({ to, ...range }) => latest({ ...range, to: Math.min(to, until) }),
  }
}

const isInstant = (value: number): boolean => Number.isSafeInteger(value) && value >= 0 && value <= 8.64e15

/** The due times of a timing. Throws `LOOM_SCHEDULE_INVALID` where there can be none. */
export function dueTimes(timing: Timing): DueTimes {
  if ('at' in timing) {
    if (!isInstant(timing.at)) throw scheduleInvalid(`at is ${timing.at}. Give milliseconds since 1970.`, { at: String(timing.at) })
    return ofMoment(timing.at)
  }
  const { until } = timing
  if (until !== undefined && !isInstant(until)) throw scheduleInvalid(`until is ${until}. Give milliseconds since 1970.`, { until: String(until) })
  if ('interval' in timing && (!isInstant(timing.interval) || timing.interval < shortestInterval)) {
    const { interval } = timing
    throw scheduleInvalid(`its interval is ${interval} ms. Give a whole number of milliseconds, at least ${shortestInterval}.`, {
      interval: String(interval),
    })
  }
  const times = 'cron' in timing ? ofCron(timing) : ofInterval(timing)
  return until === undefined ? times : upTo(times, until)
}
