/**
 * The scheduler of a replay: every recorded result is delivered when its turn in the record has come.
 *
 * RECORDED-6. A wait (for a model, a tool, a human, a time) gets its recorded result when everything recorded before has happened. When nothing makes
 *     progress any more, the earliest wait gets its result all the same: what ran in parallel may come in another order.
 * RECORDED-7. When nothing can make progress and the record is not at its end, the agent has left the record.
 */
import { setImmediate as nextRound, setTimeout as pause } from 'node:timers/promises'
import type { LoomEvent } from '@loom-agent/kernel'
import { give } from './given-line.ts'
import { activeThreads, type Gate, type Replay } from './replay.ts'
import type { Line } from './script.ts'
import { findLine, isSpent, leaveAsides, missing, type ThreadReplay, take } from './thread-replay.ts'

/** What the scheduler can start and stop. */
export interface ReplayControl {
  /** Starts the run of a line; once for each. */
  start(line: Line): void
  /** Resumes the root thread, as a recovering process does. False when that was tried and changed nothing. */
  wake(): boolean
  /** Ends the process and starts the next one. */
  replaceProcess(): void
}

/** Rounds of the event loop without progress after which everything waits. */
const quietRounds = 3
/** Rounds after which something seems to wait for the world outside the replay: it is polled less often. */
const idleRounds = 100

/** Runs a replay to the end of its record. Throws at the first divergence. */
export async function scheduleReplay(replay: Replay, control: ReplayControl, patience: number): Promise<void> {
  let quiet = 0
  let progress = replay.progress
  let since = performance.now()
  while (!replay.ended) {
    if (isAtEnd(replay)) return
    if (!takeDueLines(replay, control) && quiet >= quietRounds && !replay.clock.isRinging()) resumeEarliest(replay, control)
    if (replay.progress !== progress) {
      progress = replay.progress
      quiet = 0
      since = performance.now()
    } else if (performance.now() - since > patience) throw stuck(replay)
    quiet += 1
    await (quiet > idleRounds ? pause(1) : nextRound())
  }
  throw replay.failure
}

function isAtEnd({ threads }: Replay): boolean {
  for (const threadReplay of threads.values()) if (!isSpent(threadReplay)) return false
  return true
}

/** What was recorded and does not happen. */
function stuck(replay: Replay): Error {
  const open = [...replay.threads.values()].filter((threadReplay) => !isSpent(threadReplay)).sort((a, b) => timeAt(a) - timeAt(b))
  const [first = replay.root] = open
  return missing(first, findLine(first, ({ kind }) => kind !== 'aside') ?? first.next, undefined)
}

const timeAt = ({ lines, next }: ThreadReplay): number => lines[next]?.event.time ?? Number.POSITIVE_INFINITY

/** Takes every line that is the next of its thread, and earlier than the next lines of the others. */
function takeDueLines(replay: Replay, control: ReplayControl): boolean {
  let taken = false
  for (const threadReplay of [...activeThreads(replay)]) {
    while (isFirst(replay, threadReplay) && takeNext(replay, control, threadReplay)) taken = true
  }
  return taken
}

/**
 * Whether the next line of a thread comes before those of the others, or of those that count. Of lines with the same time, those of contributors
 * come after those of the agent: they reacted to what it had done.
 */
export function isFirst(replay: Replay, threadReplay: ThreadReplay, counts: (other: ThreadReplay) => boolean = () => true): boolean {
  const time = timeAt(threadReplay)
  const yields = !isByAgent(threadReplay)
  for (const other of activeThreads(replay)) {
    if (other !== threadReplay && counts(other) && (timeAt(other) < time || (timeAt(other) === time && yields && isByAgent(other)))) return false
  }
  return time < Number.POSITIVE_INFINITY
}

const isByAgent = ({ lines, next }: ThreadReplay): boolean => lines[next]?.kind === 'made' || lines[next]?.kind === 'aside'

/** Takes the next line of a thread unless it is the agent's; false when it is, or when it was requested already. */
function takeNext(replay: Replay, control: ReplayControl, threadReplay: ThreadReplay): boolean {
  const line = threadReplay.lines[threadReplay.next] as Line
  switch (line.kind) {
    case 'given':
      return give(replay, threadReplay, threadReplay.next)
    case 'start':
      control.start(line)
      return false
    case 'lost':
      return isEraOver(replay) && loseProcess(replay, control)
    case 'aside':
      return false
    case 'made':
      return openGate(
        replay,
        [...replay.gates].find((gate) => gate.threadReplay === threadReplay && gate.index === threadReplay.next),
      )
  }
}

/** Whether the process has done everything that it did. */
function isEraOver({ threads, era }: Replay): boolean {
  for (const threadReplay of threads.values()) {
    if (!threadReplay.isRoot && findLine(threadReplay, (line) => line.kind !== 'aside' && line.era <= era) !== undefined) return false
  }
  return true
}

function loseProcess(replay: Replay, control: ReplayControl): boolean {
  const { root } = replay
  if (root.lines[root.next]?.kind !== 'lost') return false
  take(root, root.next)
  replay.era += 1
  control.replaceProcess()
  return true
}

function openGate(replay: Replay, gate: Gate | undefined): boolean {
  const line = gate?.threadReplay.lines[gate.index]
  if (!gate || !line) return false
  replay.gates.delete(gate)
  replay.progress += 1
  gate.open(line.event)
  return true
}

/** Everything waits: the earliest that can continue does. */
function resumeEarliest(replay: Replay, control: ReplayControl): void {
  const living = [...activeThreads(replay)].sort((a, b) => timeAt(a) - timeAt(b))
  const isResumed =
    living.some((threadReplay) => takeNext(replay, control, threadReplay)) ||
    ring(replay) ||
    openGate(replay, earliestGate(replay)) ||
    loseProcess(replay, control) ||
    (!replay.held.has(replay.root.thread) && control.wake()) ||
    living.some((threadReplay) => isStopOfChild(threadReplay) && give(replay, threadReplay, threadReplay.next)) ||
    living.some((threadReplay) => leaveAsides(threadReplay, () => true, threadReplay.next + 1)) ||
    (living.some(isMovedByTime) && ring(replay, true))
  if (isResumed) replay.progress += 1
}

const ring = ({ clock }: Replay, later = false): boolean => clock.ring(later)

/** The earliest gate; a wait for what another process did stays closed. */
function earliestGate({ gates }: Replay): Gate | undefined {
  const open = [...gates].filter(({ threadReplay, index }) => findLine(threadReplay, ({ kind }) => kind === 'lost', index) === undefined)
  return open.sort((a, b) => timeOfGate(a) - timeOfGate(b) || a.index - b.index)[0]
}

const timeOfGate = ({ threadReplay, index }: Gate): number => threadReplay.lines[index]?.event.time ?? 0

/** Whether the next line is the stop of a child, which comes because its parent is stopped. */
export const isStopOfChild = ({ isRoot, lines, next }: ThreadReplay): boolean => !isRoot && lines[next]?.event.type === 'run.stop-requested'

const movedByTime: ReadonlySet<LoomEvent['type']> = new Set(['question.expired', 'tool.step-finished', 'tool.finished', 'model.requested'])

/** Clocks of several machines differ: what a timer caused may have an earlier time. */
const isMovedByTime = ({ lines, next }: ThreadReplay): boolean => movedByTime.has(lines[next]?.event.type ?? 'thread.started')
