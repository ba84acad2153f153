/**
 * Fixtures: a thread and its children as they were, in a form that a test can keep.
 *
 * RECORDED-1. A fixture holds what happened and nothing else: no dependencies, no code, no secrets that the redaction knows.
 * RECORDED-2. Events are kept as they were read, so a fixture of today is upcast tomorrow like any journal.
 */
import { readFileSync } from 'node:fs'
import { type Draft, type Json, type JsonObject, type Limits, LoomError, type LoomEvent, place, upcast } from '@loom-agent/kernel'

/** The format that this version writes and reads. */
export const fixtureFormat = 1

/** An event without what follows from its place, and without its time where that is the time of the event before. */
export type FixtureEvent = Readonly<{ type: LoomEvent['type']; time?: number; data: LoomEvent['data']; v?: number }>

/** What the model was sent in a turn, rendered when the fixture was written: what came since the request before, or everything after a rebase. */
export interface FixtureRequest {
  readonly turn: number
  readonly rebased?: true
  readonly messages: readonly Json[]
  readonly settings: JsonObject
}

/** One recorded thread. */
export interface FixtureThread {
  readonly thread: string
  readonly events: readonly FixtureEvent[]
  readonly requests: readonly FixtureRequest[]
  /** The thread is not replayed: a fork takes results from it. */
  readonly isPast?: true
}

/** What a run was given besides what its agent has. */
export interface GivenToRun {
  readonly settings?: JsonObject
  readonly limits?: Limits
}

/** A recorded thread and its children. */
export interface Fixture {
  /** The version of the format. */
  readonly format: typeof fixtureFormat
  /** The name of the root thread. */
  readonly thread: string
  /** The name of its agent. */
  readonly agent: string
  /** What runs of the root were given, by run. */
  readonly given?: { readonly [run: string]: GivenToRun }
  /** The file of the parts that this fixture shares with others of its agent: they are named where they stand. */
  readonly shared?: string
  /** Blobs in base64, by hash. */
  readonly blobs?: { readonly [hash: string]: string }
  /** The recorded threads, the root first. */
  readonly threads: readonly FixtureThread[]
}

/** A fixture, parsed already or where its file is. */
export type FixtureSource = Fixture | URL | { readonly [key: string]: unknown }

/** Reads a fixture; throws when it is none, or of another format. */
export function readFixture(source: FixtureSource): Fixture {
  const read: unknown = source instanceof URL ? JSON.parse(readFileSync(source, 'utf8')) : source
  const { format, threads } = (typeof read === 'object' && read !== null ? read : {}) as Partial<Fixture>
  if (format !== fixtureFormat || !Array.isArray(threads) || threads.length === 0) {
    const what = format === undefined ? 'This is no fixture' : `This fixture has the format ${String(format)}`
    throw new LoomError('LOOM_OPTION_INVALID', `${what}; format ${fixtureFormat} is read. Write it again with writeRegression.`, {
      context: { format: String(format) },
    })
  }
  return read as Fixture
}

/** The events of a recorded thread with their places. */
export function eventsIn({ thread, events }: FixtureThread): readonly LoomEvent[] {
  const placed: LoomEvent[] = []
  let run: string | undefined
  let turn: number | undefined
  let time = 0
  for (const { type, v = 1, data, time: moment = time } of events) {
    time = moment
    const current = upcast({ type, v, data: data as Json })
    const [event] = place({ thread, seq: placed.length + 1, time, run, turn }, [current as object as Draft])
    if (!event) continue
    placed.push({ ...event, v: current.v })
    if (type !== 'run.queued') run = event.run
    turn = event.turn
  }
  return placed
}

/** Events as they are kept. */
export function keptEvents(events: readonly LoomEvent[]): readonly FixtureEvent[] {
  return events.map(({ type, v, time, data }, index) => ({ type, ...(time !== events[index - 1]?.time && { time }), ...(v !== 1 && { v }), data }))
}

/** A fixture as text: an event a line, so that a change of it can be read. */
export function fixtureText({ threads, ...rest }: Fixture): string {
  const list = (items: readonly unknown[], indent: string): string =>
    items.length === 0 ? '[]' : `[\n${items.map((item) => `${indent}  ${JSON.stringify(item)}`).join(',\n')}\n${indent}]`
  const shown = threads.map(({ thread, isPast, events, requests }) => {
    const name = `"thread": ${JSON.stringify(thread)}${isPast ? ', "isPast": true' : ''}`
    const fields = [name, `"events": ${list(events, '      ')}`, `"requests": ${list(requests, '      ')}`]
    return `    {\n${fields.map((field) => `      ${field}`).join(',\n')}\n    }`
  })
  return `${JSON.stringify(rest, null, 2).slice(0, -2)},\n  "threads": [\n${shown.join(',\n')}\n  ]\n}\n`
}
