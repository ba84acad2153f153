/**
 * Fixtures: a thread and its children as they were, in a form that a test can keep.
 *
 * RECORDED-1. A fixture holds what happened and nothing else: no dependencies, no code, no secrets that the redaction knows.
 * RECORDED-2. Events are kept as they were read, so a fixture of today is upcast tomorrow like any journal.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
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
  checkSource(source)
  const name = source instanceof URL ? fileURLToPath(source) : 'This'
  const read = source instanceof URL ? readJson(source) : source
  const { format, threads, parts } = (typeof read === 'object' && read !== null ? read : {}) as Partial<Fixture> & { readonly parts?: object }
  if (parts) refuse(`${name} holds what the runs of an agent share, and no run. Give it to assertSameAgent.`)
  if (format === undefined) refuse(`${name} is no fixture. Write one with writeRegression.`)
  if (format !== fixtureFormat)
    refuse(`${name} has the format ${String(format)}; format ${fixtureFormat} is read. Write it again with writeRegression.`)
  if (!Array.isArray(threads) || threads.length === 0) refuse(`${name} has no threads. Write it again with writeRegression.`)
  return read as Fixture
}

/** A path is a text, and a text is taken for a path by mistake only: it depends on the folder that a test is run in. */
function checkSource(source: unknown): void {
  if (typeof source !== 'string') return
  refuse(`${JSON.stringify(source)} is a text. Give the URL of the file, as in new URL('./name.json', import.meta.url).`)
}

/** The JSON of a file; throws when it is missing or broken. */
export function readJson(source: URL): unknown {
  checkSource(source)
  const path = fileURLToPath(source)
  let text = ''
  try {
    text = readFileSync(source, 'utf8')
  } catch (cause) {
    refuse(`${path} cannot be read: ${messageOf(cause)}. Commit the file with its test, or write it again with writeRegression.`, cause)
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    return refuse(`${path} is not JSON: ${messageOf(cause)}. Look for a merge conflict, or write it again with writeRegression.`, cause)
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function refuse(problem: string, cause?: unknown): never {
  throw new LoomError('LOOM_OPTION_INVALID', problem, { ...(cause !== undefined && { cause }), context: { option: 'fixture' } })
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
