/** What a user says about a schedule, checked and made a fact. */
import type { Input, ModelSettings } from '@loom-agent/agent'
import { checkOptions, type Expected, expected, type Shape, toMessages } from '@loom-agent/agent/kit'
import { canonicalJson, type Json, type JsonObject, type Limits, type ScheduleSet, type Timing } from '@loom-agent/kernel'
import { dueTimes, scheduleInvalid } from './due-times.ts'
import type { Missed } from './plan-due.ts'

/** A schedule: when it is due, and what it starts then. */
export interface ScheduleOptions {
  /** The name of the agent whose runs it starts. */
  readonly agent: string
  /** What each run is asked. */
  readonly input: Input
  /** The one moment at which it is due, in milliseconds since 1970; or `every`. */
  readonly at?: number | undefined
  /** A cron expression such as `0 8 * * 1-5`, or the time between two runs such as `90s`, `15m`, `24h` or `7d`. */
  readonly every?: string | undefined
  /** The time zone of a cron expression, such as `Europe/Berlin`; default `UTC`. */
  readonly zone?: string | undefined
  /** The last moment at which `every` may be due, in milliseconds since 1970. */
  readonly until?: number | undefined
  /** The thread of all its runs; default: each run has a new one, named after the schedule and the due time. */
  readonly thread?: string | undefined
  /** What happens when that thread is busy; default `queue`. With `reject`, the due time is recorded as one that could not be started. */
  readonly whenBusy?: 'queue' | 'steer' | 'reject' | undefined
  /** Limits of each run. */
  readonly limits?: Limits | undefined
  /** Settings of the model for each run. */
  readonly settings?: ModelSettings | undefined
  /** Journaled with each run, beside `schedule` and `due`. */
  readonly metadata?: { readonly [key: string]: unknown } | undefined
  /** What happens to due times that nobody was there to start: none, the last one (default) or all of them are started. */
  readonly missed?: Missed | undefined
  /** With `missed: 'all'`: how many are started at most, the latest ones; default 10, at most 1,000. */
  readonly most?: number | undefined
  /** Milliseconds after which a due time counts as missed; default 60,000. */
  readonly grace?: number | undefined
  /** Whether it is not due until somebody lets it go on. */
  readonly paused?: boolean | undefined
  /** Who sets it. */
  readonly by?: string | undefined
}

const shape: Shape & Record<keyof ScheduleOptions, Expected> = {
  agent: expected.required(expected.name),
  input: expected.required(expected.anything),
  at: expected.whole(0),
  every: expected.name,
  zone: expected.name,
  until: expected.whole(0),
  thread: expected.name,
  whenBusy: expected.oneOf('queue', 'steer', 'reject'),
  limits: expected.object,
  settings: expected.object,
  metadata: expected.object,
  missed: expected.oneOf('skip', 'once', 'all'),
  most: { words: 'a whole number from 1 to 1000', fits: (value) => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= 1000 },
  grace: expected.whole(0),
  paused: expected.flag,
  by: expected.text,
}

/** Bytes of what a schedule starts. */
const longestStart = 256 * 1024
const namePattern = /^[A-Za-z0-9][\w./-]{0,99}$/
const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Refuses what cannot name a schedule. */
export function checkName(name: string): void {
  if (typeof name === 'string' && namePattern.test(name)) return
  const given = String(name).slice(0, 80)
  throw scheduleInvalid(`its name is ${JSON.stringify(given)}. Give 1 to 100 letters, digits and . _ / -, with a letter or a digit first.`, {
    name: given,
  })
}

/** A schedule as a fact, set at a moment. Throws `LOOM_SCHEDULE_INVALID` or `LOOM_OPTION_INVALID`. */
export function toSchedule(name: string, options: ScheduleOptions, now: number): ScheduleSet {
  checkName(name)
  checkOptions(`the schedule ${name}`, options, shape)
  const { agent, input, thread, whenBusy, limits, settings, metadata, missed = 'once', most = 10, grace = 60_000, paused, by } = options
  const start = present({ input: inputOf(input), thread, whenBusy, limits, settings, metadata }) as ScheduleSet['start']
  const bytes = new TextEncoder().encode(canonicalJson(start as JsonObject)).length
  if (bytes > longestStart)
    throw scheduleInvalid(`what it starts has ${bytes} bytes, and ${longestStart} may be kept. Keep large values elsewhere.`, { bytes })
  const timing = timingOf(options, now)
  if (dueTimes(timing).next(now) === undefined)
    throw scheduleInvalid('it would never be due. Give a moment that is still to come.', { now: String(now) })
  return { name, agent, timing, start, missed, most, grace, from: now, ...(paused && { paused }), ...(by !== undefined && { by }) }
}

/** The fields that are there, as JSON has them. */
const present = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** An input that is the same as JSON. */
function inputOf(input: Input): unknown {
  const kept = present(input)
  const isSaid = canonicalJson(toMessages(input) as readonly Json[]) === canonicalJson(toMessages(kept as Input) as readonly Json[])
  if (isSaid) return kept
  throw scheduleInvalid('its input has bytes or values that are not the same as JSON. Give texts, addresses and base64.', {})
}

function timingOf({ at, every, zone, until }: ScheduleOptions, now: number): Timing {
  if ((at === undefined) === (every === undefined)) throw scheduleInvalid('it needs at or every, and not both.', {})
  if (every === undefined) {
    if (zone !== undefined || until !== undefined) throw scheduleInvalid('zone and until belong to every.', {})
    return { at: at ?? now }
  }
  const end = until === undefined ? {} : { until }
  const [, digits, unit = ''] = /^(\d{1,7})([smhd])$/.exec(every) ?? []
  if (digits === undefined) return { cron: every.trim(), zone: zone ?? 'UTC', ...end }
  if (zone !== undefined)
    throw scheduleInvalid('an interval has no time zone. Give a cron expression, or leave zone out.', { zone: zone.slice(0, 80) })
  return { interval: Number(digits) * (units[unit] ?? 1), from: now, ...end }
}

/** Whether two facts are the same schedule: set again without a change, it goes on as it is. */
export function isSame(one: ScheduleSet, other: ScheduleSet): boolean {
  return canonicalJson(substance(one)) === canonicalJson(substance(other))
}

function substance({ name, agent, timing, start, missed, most, grace, paused }: ScheduleSet): JsonObject {
  const rhythm = 'interval' in timing ? { ...timing, from: 0 } : timing
  return { name, agent, timing: rhythm, start: start as JsonObject, missed, most, grace, ...(paused && { paused }) }
}
