/** What is read from an exported thread, whatever the format of its lines. */
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

/** A thread begins, brings blobs and events, and is whole. An ancestor is there because a fork reads it. */
export type ImportPart =
  | Readonly<{ kind: 'thread'; thread: string; incarnation: string; forkOf?: ForkOf | undefined; isAncestor: boolean }>
  | Readonly<{ kind: 'events'; events: readonly LoomEvent[]; blobs: ReadonlyMap<string, Uint8Array> }>
  | Readonly<{ kind: 'whole'; epoch: number; summary: Summary }>

/** Lines of text, without line ends. */
export type Lines = AsyncIterable<string> | Iterable<string>

/** No thread is taken more often than this: a number beyond it is not one of ours. */
const epochLimit = 100_000

/** Where an import is in its lines. */
export interface Reading {
  line: number
}

/** The error that says what is wrong with the line that was read last. */
export function broken({ line }: Reading, what: string): LoomError {
  const advice = 'Nothing of it was kept. Export the thread again.'
  return journalError('damaged', `The exported thread is damaged at line ${line}: ${what}. ${advice}`, { context: { line } })
}

/** The version in which this version of Loom writes a type of event; of one that it does not know, the first. */
export function versionOf(type: EventType): number {
  return own(eventVersions, type) ?? 1
}

/** The events of a batch; a hash proves that nothing was changed by accident, not that a program of ours wrote the line. */
export function eventsOf(reading: Reading, { thread, seq, line }: { thread: string; seq: number; line: string }): readonly LoomEvent[] {
  let events: readonly LoomEvent[]
  try {
    events = decodeBatch(thread, seq, line)
  } catch (error) {
    throw isLoomError(error) ? error : broken(reading, 'a batch is none')
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

/** Whether a value can be the moment of a fork. */
export function isForkOf(value: unknown): value is ForkOf {
  const { thread, incarnation, seq } = (value ?? {}) as Partial<ForkOf>
  return typeof thread === 'string' && typeof incarnation === 'string' && isCount(seq, 1)
}
