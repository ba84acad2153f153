/** One recorded thread and how far its replay is: every event of the replay takes a recorded line, or diverges. */
import { emptyFrame, evolve, type Frame, type Json, type JsonObject, type LoomEvent } from '@loom-agent/kernel'
import { adviceFor } from './advice.ts'
import { differs, type Place, RunDivergence, stepOf } from './divergence.ts'
import { type Difference, essenceOf, firstDifference } from './essence.ts'
import { type Redact, redactValue } from './redact.ts'
import { isPassedOver, isStart, type Line, runTrack, type Script, trackOf } from './script.ts'

/** A recorded thread that is being replayed. */
export interface ThreadReplay extends Script {
  /** Whose child the thread is, in words; empty for the root. */
  readonly of: string
  readonly taken: Set<number>
  /** Whether the replay has come to where the thread begins. */
  started: boolean
  /** How often a writer had to try again because its batch came too early. */
  early: number
  /** The first line that is not taken. */
  next: number
  /** When the last line that was taken was recorded. */
  time: number
  /** The thread as the replay has it. */
  frame: Frame
  /** For each event of the replay that took a line, the seq of that line. */
  readonly seqs: Map<number, number>
}

/** The replay of a thread at its beginning. */
export function createThreadReplay(script: Script, of: string): ThreadReplay {
  return { ...script, of, taken: new Set(), started: script.isRoot, early: 0, next: 0, time: 0, frame: emptyFrame(script.thread), seqs: new Map() }
}

/** Marks a line as taken. */
export function take(threadReplay: ThreadReplay, index: number): void {
  threadReplay.taken.add(index)
  threadReplay.time = Math.max(threadReplay.time, threadReplay.lines[index]?.event.time ?? 0)
  while (threadReplay.taken.has(threadReplay.next)) threadReplay.next += 1
}

/** The first line before `end` that is not taken and fits; undefined when there is none. */
export function findLine(
  threadReplay: ThreadReplay,
  fits: (line: Line, index: number) => boolean,
  end: number = threadReplay.lines.length,
): number | undefined {
  for (let index = threadReplay.next; index < end; index += 1) {
    const line = threadReplay.lines[index]
    if (line && !threadReplay.taken.has(index) && fits(line, index)) return index
  }
  return undefined
}

const isCompared = ({ kind }: Line): boolean => kind === 'made' || kind === 'start'

/** The line that an event has to take: the next of its track, or the next start. */
export function lineFor(
  threadReplay: ThreadReplay,
  event: LoomEvent,
  { track, passed }: { track: string; passed?: ReadonlySet<number> },
): number | undefined {
  const kind = threadReplay.isRoot && isStart(event) ? 'start' : 'made'
  return findLine(threadReplay, (line, index) => line.kind === kind && line.track === track && !passed?.has(index))
}

const placeOf = ({ of }: ThreadReplay, event: LoomEvent, track: string): Place => ({ of, event, track })

/** Takes in an event of the replay. Throws where it is not what was recorded. */
export function follow(threadReplay: ThreadReplay, event: LoomEvent, redact: Redact): void {
  const { frame } = threadReplay
  threadReplay.frame = evolve(frame, event)
  const track = trackOf(frame, event)
  if (isPassedOver(frame, event)) return takeAside(threadReplay, event, track)
  const index = lineFor(threadReplay, event, { track })
  if (index === undefined) return checkExtra(threadReplay, { event, track, redact })
  const line = threadReplay.lines[index] as Line
  // The run continues only when everything before is done.
  const skipped = track === runTrack && line.kind === 'made' ? findLine(threadReplay, isCompared, index) : undefined
  if (skipped !== undefined) throw missing(threadReplay, skipped, { event, redact })
  if (line.event.type !== event.type) throw replaced(threadReplay, line, { event, redact })
  const found = differenceOf(threadReplay, line.event, { event, redact })
  if (found) throw differs(placeOf(threadReplay, line.event, track), found)
  threadReplay.seqs.set(event.seq, line.event.seq)
  leaveAsides(threadReplay, (other) => track === runTrack || other.track === track, index)
  take(threadReplay, index)
}

function takeAside(threadReplay: ThreadReplay, event: LoomEvent, track: string): void {
  const index = findLine(threadReplay, (line) => line.kind === 'aside' && line.track === track && line.event.type === event.type)
  const compared = findLine(threadReplay, (line) => line.kind === 'made' && line.track === track) ?? threadReplay.lines.length
  if (index !== undefined && index < compared) take(threadReplay, index)
}

/** Skips asides that did not happen; false when there are none. */
export function leaveAsides(threadReplay: ThreadReplay, which: (line: Line) => boolean, end: number): boolean {
  const isLeft = (line: Line): boolean => line.kind === 'aside' && which(line)
  let left = false
  for (let index = findLine(threadReplay, isLeft, end); index !== undefined; index = findLine(threadReplay, isLeft, end)) {
    take(threadReplay, index)
    left = true
  }
  return left
}

/** Whether everything that counts has happened. */
export function isSpent(threadReplay: ThreadReplay): boolean {
  return findLine(threadReplay, ({ kind }) => kind !== 'aside') === undefined
}

interface Replayed {
  readonly event: LoomEvent
  readonly redact: Redact
}

function differenceOf(threadReplay: ThreadReplay, recorded: LoomEvent, { event, redact }: Replayed): Difference | undefined {
  const before = essenceOf(recorded)
  const now = translated(threadReplay, event)
  return firstDifference(before, now) && firstDifference(before, redactValue(now, redact))
}

/** Events that name others do so by their seqs, which the replay counts for itself. */
function translated({ seqs }: ThreadReplay, event: LoomEvent): JsonObject {
  const essence = essenceOf(event)
  if (event.type !== 'context.compressed') return essence
  const { from, to } = event.data
  return { ...essence, from: seqs.get(from) ?? from, to: seqs.get(to) ?? to }
}

/** After the end of a record that was still open a replay may continue; anywhere else nothing may come that was not recorded. */
function checkExtra(threadReplay: ThreadReplay, { event, track, redact }: Replayed & { readonly track: string }): void {
  const skipped = track === runTrack ? findLine(threadReplay, isCompared) : undefined
  if (skipped !== undefined) throw missing(threadReplay, skipped, { event, redact })
  if (track === runTrack ? isSpent(threadReplay) : threadReplay.open.has(track)) return
  const step = stepOf(placeOf(threadReplay, event, track), '')
  throw new RunDivergence({ step, recorded: undefined, replayed: shown(event, redact), advice: adviceFor(event.type, '') })
}

const shown = (event: LoomEvent, redact: Redact): Json => ({ [event.type]: redactValue(essenceOf(event), redact) })

/** A recorded line that the replay has left out; `event` is what came instead. */
export function missing(threadReplay: ThreadReplay, index: number, replayed: Replayed | undefined): RunDivergence {
  const { event, track } = threadReplay.lines[index] as Line
  const step = stepOf(placeOf(threadReplay, event, track), '')
  const now = replayed && shown(replayed.event, replayed.redact)
  return new RunDivergence({ step, recorded: { [event.type]: essenceOf(event) }, replayed: now, advice: adviceFor(event.type, '') })
}

function replaced(threadReplay: ThreadReplay, { event: recorded, track }: Line, { event, redact }: Replayed): RunDivergence {
  return new RunDivergence({
    step: stepOf(placeOf(threadReplay, recorded, track), ''),
    recorded: { [recorded.type]: essenceOf(recorded) },
    replayed: shown(event, redact),
    advice: adviceFor(recorded.type, ''),
  })
}
