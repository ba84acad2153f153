/**
 * evolve: the fold. One handler per event type.
 *
 * K7. `evolve` is pure and total: handlers change fresh copies only, never throw whatever order events come in, and an event that does not fit
 *     moves the position and nothing else.
 * K8. An unknown type or a newer version makes the frame readable but not drivable.
 */
import { type EventOf, type EventType, eventVersions, type LoomEvent, type RunRequest } from './event.ts'
import { callHandlers } from './evolve-call.ts'
import { hookApplied } from './evolve-hook.ts'
import { type Call, type Frame, isOver, type Run } from './frame.ts'
import { type Fresh, type Handlers, propose, tell } from './fresh.ts'
import { at, emptyList } from './list.ts'
import { addUsage, type CallResult } from './message.ts'

type ThreadEvent =
  | 'thread.started'
  | 'thread.forked'
  | 'driver.acquired'
  | 'run.queued'
  | 'run.started'
  | 'message.steered'
  | 'memory.recorded'

/** The frame after an event: the only way a frame comes to be. */
export function evolve(frame: Frame, event: LoomEvent): Frame {
  const next: Fresh<Frame> = { ...frame, seq: event.seq, time: event.time }
  const run: Fresh<Run> | undefined = frame.run && { ...frame.run }
  if (run) next.run = run
  const ofThread = threadHandlers[event.type as ThreadEvent] as ((frame: Fresh<Frame>, event: LoomEvent) => void) | undefined
  const ofRun = runHandlers[event.type as Exclude<EventType, ThreadEvent>] as Handlers<EventType>[EventType] | undefined
  if ((!ofThread && !ofRun) || event.v > (eventVersions[event.type] ?? 1)) next.unknown ??= { type: event.type, v: event.v, seq: event.seq }
  else if (ofThread) ofThread(next, event)
  else if (run) ofRun?.(next, run, event as never)
  return next
}

/** Moves the calls of a turn into the history as one tool message: results stay next to their calls, in call order. */
function closeTurn(frame: Fresh<Frame>, run: Fresh<Run>, event: LoomEvent): void {
  if (run.calls.length === 0) return
  const results: CallResult[] = []
  for (let index = 0; index < run.calls.length; index += 1) {
    const { id, part, outcome } = at(run.calls, index) as Call
    results.push({
      call: id,
      id: part.id,
      name: part.name,
      output: outcome?.output ?? { type: 'error', value: 'This call was never answered.' },
    })
  }
  tell(frame, event, { origin: 'results', message: { role: 'tool', results } })
  run.calls = emptyList()
  run.unsettled = 0
}

/** Adds the time since the driver began to the driven time, and stops the watch. */
function stopWatch(run: Fresh<Run>, time: number): void {
  run.driven += Math.max(0, time - (run.since ?? time))
  run.since = undefined
}

function startRun(frame: Fresh<Frame>, event: LoomEvent, started: { run: string; request: RunRequest }): void {
  const { run: id, request } = started
  if (frame.run) closeTurn(frame, frame.run, event)
  for (const message of request.input) tell(frame, event, { origin: 'input', message })
  frame.run = {
    id,
    status: 'active',
    phase: 'enter',
    request,
    limits: request.limits,
    settings: request.settings ?? {},
    firstTurn: frame.turn + 1,
    attempt: 0,
    sent: undefined,
    retryAt: undefined,
    partial: undefined,
    verdict: undefined,
    calls: emptyList(),
    unsettled: 0,
    usage: { input: 0, output: 0 },
    cost: 0,
    unpriced: 0,
    lost: { tokens: 0, cost: 0 },
    driven: 0,
    since: event.time,
    until: undefined,
    stop: undefined,
    pause: false,
    repairs: 0,
    reminded: false,
    recent: [],
    repeated: undefined,
    patch: undefined,
    rebase: undefined,
    end: undefined,
    error: undefined,
    output: undefined,
  }
  frame.questions = {}
  frame.hookAnswers = {}
}

function endRun(frame: Fresh<Frame>, run: Fresh<Run>, ended: { event: LoomEvent; status: Run['status'] }): boolean {
  if (isOver(run)) return false
  // A failed run may be resumed: its calls stay as they are.
  if (ended.status !== 'failed') closeTurn(frame, run, ended.event)
  stopWatch(run, ended.event.time)
  run.status = ended.status
  run.sent = undefined
  run.stop = undefined
  run.pause = false
  frame.questions = {}
  frame.takeovers = 0
  return true
}

/** Events that concern the thread, whether it has a run or not. */
const threadHandlers: { readonly [K in ThreadEvent]: (frame: Fresh<Frame>, event: EventOf<K>) => void } = {
  'thread.started': (frame, { data }) => {
    frame.agent = data.agent
    frame.labels = data.labels
    frame.parent = data.parent
  },
  'thread.forked': (frame, { data }) => {
    frame.forkedFrom = data.from
  },
  'driver.acquired': (frame, { data, time }) => {
    frame.epoch = data.epoch
    frame.takeovers += 1
    if (frame.run?.since !== undefined) frame.run = { ...frame.run, since: time }
  },
  'run.queued': (frame, { data, seq }) => {
    frame.runs += 1
    frame.queue = [...frame.queue, { ...data, seq }]
  },
  'run.started': (frame, event) => {
    const { data } = event
    if ('request' in data) {
      frame.runs += 1
      return startRun(frame, event, data)
    }
    const queued = frame.queue.find((candidate) => candidate.seq === data.queued)
    frame.queue = frame.queue.filter((candidate) => candidate !== queued)
    if (queued) startRun(frame, event, queued)
  },
  'message.steered': (frame, { data, seq }) => {
    const steered = { seq, priority: data.priority ?? 0, message: data.message }
    frame.steering = [...frame.steering, steered].sort((a, b) => b.priority - a.priority || a.seq - b.seq)
  },
  'memory.recorded': () => {},
}

/** Events that concern the run. */
const runHandlers: Handlers<Exclude<EventType, ThreadEvent>> = {
  ...callHandlers,
  'hook.applied': hookApplied,
  'run.suspended': (_frame, run, { data, time }) => {
    run.status = 'suspended'
    run.until = data.until
    stopWatch(run, time)
  },
  'run.resumed': (_frame, run, { time }) => {
    run.status = 'active'
    run.since = time
    run.until = undefined
    run.pause = false
    run.end = undefined
    run.error = undefined
    run.retryAt = undefined
    run.attempt = 0
    run.repairs = 0
  },
  'run.stop-requested': (_frame, run, { data }) => {
    if (!isOver(run)) run.stop = { reason: data.reason, kind: 'cancelled' }
  },
  'run.pause-requested': (_frame, run) => {
    run.pause = !isOver(run)
  },
  'run.finished': (frame, run, event) => {
    if (endRun(frame, run, { event, status: 'finished' })) run.output = event.data.output
  },
  'run.failed': (frame, run, event) => {
    if (endRun(frame, run, { event, status: 'failed' })) run.error = event.data.error
  },
  'run.stopped': (frame, run, event) => {
    if (endRun(frame, run, { event, status: 'stopped' })) run.end = event.data
  },
  'turn.entered': (frame, run, event) => {
    closeTurn(frame, run, event)
    const { turn, notes = [] } = event.data
    for (const note of notes) tell(frame, event, { origin: 'note', message: { role: 'user', parts: [{ type: 'text', text: note.text }] } })
    for (const { message } of frame.steering) tell(frame, event, { origin: 'steered', message })
    frame.turn = turn
    frame.steering = []
    frame.hookAnswers = {}
    run.repairs += notes.filter((note) => note.kind === 'repair').length
    run.reminded ||= notes.some((note) => note.kind === 'done')
    run.phase = 'context'
    run.patch = undefined
    run.attempt = 0
    run.retryAt = undefined
    run.verdict = undefined
  },
  'context.assembled': (frame, run, { data: { rebase } }) => {
    const { context } = frame
    const { system, tools, lead, keepFrom = 0 } = rebase ?? context
    const rebases = context.rebases + (rebase ? 1 : 0)
    frame.context = { rebases, system, tools, lead, keepFrom, covered: frame.history.length }
    run.phase = 'model'
    run.rebase = undefined
  },
  'context.compressed': () => {},
  'context.compression-failed': () => {},
  'retrieval.finished': (frame, _run, event) => {
    const text = event.data.documents.map((document) => `[${document.id}] ${document.title ?? ''}\n${document.text}`).join('\n\n')
    tell(frame, event, { origin: 'retrieved', message: { role: 'user', parts: [{ type: 'text', text }] } })
  },
  'model.requested': (frame, run, { data: { attempt, reserved } }) => {
    run.attempt = attempt
    run.sent = { attempt, epoch: frame.epoch, tokens: reserved?.tokens ?? 0, cost: reserved?.cost ?? 0 }
    run.retryAt = undefined
  },
  'model.replied': (frame, run, event) => {
    const { parts, usage, cost, output } = event.data
    tell(frame, event, { origin: 'reply', message: { role: 'assistant', parts } })
    propose(frame, run, parts)
    run.usage = addUsage(run.usage, usage)
    run.cost += cost ?? 0
    run.unpriced += cost === undefined ? 1 : 0
    run.sent = undefined
    run.error = undefined
    run.partial = undefined
    run.verdict = output
    frame.takeovers = 0
  },
  'model.failed': (_frame, run, { data: { error, retryAt, usage, cost, partial } }) => {
    if (usage) run.usage = addUsage(run.usage, usage)
    else if (run.sent) run.lost = { tokens: run.lost.tokens + run.sent.tokens, cost: run.lost.cost + run.sent.cost }
    run.cost += cost ?? 0
    run.sent = undefined
    run.error = error
    run.retryAt = retryAt
    run.partial = partial
  },
  'limit.raised': (_frame, run, { data, time }) => {
    run.limits = { ...run.limits, ...data.limits }
    const resumable = run.end?.kind === 'limit' || run.end?.kind === 'budget'
    if (!resumable) return
    run.status = 'active'
    run.end = undefined
    run.since = time
  },
  'agent.upgraded': (_frame, run, { data }) => {
    run.request = { ...run.request, agent: { ...run.request.agent, fingerprint: data.to } }
  },
}
