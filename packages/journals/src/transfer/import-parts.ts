/** The parts of an exported thread, in every format of its lines. */
import {
  decodeBatch,
  type EventType,
  eventVersions,
  type ForkOf,
  isLoomError,
  type LoomError,
  type LoomEvent,
  own,
  type Summary,
} from '@loom-agent/kernel'
import { journalError } from '../storage/failure.ts'
import { amount, count, maybe, name, positive } from './event-fields.ts'
import { shapeProblem } from './event-shapes.ts'

/** A thread starts, has events and blobs, and is whole. `isNeeded`: it is there because the exported thread needs it. `line` is where it was read. */
export type ImportPart = Readonly<{ line?: number }> &
  (
    | Readonly<{ kind: 'thread'; thread: string; incarnation: string; forkOf?: ForkOf | undefined; isNeeded: boolean }>
    | Readonly<{ kind: 'events'; events: readonly LoomEvent[]; blobs: ReadonlyMap<string, Uint8Array> }>
    | Readonly<{ kind: 'whole'; epoch: number; summary: Summary }>
  )

/** A part of one kind. */
export type PartOf<K extends ImportPart['kind']> = Extract<ImportPart, { readonly kind: K }>

/** Lines of text, with or without line ends. */
export type Lines = AsyncIterable<string> | Iterable<string>

/** No thread is acquired more often than this: Loom did not write a larger number. */
const epochLimit = 100_000

/** How many lines an import has read. */
export interface Reading {
  line: number
}

/** The error for the line that was read last. */
export function broken({ line }: Reading, what: string): LoomError {
  const advice = 'Nothing of it was kept. Export the thread again.'
  const message = line === 0 ? 'There are no lines of an exported thread.' : `The exported thread is damaged at line ${line}: ${what}.`
  return journalError('damaged', `${message} ${advice}`, { context: { line } })
}

/** The version in which this version of Loom writes a type of event; of an unknown type, the first. */
export function versionOf(type: EventType): number {
  return own(eventVersions, type) ?? 1
}

/** Does work on a line; what it throws that is no error of Loom is about the line. */
export function orBroken<T>(reading: Reading, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw isLoomError(error) ? error : broken(reading, 'it cannot be read')
  }
}

/** A batch as it is in a line. */
type RawBatch = Readonly<{ v?: unknown; time?: unknown; epoch?: unknown; run?: unknown; turn?: unknown; events?: unknown }>

/** Why a line is no batch; undefined if it is one. */
function batchProblem({ v, time, epoch, run, turn, events }: RawBatch): string | undefined {
  if (v !== undefined && v !== 2) return 'its version is not known'
  if (!amount(time) || !maybe(isEpoch)(epoch) || !maybe(name)(run) || !maybe(count)(turn)) return 'its time, epoch, run or turn is not one'
  return Array.isArray(events) && events.length > 0 && events.every(isRawEvent) ? undefined : 'its events are not a list of events'
}

const isRawEvent = (event: unknown): boolean =>
  Array.isArray(event) && (event.length === 2 || event.length === 3) && typeof event[0] === 'string' && maybe(positive)(event[2])

/** The events of a batch. The hash proves that nothing was changed by accident, not that Loom wrote the line (IMPORT-9). */
export function eventsOf(reading: Reading, { thread, seq, line }: { thread: string; seq: number; line: string }): readonly LoomEvent[] {
  return orBroken(reading, () => {
    const problem = batchProblem(JSON.parse(line) as RawBatch)
    if (problem !== undefined) throw broken(reading, `a line is no batch: ${problem}`)
    const events = decodeBatch(thread, seq, line)
    for (const event of events) {
      const wrong = event.v === versionOf(event.type) ? shapeProblem(event) : foreignVersion(event)
      if (wrong !== undefined) throw broken(reading, `the event ${event.seq} ${wrong}`)
    }
    return events
  })
}

const foreignVersion = ({ v, type }: LoomEvent): string => `has version ${v} of ${type}, which this version of Loom does not know`

/** Whether a value is a count of at least `least`. */
export function isCount(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least
}

/** Whether a value can be the epoch of a thread. */
export function isEpoch(value: unknown): value is number {
  return isCount(value, 0) && value <= epochLimit
}

/** Whether a value can be the cut of a fork. */
export function isForkOf(value: unknown): value is ForkOf {
  const { thread, incarnation, seq } = (value ?? {}) as Partial<ForkOf>
  return typeof thread === 'string' && name(incarnation) && isCount(seq, 1)
}
