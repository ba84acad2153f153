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
import { canonicalJson, quickDigest } from './json.ts'
import { emptyList, items } from './list.ts'
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

/** How many recent calls are compared when looking for a loop. */
const loopWindow = 20

/** Name, canonical arguments and result make a call the same as an earlier one; within one turn it counts once. */
function noteRepetition(run: Fresh<Run>): void {
  const signatures = new Map<string, string>()
  for (const { part, input, outcome } of items(run.calls)) {
    const text = `${part.name}\n${canonicalJson(input)}\n${JSON.stringify(outcome?.output.value ?? null)}`
    signatures.set(quickDigest(text), part.name)
  }
  run.recent = [...run.recent, ...signatures.keys()].slice(-loopWindow)
  run.repeated = undefined
  for (const [signature, tool] of signatures) {
    const count = run.recent.filter((other) => other === signature).length
    if (count > (run.repeated?.count ?? 1)) run.repeated = { tool, count }
  }
}

/** Moves the calls of a turn into the history as one tool message: results stay next to their calls, in call order. */
function closeTurn(frame: Fresh<Frame>, run: Fresh<Run>, event: LoomEvent): void {
  if (run.calls.length === 0) return
  const results: CallResult[] = []
  for (const { id, part, outcome } of items(run.calls)) {
    results.push({
      call: id,
      id: part.id,
      name: part.name,
      output: outcome?.output ?? { type: 'error', value: 'This call was never answered.' },
    })
  }
  tell(frame, event, { origin: 'results', message: { role: 'tool', results } })
  if (run.limits.loop !== false) noteRepetition(run)
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
  const { limits, settings = {} } = request
  const spent = { usage: { input: 0, output: 0 }, cost: 0, unpriced: 0, lost: { tokens: 0, cost: 0 }, driven: 0, since: event.time }
  const turn = { firstTurn: frame.turn + 1, attempt: 0, calls: emptyList<Call>(), unsettled: 0, recent: [], repairs: 0 }
  frame.run = { id, status: 'active', phase: 'enter', request, limits, settings, ...spent, ...turn, pause: false, reminded: false }
  frame.questions = {}
  frame.hookAnswers = {}
}

function endRun(frame: Fresh<Frame>, run: Fresh<Run>, ended: { event: LoomEvent; status: Run['status'] }): boolean {
  if (isOver(run)) return false
  closeTurn(frame, run, ended.event)
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
  'thread.started': (frame, { data }) => void Object.assign(frame, data),
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
  'run.suspended': (_frame, run, { time }) => {
    run.status = 'suspended'
    stopWatch(run, time)
  },
  'run.resumed': (_frame, run, { time }) => {
    Object.assign(run, { status: 'active', since: time, pause: false, end: undefined, error: undefined, retryAt: undefined })
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
    Object.assign(run, { phase: 'context', attempt: 0, retryAt: undefined, verdict: undefined })
  },
  'context.assembled': (frame, run, { data: { rebase } }) => {
    const { context } = frame
    const base = rebase ? { keepFrom: 0, ...rebase, rebases: context.rebases + 1 } : context
    frame.context = { ...base, covered: frame.history.length }
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
    const sent = { attempt, epoch: frame.epoch, tokens: reserved?.tokens ?? 0, cost: reserved?.cost ?? 0 }
    Object.assign(run, { attempt, sent, retryAt: undefined, patch: undefined })
  },
  'model.replied': (frame, run, event) => {
    const { parts, usage, cost, output } = event.data
    tell(frame, event, { origin: 'reply', message: { role: 'assistant', parts } })
    propose(frame, run, parts)
    run.usage = addUsage(run.usage, usage)
    run.cost += cost ?? 0
    run.unpriced += cost === undefined ? 1 : 0
    run.sent = undefined
    run.verdict = output
    frame.takeovers = 0
  },
  'model.failed': (_frame, run, { data: { error, retryAt, usage, cost } }) => {
    if (usage) run.usage = addUsage(run.usage, usage)
    else if (run.sent) run.lost = { tokens: run.lost.tokens + run.sent.tokens, cost: run.lost.cost + run.sent.cost }
    run.cost += cost ?? 0
    Object.assign(run, { sent: undefined, error, retryAt })
  },
  'limit.raised': (_frame, run, { data, time }) => {
    run.limits = { ...run.limits, ...data.limits }
    const resumable = run.end?.kind === 'limit' || run.end?.kind === 'budget'
    if (resumable) Object.assign(run, { status: 'active', end: undefined, since: time })
  },
  'agent.upgraded': (_frame, run, { data }) => {
    run.request = { ...run.request, agent: { ...run.request.agent, fingerprint: data.to } }
  },
}
