/**
 * The scheduler of a replay: every recorded result is delivered when its turn in the record has come.
 *
 * RECORDED-6. A wait (for a model, a tool, a child, a human, a time) gets its recorded result when everything recorded before has happened. When nothing
 *     makes progress any more, the earliest wait gets its result all the same: what ran in parallel may come in another order.
 * RECORDED-7. When nothing can make progress and the record is not at its end, the agent has left the record. Code of the agent that is slow is waited for.
 */
import { setImmediate as nextRound, setTimeout as pause } from 'node:timers/promises'
import type { Frame, LoomEvent } from '@loom-agent/kernel'
import { type EpochReplay, fail, findLine, type Gate, isMade, isSpent, missing, nextLine } from './epoch-replay.ts'
import { give } from './given-line.ts'
import { wasGivenUp } from './recorded-outcome.ts'
import type { ScriptEntry } from './script.ts'

/** How a driver is replayed. */
export interface Schedule {
  /** Drives the thread as it is now; resolves when it is released. */
  readonly drive: () => Promise<void>
  /** Milliseconds of real time that code of the agent may take without any progress. */
  readonly patience: number
}

/** Rounds of the event loop without progress after which everything waits. */
const quietRounds = 3
/** Rounds after which something seems to wait for the world outside the replay: from there on a round takes a millisecond. */
const idleRounds = 100
/** Rounds after which results may come in another order than recorded: before, code of the agent, such as a hook, may be about to continue. */
const patientRounds = idleRounds + 25

/** How often something may be moved on without any line being taken: timers that set each other would do so for ever. */
const mostMoves = 200

interface Playing extends Schedule {
  readonly epoch: EpochReplay
  moves: number
  taken: number
  isDriven: boolean
  /** Where the thread was when it was driven last. */
  drivenAt: number
}

/** Replays a driver to the end of what it did. Throws at the first divergence. */
export async function scheduleReplay(epoch: EpochReplay, schedule: Schedule): Promise<void> {
  const playing: Playing = { ...schedule, epoch, moves: 0, taken: 0, isDriven: false, drivenAt: -1 }
  driveOn(playing)
  let quiet = 0
  let { progress } = epoch
  let since = performance.now()
  while (!epoch.ended) {
    const isWaiting = quiet >= quietRounds && !epoch.clock.isRinging()
    const isLate = performance.now() - since > schedule.patience
    if (isWaiting && !moveOn(playing, { isPatient: quiet >= patientRounds, isLate })) {
      if (isSpent(epoch)) return
      if (isLate || epoch.unknownSteps.length > 0) throw stuck(epoch)
    }
    if (playing.moves > mostMoves) {
      if (isSpent(epoch)) return
      throw stuck(epoch)
    }
    if (epoch.progress !== progress) {
      ;({ progress } = epoch)
      quiet = 0
      since = performance.now()
    }
    quiet += 1
    await (quiet > idleRounds ? pause(1) : nextRound())
  }
  throw epoch.failure
}

/** What was recorded and does not happen. */
function stuck(epoch: EpochReplay): Error {
  const [unknown] = epoch.unknownSteps
  return unknown ?? missing(epoch, findLine(epoch, isMade) ?? epoch.next, undefined)
}

function driveOn(playing: Playing): void {
  const { epoch } = playing
  playing.isDriven = true
  playing.drivenAt = epoch.frame.seq
  epoch.progress += 1
  playing.drive().then(
    () => {
      playing.isDriven = false
      epoch.progress += 1
    },
    (error: unknown) => fail(epoch, error),
  )
}

/** How long nothing has happened: long enough for another order, or longer than code of the agent may take. */
interface Waited {
  readonly isPatient: boolean
  readonly isLate: boolean
}

/** Everything waits: the earliest that can continue does. False when nothing can. */
function moveOn(playing: Playing, waited: Waited): boolean {
  const { epoch } = playing
  const isMoved = isSpent(epoch)
    ? park(epoch)
    : suspendBody(epoch) || openAfterInput(epoch) || takeNext(playing, waited) || (waited.isPatient && takeAny(playing, waited))
  if (!isMoved) return false
  epoch.progress += 1
  playing.moves = epoch.taken.size === playing.taken ? playing.moves + 1 : 0
  playing.taken = epoch.taken.size
  return true
}

/** A result that came right after an input was on its way when the input came: the driver learned of the input when it stored the result. */
function openAfterInput(epoch: EpochReplay): boolean {
  if (epoch.news === 'hint' || epoch.lines[nextLine(epoch) ?? -1]?.kind !== 'given') return false
  return openGate(epoch, gateAt(epoch, findLine(epoch, isMade)))
}

/** Delivers what is next in the record. A driver that learns of inputs late goes on as far as it can before. */
function takeNext({ epoch }: Playing, { isPatient }: Waited): boolean {
  const next = nextLine(epoch) ?? -1
  // A body may wait for the moment right before an input.
  if (openGate(epoch, gateAt(epoch, next))) return true
  const isDue = epoch.news !== 'late conflict' || isPatient
  if (isDue && epoch.lines[next]?.kind === 'given' && give(epoch, next)) return true
  const made = findLine(epoch, isMade)
  return openGate(epoch, gateAt(epoch, made)) || wakeParent(epoch, made) || epoch.clock.ring() || (isTimed(epoch, made) && epoch.clock.ring(true))
}

/** Delivers what comes later: parallel work may come in another order. */
function takeAny(playing: Playing, { isLate }: Waited): boolean {
  const { epoch } = playing
  const [earliest] = [...epoch.gates].sort((a, b) => a.index - b.index)
  return openGate(epoch, earliest) || driveAgain(playing) || park(epoch) || (isLate && (giveAny(epoch) || epoch.clock.ring(true)))
}

/** The next input that fits: some answers wait for their questions. */
function giveAny(epoch: EpochReplay): boolean {
  const waiting = epoch.lines.flatMap((line, index) => (line.kind === 'given' && !epoch.taken.has(index) ? [index] : []))
  return waiting.some((index) => give(epoch, index))
}

/** A driver that has released the thread is followed by another when there is news. */
function driveAgain(playing: Playing): boolean {
  if (playing.isDriven || playing.drivenAt === playing.epoch.frame.seq) return false
  driveOn(playing)
  return true
}

const gateAt = ({ gates }: EpochReplay, index: number | undefined): Gate | undefined => [...gates].find((gate) => gate.index === index)

function openGate(epoch: EpochReplay, gate: Gate | undefined): boolean {
  const line = gate && epoch.lines[gate.index]
  if (!line) return false
  for (const same of [...epoch.gates]) {
    if (same.index !== gate.index) continue
    epoch.gates.delete(same)
    same.open(line.event)
  }
  return true
}

/** A child that waited has ended: its watchers get a hint. */
function wakeParent({ lines, watchers }: EpochReplay, index: number | undefined): boolean {
  const event = lines[index ?? -1]?.event
  if (event?.type !== 'child.finished') return false
  const watching = [...(watchers.get(event.data.child) ?? [])]
  for (const hint of watching) hint(1)
  return watching.length > 0
}

/** Lets children wait that do not end in this record. */
function park(epoch: EpochReplay): boolean {
  const [child] = epoch.children
  child?.park()
  return child !== undefined
}

/** A durable body was suspended where only its children were waited for: from there on they are waited for as recorded. */
function suspendBody(epoch: EpochReplay): boolean {
  const end = nextLine(epoch) ?? epoch.lines.length
  while (epoch.suspended + 1 < end) {
    epoch.suspended += 1
    const { event } = epoch.lines[epoch.suspended] as ScriptEntry
    if (event.type !== 'tool.suspended') continue
    const waits = [...epoch.children].filter(({ call }) => call === event.data.call)
    for (const wait of waits) wait.park()
    if (waits.length > 0) return true
  }
  return false
}

/** Whether a line was caused by a time that had come. */
function isTimed({ lines, frame }: EpochReplay, index: number | undefined): boolean {
  const line = lines[index ?? -1]
  return line !== undefined && byTime[line.event.type]?.(line, frame) === true
}

const byTime: { readonly [type in LoomEvent['type']]?: (line: ScriptEntry, frame: Frame) => boolean } = {
  'question.expired': () => true,
  'tool.step-finished': ({ event: { data } }) => 'key' in data && /^(sleep|wait):/.test(String(data.key)),
  'model.requested': ({ event }) => event.type === 'model.requested' && event.data.attempt > 1,
  'tool.finished': ({ event }, frame) => wasGivenUp(frame, event),
  'run.stop-requested': () => true,
  'run.stopped': ({ event }) => event.type === 'run.stopped' && event.data.limit === 'time',
}
