/** One recorded thread and how far its replay is: every event of the replay takes its line, or the two part. */
import { emptyFrame, evolve, type Frame, type Json, type JsonObject, type LoomEvent } from '@loom-agent/kernel'
import { adviceFor } from './advice.ts'
import { differs, type Place, RunDivergence, stepOf } from './divergence.ts'
import { type Difference, essenceOf, firstDifference } from './essence.ts'
import { type Redact, redactValue } from './redact.ts'
import { isPassedOver, isStart, type Line, laneOf, runLane, type Script } from './script.ts'

/** A recorded thread on its way. */
export interface Strand extends Script {
  /** Whose child the thread is, in words; empty for the root. */
  readonly of: string
  readonly taken: Set<number>
  /** Whether the replay has come to where the thread begins. */
  begun: boolean
  /** How often somebody was told that it is too early for what it writes. */
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

/** A strand at its beginning. */
export function createStrand(script: Script, of: string): Strand {
  return { ...script, of, taken: new Set(), begun: script.isRoot, early: 0, next: 0, time: 0, frame: emptyFrame(script.thread), seqs: new Map() }
}

/** Marks a line as taken. */
export function take(strand: Strand, index: number): void {
  strand.taken.add(index)
  strand.time = Math.max(strand.time, strand.lines[index]?.event.time ?? 0)
  while (strand.taken.has(strand.next)) strand.next += 1
}

/** The first line before `end` that is not taken and fits; undefined when there is none. */
export function findLine(strand: Strand, fits: (line: Line, index: number) => boolean, end: number = strand.lines.length): number | undefined {
  for (let index = strand.next; index < end; index += 1) {
    const line = strand.lines[index]
    if (line && !strand.taken.has(index) && fits(line, index)) return index
  }
  return undefined
}

const isSpoken = ({ kind }: Line): boolean => kind === 'made' || kind === 'start'

/** The line that an event has to take: the next of its lane, or the next start. */
export function lineFor(strand: Strand, event: LoomEvent, { lane, passed }: { lane: string; passed?: ReadonlySet<number> }): number | undefined {
  const kind = strand.isRoot && isStart(event) ? 'start' : 'made'
  return findLine(strand, (line, index) => line.kind === kind && line.lane === lane && !passed?.has(index))
}

const placeOf = ({ of }: Strand, event: LoomEvent, lane: string): Place => ({ of, event, lane })

/** Takes in an event of the replay. Throws where it is not what was recorded. */
export function follow(strand: Strand, event: LoomEvent, redact: Redact): void {
  const { frame } = strand
  strand.frame = evolve(frame, event)
  const lane = laneOf(frame, event)
  if (isPassedOver(frame, event)) return takeAside(strand, event, lane)
  const index = lineFor(strand, event, { lane })
  if (index === undefined) return checkExtra(strand, { event, lane, redact })
  const line = strand.lines[index] as Line
  // What the run does next it does when everything before is done.
  const skipped = lane === runLane && line.kind === 'made' ? findLine(strand, isSpoken, index) : undefined
  if (skipped !== undefined) throw missing(strand, skipped, { event, redact })
  if (line.event.type !== event.type) throw replaced(strand, line, { event, redact })
  const found = differenceOf(strand, line.event, { event, redact })
  if (found) throw differs(placeOf(strand, line.event, lane), found)
  strand.seqs.set(event.seq, line.event.seq)
  leaveAsides(strand, (other) => lane === runLane || other.lane === lane, index)
  take(strand, index)
}

function takeAside(strand: Strand, event: LoomEvent, lane: string): void {
  const index = findLine(strand, (line) => line.kind === 'aside' && line.lane === lane && line.event.type === event.type)
  const spoken = findLine(strand, (line) => line.kind === 'made' && line.lane === lane) ?? strand.lines.length
  if (index !== undefined && index < spoken) take(strand, index)
}

/** Leaves out asides that nobody has spoken; false when there are none. */
export function leaveAsides(strand: Strand, which: (line: Line) => boolean, end: number): boolean {
  const isLeft = (line: Line): boolean => line.kind === 'aside' && which(line)
  let left = false
  for (let index = findLine(strand, isLeft, end); index !== undefined; index = findLine(strand, isLeft, end)) {
    take(strand, index)
    left = true
  }
  return left
}

/** Whether everything that counts was spoken. */
export function isSpent(strand: Strand): boolean {
  return findLine(strand, ({ kind }) => kind !== 'aside') === undefined
}

interface Replayed {
  readonly event: LoomEvent
  readonly redact: Redact
}

function differenceOf(strand: Strand, recorded: LoomEvent, { event, redact }: Replayed): Difference | undefined {
  const before = essenceOf(recorded)
  const now = translated(strand, event)
  return firstDifference(before, now) && firstDifference(before, redactValue(now, redact))
}

/** Events that name others do so by their seqs, which the replay counts for itself. */
function translated({ seqs }: Strand, event: LoomEvent): JsonObject {
  const essence = essenceOf(event)
  if (event.type !== 'context.compressed') return essence
  const { from, to } = event.data
  return { ...essence, from: seqs.get(from) ?? from, to: seqs.get(to) ?? to }
}

/** After the end of a record that was still open a replay may go on; anywhere else nothing may come that was not there. */
function checkExtra(strand: Strand, { event, lane, redact }: Replayed & { readonly lane: string }): void {
  const skipped = lane === runLane ? findLine(strand, isSpoken) : undefined
  if (skipped !== undefined) throw missing(strand, skipped, { event, redact })
  if (lane === runLane ? isSpent(strand) : strand.open.has(lane)) return
  const step = stepOf(placeOf(strand, event, lane), '')
  throw new RunDivergence({ step, recorded: undefined, replayed: told(event, redact), advice: adviceFor(event.type, '') })
}

const told = (event: LoomEvent, redact: Redact): Json => ({ [event.type]: redactValue(essenceOf(event), redact) })

/** A recorded line that the replay has left out; `event` is what came instead. */
export function missing(strand: Strand, index: number, replayed: Replayed | undefined): RunDivergence {
  const { event, lane } = strand.lines[index] as Line
  const step = stepOf(placeOf(strand, event, lane), '')
  const now = replayed && told(replayed.event, replayed.redact)
  return new RunDivergence({ step, recorded: { [event.type]: essenceOf(event) }, replayed: now, advice: adviceFor(event.type, '') })
}

function replaced(strand: Strand, { event: recorded, lane }: Line, { event, redact }: Replayed): RunDivergence {
  return new RunDivergence({
    step: stepOf(placeOf(strand, recorded, lane), ''),
    recorded: { [recorded.type]: essenceOf(recorded) },
    replayed: told(event, redact),
    advice: adviceFor(recorded.type, ''),
  })
}
