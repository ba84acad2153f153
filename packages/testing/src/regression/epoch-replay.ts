/** One driver of a recorded thread and how far its replay is: every event of the replay takes a recorded line, or diverges. */
import { evolve, type Frame, type Json, type JsonObject, type LoomEvent } from '@loom-agent/kernel'
import { adviceFor } from './advice.ts'
import { comparedDataOf, type Difference, firstDifference } from './compared-data.ts'
import { differs, type Place, RunDivergence, stepOf } from './divergence.ts'
import { type Redact, replaceTexts } from './redact.ts'
import { type ReplayClock, replayClock } from './replay-clock.ts'
import { endedWait, isPassedOver, type RecordedEpoch, runTrack, type ScriptEntry, trackOf } from './script.ts'

/** A wait for what was recorded at a line. */
export interface Gate {
  readonly index: number
  readonly open: (event: LoomEvent) => void
}

/** A child that is waited for: it ends as recorded, or it waits as well. */
export interface ChildWait {
  readonly call: string
  readonly park: () => void
}

/**
 * How a driver learned of inputs: a hint came at once; its next append conflicted; or that append took so long that the driver went on meanwhile. The
 * record does not say.
 */
export type InputNews = 'hint' | 'conflict' | 'late conflict'

/** What a replay of one driver needs to know besides the record. */
export interface EpochSetup {
  readonly news: InputNews
  /** Whose child the thread is, in words; empty for the root. */
  readonly of: string
  readonly redact: Redact
  /** Whether the fixture names parts that one test compares for all: what is reserved for a call follows from them (RECORDED-11). */
  readonly isShared: boolean
  /** Given an event that differs from the recorded one and is accepted all the same; undefined when nothing is. */
  readonly accept: ((recorded: LoomEvent, replayed: LoomEvent, found: Difference) => void) | undefined
  /** Given an event of the replay that is the recorded one. */
  readonly matched: (recorded: LoomEvent, replayed: LoomEvent) => void
}

/** The replay of one driver. */
export interface EpochReplay extends RecordedEpoch, EpochSetup {
  readonly taken: Set<number>
  /** The first line that is not taken. */
  next: number
  /** The last line of which it was looked whether a body was suspended there. */
  suspended: number
  /** When the last line that was taken was recorded. */
  time: number
  /** The thread as the replay has it, and what the replay has added to it. */
  frame: Frame
  readonly added: LoomEvent[]
  /** For each event of the replay that took a line, the seq of that line. */
  readonly seqs: Map<number, number>
  readonly clock: ReplayClock
  readonly gates: Set<Gate>
  readonly children: Set<ChildWait>
  /** Who waits for news, by thread. */
  readonly watchers: Map<string, Set<(seq: number) => void>>
  /** Steps that durable bodies have taken and the record does not know. */
  readonly unknownSteps: RunDivergence[]
  /** What is known of the bodies that ran, by call: what to look at when their results differ. */
  readonly bodies: Map<string, string>
  /** Counts everything that happens: when it does not change, nothing makes progress. */
  progress: number
  /** Set when the replay is over: by a divergence, by an error, or because the record is. */
  ended: boolean
  failure: unknown
}

/** The replay of a driver at its beginning. */
export function createEpochReplay(recorded: RecordedEpoch, setup: EpochSetup): EpochReplay {
  const epoch: EpochReplay = {
    ...recorded,
    ...setup,
    taken: new Set(),
    next: 0,
    suspended: -1,
    time: recorded.acquired.time,
    frame: recorded.start,
    added: [],
    seqs: new Map(),
    clock: replayClock(() => timeOf(epoch)),
    gates: new Set(),
    children: new Set(),
    watchers: new Map(),
    unknownSteps: [],
    bodies: new Map(),
    progress: 0,
    ended: false,
    failure: undefined,
  }
  return epoch
}

/**
 * What the clock shows: the time of what the driver has to do next. While an input is next the time does not move, or the driver would do at once what it
 * did only after that input.
 */
function timeOf(epoch: EpochReplay): number {
  const line = epoch.lines[nextLine(epoch) ?? -1]
  return line?.kind === 'made' ? line.event.time : epoch.time
}

/** The first line that has to come; undefined when everything has. */
export function nextLine(epoch: EpochReplay): number | undefined {
  return findLine(epoch, ({ kind }) => kind !== 'optional')
}

/** Whether everything that the driver did has happened. */
export function isSpent(epoch: EpochReplay): boolean {
  return findLine(epoch, isMade) === undefined
}

/** Ends the replay with an error. */
export function fail(epoch: EpochReplay, error: unknown): void {
  if (epoch.ended) return
  epoch.ended = true
  epoch.failure = error
}

/** Never resolves: a wait for what was not recorded lasts forever. */
export const never: Promise<never> = new Promise(() => {})

/** Waits until the replay is at the first line that fits; forever when there is none. */
export function awaitLine(epoch: EpochReplay, fits: (line: ScriptEntry) => boolean): Promise<LoomEvent> {
  epoch.progress += 1
  const index = findLine(epoch, fits)
  if (index === undefined) return never
  return new Promise((open) => epoch.gates.add({ index, open }))
}

/** Marks a line as taken. */
export function take(epoch: EpochReplay, index: number): void {
  epoch.taken.add(index)
  epoch.time = Math.max(epoch.time, epoch.lines[index]?.event.time ?? 0)
  while (epoch.taken.has(epoch.next) || epoch.lines[epoch.next]?.kind === 'optional') epoch.next += 1
}

/** The first line before `end` that is not taken and fits; undefined when there is none. */
export function findLine(
  epoch: EpochReplay,
  fits: (line: ScriptEntry, index: number) => boolean,
  end: number = epoch.lines.length,
): number | undefined {
  for (let index = epoch.next; index < end; index += 1) {
    const line = epoch.lines[index]
    if (line && !epoch.taken.has(index) && fits(line, index)) return index
  }
  return undefined
}

/** Whether a line is compared. */
export const isMade = ({ kind }: ScriptEntry): boolean => kind === 'made'

/** Lines that other events of the same batch take. */
interface Claimed {
  readonly track: string
  readonly passed?: ReadonlySet<number>
}

/** The line that an event has to take: the end of the same wait, or what its track begins next. */
export function lineFor(epoch: EpochReplay, event: LoomEvent, { track, passed }: Claimed): number | undefined {
  const wait = endedWait(event)
  const isOfTrack = (line: ScriptEntry, index: number): boolean => line.kind === 'made' && line.track === track && !passed?.has(index)
  const found = findLine(epoch, (line, index) => isOfTrack(line, index) && endedWait(line.event) === wait)
  return found ?? (mayDoMore(epoch, track) ? undefined : findLine(epoch, isOfTrack))
}

/** Whether a driver may do more about a track than was recorded: it was lost, or nothing shows whether it was done. */
const mayDoMore = ({ isOpen, openCalls }: EpochReplay, track: string): boolean => isOpen || openCalls.has(track)

const placeOf = ({ of }: EpochReplay, event: LoomEvent, track: string): Place => ({ of, event, track })

const callEnds: ReadonlySet<LoomEvent['type']> = new Set(['tool.finished', 'tool.denied'])

/** Takes in an event of the replay. Throws where it is not what was recorded. */
export function follow(epoch: EpochReplay, event: LoomEvent): void {
  const { frame } = epoch
  epoch.frame = evolve(frame, event)
  epoch.added.push(event)
  if (isPassedOver(frame, event)) return
  const track = trackOf(frame, event)
  const index = lineFor(epoch, event, { track })
  if (index === undefined) return checkExtra(epoch, event, track)
  const line = epoch.lines[index] as ScriptEntry
  const skipped = findLine(epoch, (other) => isMade(other) && comesBefore(other, event, track), index)
  if (skipped !== undefined) throw missing(epoch, skipped, event)
  if (line.event.type !== event.type) throw replaced(epoch, line, event)
  const found = differenceOf(epoch, line.event, event)
  if (found && !epoch.accept) throw differs(placeOf(epoch, line.event, track), found, bodyAdvice(epoch, line))
  if (found) epoch.accept?.(line.event, event, found)
  else epoch.matched(line.event, event)
  epoch.seqs.set(event.seq, line.event.seq)
  take(epoch, index)
}

/** Whether a line must have come before an event: the run continues only when everything before is done, and a call ends only after its waits. */
const comesBefore = (line: ScriptEntry, event: LoomEvent, track: string): boolean =>
  track === runTrack || (line.track === track && callEnds.has(event.type))

function differenceOf(epoch: EpochReplay, recorded: LoomEvent, event: LoomEvent): Difference | undefined {
  const isReserving = event.type === 'model.requested' && epoch.isShared && !epoch.accept
  const compared = (data: JsonObject): JsonObject => (isReserving ? { attempt: data['attempt'] as Json } : data)
  const before = compared(comparedDataOf(recorded))
  const now = compared(translated(epoch, event))
  return firstDifference(before, now) && firstDifference(before, replaceTexts(now, epoch.redact))
}

/** Events that name others do so by their seqs, which the replay counts for itself. */
function translated({ seqs }: EpochReplay, event: LoomEvent): JsonObject {
  const data = comparedDataOf(event)
  if (event.type !== 'context.compressed') return data
  const { from, to } = event.data
  return { ...data, from: seqs.get(from) ?? from, to: seqs.get(to) ?? to }
}

/** Nothing may come that was not recorded, unless the driver may do more. */
function checkExtra(epoch: EpochReplay, event: LoomEvent, track: string): void {
  const skipped = track === runTrack ? findLine(epoch, isMade) : undefined
  if (skipped !== undefined) throw missing(epoch, skipped, event)
  if (mayDoMore(epoch, track)) return
  const step = stepOf(placeOf(epoch, event, track), '')
  throw new RunDivergence({ step, recorded: undefined, replayed: shown(epoch, event), advice: adviceFor(event.type, '') })
}

const shown = ({ redact }: EpochReplay, event: LoomEvent): Json => ({ [event.type]: replaceTexts(comparedDataOf(event), redact) })

/** What is known of the body whose result a line is; undefined where none ran. */
const bodyAdvice = ({ bodies }: EpochReplay, { event, track }: ScriptEntry): string | undefined =>
  event.type === 'tool.finished' ? bodies.get(track) : undefined

/** A recorded line that the replay has left out; `event` is what came instead. */
export function missing(epoch: EpochReplay, index: number, event: LoomEvent | undefined): RunDivergence {
  const line = epoch.lines[index] as ScriptEntry
  const { event: recorded, track } = line
  return new RunDivergence({
    step: stepOf(placeOf(epoch, recorded, track), ''),
    recorded: { [recorded.type]: comparedDataOf(recorded) },
    replayed: event && shown(epoch, event),
    advice: bodyAdvice(epoch, line) ?? adviceFor(recorded.type, ''),
  })
}

const replaced = (epoch: EpochReplay, { event: recorded, track }: ScriptEntry, event: LoomEvent): RunDivergence =>
  new RunDivergence({
    step: stepOf(placeOf(epoch, recorded, track), ''),
    recorded: { [recorded.type]: comparedDataOf(recorded) },
    replayed: shown(epoch, event),
    advice: adviceFor(recorded.type, ''),
  })
