/** Events that concern the thread, whether it has a run or not: part of `evolve`. */
import type { EventOf } from './event.ts'
import { signalReceived } from './evolve-call.ts'
import { type Call, type Frame, freshRun, isOver, type Run, type RunStart } from './frame.ts'
import { addMessage, change, closeTurn, type Fresh, proposedAgain } from './fresh.ts'
import { append, emptyList, items, type List } from './list.ts'
import type { StartId } from './run-request.ts'
import type { ScheduleData } from './schedule-facts.ts'
import { addTaint } from './taint.ts'

/** The types of these events. */
export type ThreadEvent = `thread.${'started' | 'adopted' | 'forked'}` | 'driver.acquired' | 'run.queued' | 'run.started' | Contributed
type Contributed = keyof ScheduleData | RequestOrRestore | ContributedFact
type RequestOrRestore = `run.${'stop' | 'pause'}-requested` | `workspace.${'changed' | 'restore-started' | 'restored'}`
type ContributedFact = `${'labels' | 'breakpoints'}.changed` | 'message.steered' | 'signal.received' | 'memory.recorded' | 'context.compact-requested'

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

/** A schedule says itself when it is looked at next. */
function wakes(frame: Fresh<Frame>, { data }: { readonly data: { readonly wakeAt?: number } }): void {
  frame.wakeAt = data.wakeAt
}

/** Their handlers. */
export const threadHandlers: { readonly [K in ThreadEvent]: (frame: Fresh<Frame>, event: EventOf<K>) => void } = {
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
    frame.breakpoints = []
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
  'breakpoints.changed'(frame, { data }) {
    frame.breakpoints = data.breakpoints
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
    // What a parent has read is named by the parent.
    frame.taint = addTaint(frame.taint, taint, frame.parent ? {} : { seq: event.seq })
    for (const message of input) addMessage(frame, event, { origin: 'input', message, ...(pin && { pin }), ...(taint && { taint }) })
    frame.run = freshRun(started, { turn: frame.turn, time: event.time })
    frame.questions = {}
    frame.hookAnswers = {}
    frame.hooked = []
  },
  'message.steered'(frame, { data, seq }) {
    const { message, pin, taint } = data
    const steered = { seq, priority: data.priority ?? 0, message, ...(pin && { pin }), ...(taint && { taint }) }
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
  'signal.received'(frame, event) {
    frame.taint = addTaint(frame.taint, event.data.taint, { seq: event.seq })
    signalReceived(frame, event)
  },
  'schedule.set': wakes,
  'schedule.due': wakes,
  'schedule.started': wakes,
  'webhook.moved'() {},
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
