/**
 * The script of a replay: what of a recorded thread the agent must do again, and what others did to it.
 *
 * REGRESSION-4. Every call has a lane of its own, the run has one: what lies in one lane comes in order. Calls that may run side by side are compared each for
 *     itself, because their order was chance.
 * REGRESSION-5. What follows from how often somebody looked at the thread is not compared: who drove it, when it let go, how often a durable body was entered.
 */
import { callOf, emptyFrame, evolve, type Frame, isAtRest, isOver, items, type LoomEvent } from '@loom-agent/kernel'

/** The lane of everything that is not about one call. */
export const runLane = 'run'

/**
 * Who speaks a line: the agent (`made`), somebody who starts a run (`start`), somebody who says something to the thread (`given`). An `aside` of the
 * agent is waited for and may be left out (REGRESSION-5). `lost` is no event: here the process that drove the thread was gone.
 */
export interface Line {
  readonly kind: 'made' | 'start' | 'given' | 'aside' | 'lost'
  readonly lane: string
  readonly event: LoomEvent
  /** How many processes had been lost before. */
  readonly era: number
}

/** A recorded thread as lines. */
export interface Script {
  readonly thread: string
  readonly lines: readonly Line[]
  /** Before which lines somebody took the thread to drive it. */
  readonly takings: readonly number[]
  /** Calls that something may still become of where the record ends. */
  readonly open: ReadonlySet<string>
  readonly isRoot: boolean
}

const visits: ReadonlySet<LoomEvent['type']> = new Set([
  'message.steered',
  'question.answered',
  'run.stop-requested',
  'run.pause-requested',
  'limit.raised',
  'memory.recorded',
])

/** The lines of a recorded thread. `eras` tells for each worker which of the processes of the root it was; the root itself finds out. */
export function scriptOf(thread: string, events: readonly LoomEvent[], eras: Map<string, number>): Script {
  const lines: Line[] = []
  const takings: number[] = []
  const isRoot = !events.some((event) => event.type === 'thread.started' && event.data.parent !== undefined)
  let frame = emptyFrame(thread)
  let rested = true
  let era = isRoot ? 0 : eraOf(events, eras)
  for (const event of events) {
    if (event.type === 'driver.acquired') {
      const isLost = isRoot && !rested
      if (isLost) lines.push({ kind: 'lost', lane: runLane, event, era })
      takings.push(lines.length)
      era = isRoot ? era + (isLost ? 1 : 0) : Math.max(era, eras.get(event.data.worker) ?? era)
      if (isRoot) eras.set(event.data.worker, era)
      const before = lines.at(-1)
      // Whoever takes a child to stop it tells it first.
      if (!isRoot && before?.event.type === 'run.stop-requested') lines[lines.length - 1] = { ...before, era }
    }
    const kind = kindOf(event, frame, isRoot)
    if (kind) lines.push({ kind, lane: laneOf(frame, event), event, era })
    frame = evolve(frame, event)
    // What visitors say does not tell whether the driver had let go.
    if (!isVisit(event)) rested = isAtRest(frame)
  }
  // A call that has its result may still be looked at by hooks, as long as its turn goes on.
  const calls = frame.run && !isOver(frame.run) ? [...items(frame.run.calls)] : []
  const open = calls.map(({ id }) => id)
  return { thread, lines, takings, open: new Set(open), isRoot }
}

/** A child is begun by whoever drives it first. */
function eraOf(events: readonly LoomEvent[], eras: ReadonlyMap<string, number>): number {
  const taken = events.find((event) => event.type === 'driver.acquired')
  return taken?.type === 'driver.acquired' ? (eras.get(taken.data.worker) ?? 0) : 0
}

const isVisit = (event: LoomEvent): boolean => visits.has(event.type) || isStart(event)

/** Whether an event is somebody's wish that a run begins. */
export function isStart(event: LoomEvent): boolean {
  return event.type === 'run.queued' || (event.type === 'run.started' && 'request' in event.data)
}

function kindOf(event: LoomEvent, frame: Frame, isRoot: boolean): Line['kind'] | undefined {
  if (unspoken.has(event.type) || isRootStart(event)) return undefined
  if (isAside(frame, event)) return 'aside'
  if (isStart(event)) return isRoot ? 'start' : 'made'
  return visits.has(event.type) ? 'given' : 'made'
}

const unspoken: ReadonlySet<LoomEvent['type']> = new Set(['driver.acquired', 'agent.upgraded'])

/** A thread begins with its first run, which is compared. */
const isRootStart = (event: LoomEvent): boolean => event.type === 'thread.started' && event.data.parent === undefined

const asides: ReadonlySet<LoomEvent['type']> = new Set(['run.suspended', 'run.resumed', 'tool.suspended'])

/** Whether an event follows from how often somebody looked at the thread (REGRESSION-5). */
function isAside(frame: Frame, event: LoomEvent): boolean {
  // A child is told to stop by whoever stops its parent, and again by whoever finds it.
  if (event.type === 'run.stop-requested') return frame.parent !== undefined
  if (event.type !== 'tool.started') return asides.has(event.type)
  return frame.run !== undefined && callOf(frame.run, event.data.call)?.start !== undefined
}

/** Whether an event is not compared, in the record or in the replay. */
export function isPassedOver(frame: Frame, event: LoomEvent): boolean {
  return unspoken.has(event.type) || isRootStart(event) || isAside(frame, event)
}

/** The lane of an event; `frame` is what was before it. */
export function laneOf(frame: Frame, event: LoomEvent): string {
  if (event.type === 'question.answered' || event.type === 'question.expired') return questionOf(frame, event.data.id)?.call ?? runLane
  const { call } = event.data as { readonly call?: string }
  return call ?? runLane
}

const questionOf = (frame: Frame, id: string): Frame['questions'][string] | undefined =>
  Object.hasOwn(frame.questions, id) ? frame.questions[id] : undefined

/** The place of a question: its id without the ordinal, which depends on what was asked before. */
export function placeOf(questionId: string): string {
  return questionId.slice(0, questionId.lastIndexOf('#'))
}
