/**
 * evolve: the fold. One handler per event type.
 *
 * EVOLVE-1. `evolve` is pure and total: handlers change fresh copies only, never throw whatever order events come in, and an event that does not fit
 *     moves the position and nothing else. What is open where a thread is forked is decided anew, and without a budget unless one is granted.
 * REPLAY-1. Folding the same events gives the same frame, at every seq, live or read back (law 1).
 * EVOLVE-2. An unknown type or a newer version makes the frame readable but not drivable.
 */
import type { EventType, LoomEvent } from './event.ts'
import { callHandlers, questionHandlers } from './evolve-call.ts'
import { contextHandlers } from './evolve-context.ts'
import { hookApplied } from './evolve-hook.ts'
import { type ThreadEvent, threadHandlers } from './evolve-thread.ts'
import { emptyFrame, type Frame, isOver, type Run } from './frame.ts'
import { addEntry, addMessage, change, closeTurn, type Folding, type Fresh, type Handlers, pay, propose } from './fresh.ts'
import { own } from './json.ts'
import { addTaint } from './taint.ts'
import { eventVersions } from './upcast.ts'

type RunEvent = Exclude<EventType, ThreadEvent>

/** The frame after an event: the only way in which frames are made. */
export function evolve(frame: Frame, event: LoomEvent): Frame {
  const next = freshCopy(frame)
  apply(next, event)
  return next
}

/** The frame after the given events. One fresh copy takes them all: nobody sees the frames in between. */
export function fold(thread: string, events: Iterable<LoomEvent>, start: Frame = emptyFrame(thread)): Frame {
  const next = freshCopy(start)
  for (const event of events) apply(next, event)
  return next
}

const freshCopy = (frame: Frame): Fresh<Frame> => ({ ...frame, run: frame.run && { ...frame.run } })

/** Changes a fresh frame, whose run is fresh too. */
function apply(frame: Fresh<Frame>, event: LoomEvent): void {
  const { type, v, seq } = event
  const run: Fresh<Run> | undefined = frame.run
  const ofRun = own(runHandlers, type as RunEvent)
  const ofThread = ofRun ? undefined : own(threadHandlers, type as ThreadEvent)
  if ((!ofRun && !ofThread) || v > (own(eventVersions, type) ?? 1)) frame.unknown ??= { type, v, seq }
  else if (ofThread) ofThread(frame, event as never)
  else if (run && (!isOver(run) || forEnded.has(type))) ofRun?.({ frame, run }, event as never)
  // Last, so that handlers see when the event before was stored.
  frame.seq = seq
  frame.time = event.time
}

/** Events that can concern a run that has ended: it may go on, and the calls of a failed one may still get answers and results. */
const forEnded: ReadonlySet<string> = new Set([
  ...['run.resumed', 'limit.raised', 'agent.upgraded', 'question.answered', 'question.expired'],
  ...Object.keys(callHandlers),
])

/** Adds the time since driving started to the driven time, and stops counting. */
function stopCounting(run: Fresh<Run>, time: number): void {
  run.driven += Math.max(0, time - (run.since ?? time))
  run.since = undefined
}

function endRun({ frame, run }: Folding, event: LoomEvent, ended: Partial<Run>): void {
  if (isOver(run)) return
  // A failed run may be resumed: its calls stay as they are, with their questions.
  const hasFailed = ended.status === 'failed'
  if (!hasFailed) closeTurn({ frame, run }, event)
  const { partial: text } = run
  if (ended.end?.partial && text) addMessage(frame, event, { origin: 'reply', message: { role: 'assistant', parts: [{ type: 'text', text }] } })
  stopCounting(run, event.time)
  frame.run = { ...run, sent: undefined, stop: undefined, pause: false, ...ended }
  frame.questions = Object.fromEntries(Object.entries(frame.questions).filter(([, { call }]) => hasFailed && call !== undefined))
  frame.takeovers = 0
}

const none: readonly never[] = []
const noAnswers = {}

/** Events that concern the run. */
const runHandlers: Handlers<RunEvent> = {
  ...callHandlers,
  ...questionHandlers,
  ...contextHandlers,
  'hook.applied': hookApplied,
  'run.suspended'({ frame, run }, { data, time }) {
    stopCounting(run, time)
    frame.takeovers = 0
    run.status = 'suspended'
    run.until = data.until
    if (!data.stop) return
    change(run, { pause: true, passed: data.stop.at })
    frame.breakpoints = frame.breakpoints.filter(({ id, once }) => !once || !data.stop?.hit.includes(id))
  },
  'run.resumed'({ run }, { time }) {
    if (run.status === 'finished' || run.status === 'stopped') return
    const fresh = { end: undefined, error: undefined, retryAt: undefined, attempt: 0, tried: undefined, repairs: 0 }
    change(run, { status: 'active', since: time, until: undefined, pause: false, ...fresh })
  },
  'run.finished': (folding, event) => endRun(folding, event, { status: 'finished', output: event.data.output }),
  'run.failed': (folding, event) => endRun(folding, event, { status: 'failed', error: event.data.error }),
  'run.stopped': (folding, event) => endRun(folding, event, { status: 'stopped', end: event.data }),
  'turn.entered'({ frame, run }, event) {
    closeTurn({ frame, run }, event)
    const { turn, notes = none } = event.data
    for (const { text } of notes) addMessage(frame, event, { origin: 'note', message: { role: 'user', parts: [{ type: 'text', text }] } })
    for (const { seq, message, pin, taint } of frame.steering) {
      frame.taint = addTaint(frame.taint, taint, { seq })
      addMessage(frame, event, { origin: 'steered', message, ...(pin && { pin }), ...(taint && { taint }) })
    }
    frame.turn = turn
    if (frame.steering.length > 0) frame.steering = []
    if (frame.hooked.length > 0) frame.hooked = []
    frame.hookAnswers = noAnswers
    for (const { kind } of notes) {
      if (kind === 'repair') run.repairs += 1
      if (kind === 'done') run.reminded = true
    }
    // Field by field, as every turn comes here.
    run.phase = 'context'
    run.attempt = 0
    run.tried = undefined
    run.patch = undefined
    run.retryAt = undefined
    run.verdict = undefined
  },
  'model.requested'({ frame, run }, { time, data: { attempt, reserved } }) {
    run.attempt = attempt
    run.tried ??= time
    run.sent = { attempt, epoch: frame.epoch, tokens: reserved?.tokens ?? 0, cost: reserved?.cost ?? 0 }
    run.retryAt = undefined
  },
  'model.replied'({ frame, run }, event) {
    const { seq, turn = 0, data: reply } = event
    const { parts, usage, cost, output } = reply
    addEntry(frame, { seq, turn, origin: 'reply', message: { role: 'assistant', parts }, reply, rebases: frame.context.rebases })
    propose({ frame, run }, parts)
    pay(run, usage, cost)
    run.sent = undefined
    run.error = undefined
    run.partial = undefined
    run.verdict = output
    frame.takeovers = 0
  },
  'model.failed'({ run }, { data: { error, retryAt, usage, cost, partial } }) {
    const { sent, lost } = run
    const spent = usage || !sent ? lost : { tokens: lost.tokens + sent.tokens, cost: lost.cost + sent.cost }
    // A request that was lost with its process says nothing about the model: it is made again, and does not count.
    const attempt = error.code === 'LOOM_MODEL_LOST' ? Math.max(0, run.attempt - 1) : run.attempt
    change(run, { attempt, sent: undefined, error, retryAt, partial, lost: spent })
    pay(run, usage, cost)
  },
  'model.streamed'() {},
  'limit.raised'({ frame, run }, { data, time }) {
    const resumes = run.end?.kind === 'limit' || run.end?.kind === 'budget'
    const limits = { ...(run.ungranted ?? run.limits), ...data.limits }
    // An attempt that was aborted because the time was used up is no failure of the model.
    const retryAt = run.error?.code === 'LOOM_ABORTED' ? time : run.retryAt
    frame.run = { ...run, limits, ungranted: undefined, ...(resumes && { status: 'active', end: undefined, since: time, retryAt }) }
  },
  'agent.upgraded'({ run }, { data }) {
    run.request = { ...run.request, agent: { ...run.request.agent, fingerprint: data.to } }
  },
}
