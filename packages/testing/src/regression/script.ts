/**
 * The script of a replay: what of a recorded thread the agent must do again, and what others did to it.
 *
 * RECORDED-4. Every call has a track of its own, and so has the run: events of one track come in order. Parallel calls are compared each by itself,
 *     because their order was chance.
 * RECORDED-5. What depends on how often the thread was driven is not compared: its drivers, their releases, how often a durable body was entered.
 */
import { callOf, emptyFrame, evolve, type Frame, isAtRest, isOver, items, type LoomEvent } from '@loom-agent/kernel'

/** The track of everything that is not about one call. */
export const runTrack = 'run'

/**
 * Where a line comes from: the agent (`made`), the start of a run (`start`), a contributor (`given`). An `aside` of the agent may be left out
 * (RECORDED-5). `lost` is no event: here the process that drove the thread was gone.
 */
export interface Line {
  readonly kind: 'made' | 'start' | 'given' | 'aside' | 'lost'
  readonly track: string
  readonly event: LoomEvent
  /** How many processes had been lost before. */
  readonly era: number
}

/** A recorded thread as lines. */
export interface Script {
  readonly thread: string
  readonly lines: readonly Line[]
  /** Before which lines a driver acquired the thread. */
  readonly takings: readonly number[]
  /** Calls that are still open where the record ends. */
  readonly open: ReadonlySet<string>
  readonly isRoot: boolean
}

const inputs: ReadonlySet<LoomEvent['type']> = new Set([
  'message.steered',
  'signal.received',
  'question.answered',
  'run.stop-requested',
  'run.pause-requested',
  'limit.raised',
  'memory.recorded',
])

/** The lines of a recorded thread. `eras` maps each worker to the process of the root that it was in; the root fills it. */
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
      if (isLost) lines.push({ kind: 'lost', track: runTrack, event, era })
      takings.push(lines.length)
      era = isRoot ? era + (isLost ? 1 : 0) : Math.max(era, eras.get(event.data.worker) ?? era)
      if (isRoot) eras.set(event.data.worker, era)
      const before = lines.at(-1)
      // A driver that acquires a child to stop it requests the stop first.
      if (!isRoot && before?.event.type === 'run.stop-requested') lines[lines.length - 1] = { ...before, era }
    }
    const kind = kindOf(event, frame, isRoot)
    if (kind) lines.push({ kind, track: trackOf(frame, event), event, era })
    frame = evolve(frame, event)
    // Inputs of contributors do not show whether the driver had released the thread.
    if (!isInput(event)) rested = isAtRest(frame)
  }
  // Hooks may still see a call with a result, as long as its turn lasts.
  const calls = frame.run && !isOver(frame.run) ? [...items(frame.run.calls)] : []
  const open = calls.map(({ id }) => id)
  return { thread, lines, takings, open: new Set(open), isRoot }
}

/** A child belongs to the process that drives it first. */
function eraOf(events: readonly LoomEvent[], eras: ReadonlyMap<string, number>): number {
  const taken = events.find((event) => event.type === 'driver.acquired')
  return taken?.type === 'driver.acquired' ? (eras.get(taken.data.worker) ?? 0) : 0
}

const isInput = (event: LoomEvent): boolean => inputs.has(event.type) || isStart(event)

/** Whether an event requests that a run starts. */
export function isStart(event: LoomEvent): boolean {
  return event.type === 'run.queued' || (event.type === 'run.started' && 'request' in event.data)
}

function kindOf(event: LoomEvent, frame: Frame, isRoot: boolean): Line['kind'] | undefined {
  if (notCompared.has(event.type) || isRootStart(event)) return undefined
  if (isAside(frame, event)) return 'aside'
  if (isStart(event)) return isRoot ? 'start' : 'made'
  return inputs.has(event.type) ? 'given' : 'made'
}

const notCompared: ReadonlySet<LoomEvent['type']> = new Set(['driver.acquired', 'agent.upgraded', 'thread.adopted', 'model.streamed'])

/** A thread begins with its first run, which is compared. */
const isRootStart = (event: LoomEvent): boolean => event.type === 'thread.started' && event.data.parent === undefined

const asides: ReadonlySet<LoomEvent['type']> = new Set(['run.suspended', 'run.resumed', 'tool.suspended'])

/** Whether an event depends on how often the thread was driven (RECORDED-5). */
function isAside(frame: Frame, event: LoomEvent): boolean {
  // A child is stopped with its parent, and again by a process that recovers it.
  if (event.type === 'run.stop-requested') return frame.parent !== undefined
  if (event.type !== 'tool.started') return asides.has(event.type)
  return frame.run !== undefined && callOf(frame.run, event.data.call)?.start !== undefined
}

/** Whether an event is not compared, in the record or in the replay. */
export function isPassedOver(frame: Frame, event: LoomEvent): boolean {
  return notCompared.has(event.type) || isRootStart(event) || isAside(frame, event)
}

/** The track of an event; `frame` is what was before it. */
export function trackOf(frame: Frame, event: LoomEvent): string {
  if (event.type === 'question.answered' || event.type === 'question.expired') return questionOf(frame, event.data.id)?.call ?? runTrack
  const { call } = event.data as { readonly call?: string }
  return call ?? runTrack
}

const questionOf = (frame: Frame, id: string): Frame['questions'][string] | undefined =>
  Object.hasOwn(frame.questions, id) ? frame.questions[id] : undefined

/** The place of a question: its id without the ordinal, which depends on what was asked before. */
export function placeOf(questionId: string): string {
  return questionId.slice(0, questionId.lastIndexOf('#'))
}
