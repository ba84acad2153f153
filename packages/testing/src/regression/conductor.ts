/**
 * The conductor: lets everybody speak when it is their turn in the record.
 *
 * REGRESSION-6. Whoever waits for somebody else (a model, a tool, a human, a time) gets what was recorded when all that was recorded before has happened. When
 *     nothing happens any more, the earliest that waits goes on all the same: what ran side by side may come in another order.
 * REGRESSION-7. When there is nothing to be done and the record is not at its end, the agent has left the record.
 */
import { setImmediate as nextRound, setTimeout as pause } from 'node:timers/promises'
import type { LoomEvent } from '@loom-agent/kernel'
import { give } from './given-line.ts'
import { type Gate, livingIn, type Replay } from './replay.ts'
import type { Line } from './script.ts'
import { findLine, isSpent, leaveAsides, missing, type Strand, take } from './strand.ts'

/** Who can be told to begin and to go on. */
export interface Cast {
  /** Starts the run of a line; once for each. */
  start(line: Line): void
  /** Goes on with the root, as a process does that finds it. False when that was tried and changed nothing. */
  wake(): boolean
  /** The process is gone, and another one goes on. */
  replaceProcess(): void
}

/** Rounds of the event loop without any news after which everybody waits. */
const quietRounds = 3
/** Rounds after which somebody seems to wait for something outside the replay: it is looked after less often. */
const idleRounds = 100

/** Leads a replay to the end of its record. Throws at the first divergence. */
export async function conduct(replay: Replay, cast: Cast, patience: number): Promise<void> {
  let quiet = 0
  let beats = replay.beats
  let since = performance.now()
  while (!replay.ended) {
    if (isAtEnd(replay)) return
    if (!takeTurns(replay, cast) && quiet >= quietRounds && !replay.clock.isRinging()) breakSilence(replay, cast)
    if (replay.beats !== beats) {
      beats = replay.beats
      quiet = 0
      since = performance.now()
    } else if (performance.now() - since > patience) throw stuck(replay)
    quiet += 1
    await (quiet > idleRounds ? pause(1) : nextRound())
  }
  throw replay.failure
}

function isAtEnd({ strands }: Replay): boolean {
  for (const strand of strands.values()) if (!isSpent(strand)) return false
  return true
}

/** What nobody does though it was recorded. */
function stuck(replay: Replay): Error {
  const open = [...replay.strands.values()].filter((strand) => !isSpent(strand)).sort((a, b) => timeAt(a) - timeAt(b))
  const [first = replay.root] = open
  return missing(first, findLine(first, ({ kind }) => kind !== 'aside') ?? first.next, undefined)
}

const timeAt = ({ lines, next }: Strand): number => lines[next]?.event.time ?? Number.POSITIVE_INFINITY

/** Lets all those speak whose line is the next of their thread, and earlier than what comes next in others. */
function takeTurns(replay: Replay, cast: Cast): boolean {
  let spoken = false
  for (const strand of [...livingIn(replay)]) {
    while (isFirst(replay, strand) && speakNext(replay, cast, strand)) spoken = true
  }
  return spoken
}

/** Of what happened at the same time, others speak after the agent: what they said was said to what it had done. */
function isFirst(replay: Replay, strand: Strand): boolean {
  const time = timeAt(strand)
  const yields = !isAgents(strand)
  for (const other of livingIn(replay)) {
    if (other !== strand && (timeAt(other) < time || (timeAt(other) === time && yields && isAgents(other)))) return false
  }
  return time < Number.POSITIVE_INFINITY
}

const isAgents = ({ lines, next }: Strand): boolean => lines[next]?.kind === 'made' || lines[next]?.kind === 'aside'

/** Has the next line of a thread spoken, if it is somebody else's; false when it is the agent's, or was asked for already. */
function speakNext(replay: Replay, cast: Cast, strand: Strand): boolean {
  const line = strand.lines[strand.next] as Line
  switch (line.kind) {
    case 'given':
      return give(replay, strand, strand.next)
    case 'start':
      cast.start(line)
      return false
    case 'lost':
      return isEraOver(replay) && loseProcess(replay, cast)
    case 'aside':
      return false
    case 'made':
      return openGate(
        replay,
        [...replay.gates].find((gate) => gate.strand === strand && gate.index === strand.next),
      )
  }
}

/** Whether the process has done everything that it did. */
function isEraOver({ strands, era }: Replay): boolean {
  for (const strand of strands.values()) {
    if (!strand.isRoot && findLine(strand, (line) => line.kind !== 'aside' && line.era <= era) !== undefined) return false
  }
  return true
}

function loseProcess(replay: Replay, cast: Cast): boolean {
  const { root } = replay
  if (root.lines[root.next]?.kind !== 'lost') return false
  take(root, root.next)
  replay.era += 1
  cast.replaceProcess()
  return true
}

function openGate(replay: Replay, gate: Gate | undefined): boolean {
  const line = gate?.strand.lines[gate.index]
  if (!gate || !line) return false
  replay.gates.delete(gate)
  replay.beats += 1
  gate.open(line.event)
  return true
}

/** Everybody waits for somebody. The earliest that can go on does. */
function breakSilence(replay: Replay, cast: Cast): void {
  const living = [...livingIn(replay)].sort((a, b) => timeAt(a) - timeAt(b))
  const isBroken =
    living.some((strand) => speakNext(replay, cast, strand)) ||
    ring(replay) ||
    openGate(replay, earliestGate(replay)) ||
    loseProcess(replay, cast) ||
    (!replay.held.has(replay.root.thread) && cast.wake()) ||
    living.some((strand) => isStopOfChild(strand) && give(replay, strand, strand.next)) ||
    living.some((strand) => leaveAsides(strand, () => true, strand.next + 1)) ||
    (living.some(isMovedByTime) && ring(replay, true))
  if (isBroken) replay.beats += 1
}

const ring = ({ clock }: Replay, later = false): boolean => clock.ring(later)

/** Of those who wait, who was first; nobody goes on who waits for what another process did. */
function earliestGate({ gates }: Replay): Gate | undefined {
  const open = [...gates].filter(({ strand, index }) => findLine(strand, ({ kind }) => kind === 'lost', index) === undefined)
  return open.sort((a, b) => timeOfGate(a) - timeOfGate(b) || a.index - b.index)[0]
}

const timeOfGate = ({ strand, index }: Gate): number => strand.lines[index]?.event.time ?? 0

const isStopOfChild = ({ isRoot, lines, next }: Strand): boolean => !isRoot && lines[next]?.event.type === 'run.stop-requested'

const movedByTime: ReadonlySet<LoomEvent['type']> = new Set(['question.expired', 'tool.step-finished', 'tool.finished', 'model.requested'])

/** Clocks of several machines do not agree: what a time has brought may bear an earlier one. */
const isMovedByTime = ({ lines, next }: Strand): boolean => movedByTime.has(lines[next]?.event.type ?? 'thread.started')
