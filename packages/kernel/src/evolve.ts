/**
 * evolve: the fold. One handler per event type.
 *
 * EVOLVE-1. `evolve` is pure and total: handlers change fresh copies only, never throw whatever order events come in, and an event that does not fit
 *     moves the position and nothing else. What is open where a thread is forked is decided anew, and without a budget unless one is granted.
 * REPLAY-1. Folding the same events gives the same frame, at every seq, live or read back (law 1).
 * EVOLVE-2. An unknown type or a newer version makes the frame readable but not drivable.
 */
import type { EventOf, EventType, LoomEvent } from './event.ts'
import { callHandlers, questionHandlers, signalReceived } from './evolve-call.ts'
import { contextHandlers } from './evolve-context.ts'
import { hookApplied } from './evolve-hook.ts'
import { type Call, emptyFrame, type Frame, freshRun, isOver, type Run, type RunStart } from './frame.ts'
import { addEntry, addMessage, change, closeTurn, type Folding, type Fresh, type Handlers, pay, propose, proposedAgain } from './fresh.ts'
import { own } from './json.ts'
import { append, emptyList, items, type List } from './list.ts'
import type { StartId } from './run-request.ts'
import { eventVersions } from './upcast.ts'

type ThreadEvent = `thread.${'started' | 'adopted' | 'forked'}` | 'driver.acquired' | 'run.queued' | 'run.started' | Contributed
type Contributed = `run.${'stop' | 'pause'}-requested` | `workspace.${'changed' | 'restore-started' | 'restored'}` | ContributedFact
type ContributedFact = 'message.steered' | 'signal.received' | 'memory.recorded' | 'labels.changed' | 'context.compact-requested'
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

/** Asks the queued run of this id, or without one the run under way, to stop or to pause. */
function ask(frame: Fresh<Frame>, id: string | undefined, asked: Partial<Run>): void {
  const { run, queue } = frame
  if (id !== undefined) frame.queue = queue.map((queued) => (queued.run === id ? { ...queued, ...asked } : queued))
  else if (run && !isOver(run)) change(run, asked)
}

/** Records that a start with an id led to this run. */
function noteStart(frame: Fresh<Frame>, start: StartId | undefined, run: string): void {
  if (start) frame.starts = append(frame.starts, { ...start, run })
}

/** Events that concern the thread, whether it has a run or not. */
const threadHandlers: { readonly [K in ThreadEvent]: (frame: Fresh<Frame>, event: EventOf<K>) => void } = {
  'thread.started'(frame, { data }) {
    frame.incarnation = data.incarnation ?? frame.thread
    frame.agent = data.agent
    frame.labels = data.labels
    frame.parent = data.parent
  },
  'thread.adopted'(frame, { data }) {
    frame.agent = data.agent
  },
  'thread.forked'(frame, { data, time }) {
    frame.incarnation = data.incarnation ?? frame.thread
    Object.assign(frame, { fork: data, epoch: 0, takeovers: 0, restoring: false, queue: [], starts: emptyList(), questions: {}, hookAnswers: {} })
    const { run } = frame
    if (!run || run.status === 'finished' || run.status === 'stopped') return
    let calls: List<Call> = emptyList()
    for (const call of items(run.calls)) calls = append(calls, call.state === 'settled' ? call : proposedAgain(call))
    const { usage, lost, cost } = run
    const spent = { tokens: usage.input + usage.output + lost.tokens, cost: cost + lost.cost }
    const had = run.ungranted ?? run.limits
    const granted = { limits: { ...had, ...(data.limits ?? spent) }, ungranted: data.limits ? undefined : had }
    // A run that has failed stays so until it is resumed; why an earlier attempt failed says nothing about one that is made anew, or by another model.
    const going = run.status !== 'failed' && ({ status: 'active', since: time, error: run.sent || data.model ? undefined : run.error } as const)
    frame.run = { ...run, ...granted, calls, sent: undefined, stop: undefined, pause: false, ...going }
  },
  'labels.changed'(frame, { data }) {
    frame.labels = Object.fromEntries(Object.entries({ ...frame.labels, ...data.labels }).filter(([, value]) => value !== null))
  },
  'driver.acquired'(frame, { data, time }) {
    // A driver that died before its first commit has left nothing but its epoch.
    frame.takeovers += data.epoch - frame.epoch
    frame.epoch = data.epoch
    const { run } = frame
    // The driver before may have been lost: what it did until its last event was driven time.
    if (run?.since !== undefined) frame.run = { ...run, driven: run.driven + Math.max(0, frame.time - run.since), since: time }
  },
  'run.queued'(frame, { data, seq }) {
    frame.runs += 1
    frame.queue = [...frame.queue, { ...data, seq }]
    noteStart(frame, data.request.start, data.run)
  },
  'run.started'(frame, event) {
    const { data } = event
    const started: RunStart | undefined = 'request' in data ? data : frame.queue.find(({ seq }) => seq === data.queued)
    if (started === data) {
      frame.runs += 1
      noteStart(frame, started.request.start, data.run)
    }
    frame.queue = frame.queue.filter((queued) => queued !== started)
    if (!started) return
    if (frame.run) closeTurn({ frame, run: frame.run }, event)
    const { input, pin, taint } = started.request
    for (const message of input) addMessage(frame, event, { origin: 'input', message, ...(pin && { pin }), ...(taint && { taint }) })
    frame.run = freshRun(started, { turn: frame.turn, time: event.time })
    frame.questions = {}
    frame.hookAnswers = {}
    frame.hooked = []
  },
  'message.steered'(frame, { data, seq }) {
    const steered = { seq, priority: data.priority ?? 0, message: data.message }
    frame.steering = [...frame.steering, steered].sort((a, b) => b.priority - a.priority || a.seq - b.seq)
    noteStart(frame, data.start, frame.run?.id ?? '')
  },
  'run.stop-requested': (frame, { time: at, data: { run, reason, limit, max = 0 } }) =>
    ask(frame, run, { stop: limit ? { reason, kind: 'limit', max, at } : { reason, kind: 'cancelled' } }),
  // A paused run does not wake by itself.
  'run.pause-requested': (frame, { data }) => ask(frame, data.run, { pause: true, until: undefined }),
  'context.compact-requested'(frame) {
    frame.compact = true
  },
  'signal.received': signalReceived,
  'memory.recorded'() {},
  'workspace.changed'() {},
  'workspace.restore-started'(frame) {
    frame.restoring = true
  },
  'workspace.restored'(frame) {
    frame.restoring = false
    frame.takeovers = 0
  },
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
    for (const { message } of frame.steering) addMessage(frame, event, { origin: 'steered', message })
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
