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

/** A thread starts, has events and blobs, and is whole. `isNeeded`: it is there because the exported thread needs it. */
export type ImportPart =
  | Readonly<{ kind: 'thread'; thread: string; incarnation: string; forkOf?: ForkOf | undefined; isNeeded: boolean }>
  | Readonly<{ kind: 'events'; events: readonly LoomEvent[]; blobs: ReadonlyMap<string, Uint8Array> }>
  | Readonly<{ kind: 'whole'; epoch: number; summary: Summary }>

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
  return journalError('damaged', `The exported thread is damaged at line ${line}: ${what}. ${advice}`, { context: { line } })
}

/** The version in which this version of Loom writes a type of event; of an unknown type, the first. */
export function versionOf(type: EventType): number {
  return own(eventVersions, type) ?? 1
}

/** The events of a batch. The hash proves that nothing was changed by accident, not that Loom wrote the line. */
export function eventsOf(reading: Reading, { thread, seq, line }: { thread: string; seq: number; line: string }): readonly LoomEvent[] {
  let events: readonly LoomEvent[]
  try {
    events = decodeBatch(thread, seq, line)
  } catch (error) {
    throw isLoomError(error) ? error : broken(reading, 'a line is no batch')
  }
  const foreign = events.find(({ type, v }) => v !== versionOf(type))
  if (!foreign) return events
  throw broken(reading, `the event ${foreign.seq} has version ${foreign.v} of ${foreign.type}, which this version of Loom does not know`)
}

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
  return typeof thread === 'string' && typeof incarnation === 'string' && isCount(seq, 1)
}
