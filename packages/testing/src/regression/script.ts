/**
 * The script of a replay: what of a recorded thread each of its drivers did, and what others did meanwhile.
 *
 * RECORDED-4. Every call has a track of its own, and so has the run: what one track begins comes in order. Parallel calls are compared each by itself, and
 *     so are the ends of waits that one durable body has at the same time: their order was chance.
 * RECORDED-5. What depends on how often the thread was driven is not compared: its drivers, their releases, how often a durable body was entered.
 * RECORDED-8. Each driver is replayed by itself, from the thread as it was recorded when that driver acquired it. What a lost driver had begun and not
 *     recorded, and what others did to the thread before the next one, needs no replay.
 */
import { isContributed } from '@loom-agent/agent/kit'
import { callOf, type EventOf, evolve, type Frame, fold, isAtRest, isOver, items, type LoomEvent } from '@loom-agent/kernel'

/** The track of everything that is not about one call. */
export const runTrack = 'run'

/** Where an entry comes from: the driver (`made`), or a contributor (`given`). An `optional` one of the driver may be left out (RECORDED-5). */
export interface ScriptEntry {
  readonly kind: 'made' | 'given' | 'optional'
  readonly track: string
  readonly event: LoomEvent
}

/** What one driver did with a recorded thread. */
export interface RecordedEpoch {
  readonly thread: string
  /** The thread before the driver acquired it. */
  readonly start: Frame
  readonly acquired: EventOf<'driver.acquired'>
  /** Why a run that was paused or had failed went on. */
  readonly resume: string | undefined
  /** Up to the last event of the driver: what contributors appended afterwards is read by the next one. */
  readonly lines: readonly ScriptEntry[]
  /** The driver was lost, or the record ends before it was done: it may do more than was recorded. */
  readonly isOpen: boolean
  /** Calls of a turn that had not ended: nothing shows whether the driver was done with them. */
  readonly openCalls: ReadonlySet<string>
  /** Where the events of the next driver begin. */
  readonly end: number
}

/** The epoch whose driver acquired the thread at an index of its events. `start` is what the driver knew of the thread: inputs may have come since. */
export function epochAt(start: Frame, events: readonly LoomEvent[], at: number): RecordedEpoch {
  const acquired = events[at] as EventOf<'driver.acquired'>
  const lines: ScriptEntry[] = events.slice(start.seq, at).map((event) => ({ kind: 'given', track: trackOf(start, event), event }))
  let frame = fold(start.thread, events.slice(start.seq, at + 1), start)
  let rested = false
  let last = 0
  let end = at + 1
  for (let event = events[end]; event && event.type !== 'driver.acquired'; event = events[end]) {
    const kind = kindOf(event, frame, isLeft(frame, events, end))
    if (kind) lines.push({ kind, track: trackOf(frame, event), event })
    if (kind !== 'given') last = lines.length
    frame = evolve(frame, event)
    // Inputs of contributors do not show whether the driver had released the thread.
    if (kind !== 'given') rested = isAtRest(frame)
    end += 1
  }
  const opening = events.slice(at + 1, at + 3).find(({ type }) => type === 'run.resumed')
  const resume = opening?.type === 'run.resumed' ? opening.data.cause : undefined
  const { run } = frame
  const openCalls = new Set(run && !isOver(run) ? [...items(run.calls)].map(({ id }) => id) : [])
  return { thread: start.thread, start, acquired, resume, lines: lines.slice(0, last), isOpen: !rested, openCalls, end }
}

/** Where the inputs begin that came right before a driver acquired the thread: it may have learned of them only when it appended. */
export function inputsBefore(events: readonly LoomEvent[], at: number): number {
  let from = at
  for (let event = events[from - 1]; event && isContributed(event) && !begins(event); event = events[from - 1]) from -= 1
  return from
}

/** Whether a thread or a run begins with an event: without it there was nothing to acquire. */
const begins = ({ type }: LoomEvent): boolean => type === 'run.started' || type.startsWith('thread.')

/** Whether an event is the result of a call that a failed run had left: the start of the next run brings it. */
export function isLeft({ run }: Frame, events: readonly LoomEvent[], at: number): boolean {
  if (run?.status !== 'failed') return false
  for (let next = at; events[next]; next += 1) {
    const event = events[next] as LoomEvent
    if (event.type !== 'tool.finished' && event.type !== 'tool.denied') return next > at && isStart(event)
  }
  return false
}

/** Whether an event requests that a run starts. */
export function isStart(event: LoomEvent): event is EventOf<'run.started'> | EventOf<'run.queued'> {
  return event.type === 'run.queued' || (event.type === 'run.started' && 'request' in event.data)
}

function kindOf(event: LoomEvent, frame: Frame, left: boolean): ScriptEntry['kind'] | undefined {
  if (notCompared.has(event.type)) return undefined
  if (left || event.type === 'memory.recorded' || isContributed(event)) return 'given'
  return isOptional(frame, event) ? 'optional' : 'made'
}

const notCompared: ReadonlySet<LoomEvent['type']> = new Set([
  ...(['driver.acquired', 'agent.upgraded', 'thread.adopted', 'model.streamed'] as const),
  ...(['workspace.changed', 'workspace.restore-started', 'workspace.restored'] as const),
])
const optionalTypes: ReadonlySet<LoomEvent['type']> = new Set(['run.suspended', 'run.resumed', 'tool.suspended'])

/** Whether an event depends on how often the thread was driven (RECORDED-5). */
function isOptional(frame: Frame, event: LoomEvent): boolean {
  if (event.type !== 'tool.started') return optionalTypes.has(event.type)
  return frame.run !== undefined && callOf(frame.run, event.data.call)?.start !== undefined
}

/** Whether an event of a driver is not compared, in the record or in the replay. */
export function isPassedOver(frame: Frame, event: LoomEvent): boolean {
  return notCompared.has(event.type) || isOptional(frame, event)
}

/** The track of an event; `frame` is what was before it. */
export function trackOf(frame: Frame, event: LoomEvent): string {
  if (event.type === 'question.answered' || event.type === 'question.expired') return questionOf(frame, event.data.id)?.call ?? runTrack
  const { call } = event.data as { readonly call?: string }
  return call ?? runTrack
}

const questionOf = (frame: Frame, id: string): Frame['questions'][string] | undefined =>
  Object.hasOwn(frame.questions, id) ? frame.questions[id] : undefined

const ends: ReadonlySet<LoomEvent['type']> = new Set(['tool.step-finished', 'child.finished', 'question.expired'])

/** The wait of a durable body that an event ends; undefined for every other event. */
export function endedWait({ type, data }: LoomEvent): string | undefined {
  if (!ends.has(type)) return undefined
  return 'key' in data && typeof data.key === 'string' ? data.key : questionPlaceOf('id' in data ? String(data.id) : '')
}

/** The place of a question: its id without the ordinal, which depends on what was asked before. */
export function questionPlaceOf(questionId: string): string {
  return questionId.slice(0, questionId.lastIndexOf('#'))
}
