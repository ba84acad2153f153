/** Rules about runs: their order, their ends, stops and suspensions. */
import type { EventOf, LoomEvent, ScheduleData, StartId } from '@loom-agent/kernel'
import { fileChecks } from './check-files.ts'
import { noteFork } from './check-forks.ts'
import { signalReceived } from './check-steps.ts'
import { blame, type Checks, isEnded, isPerformed, type Ledger, type QueuedNote, type RunChecks, type RunNote, unsettled } from './ledger.ts'

type ThreadEvent = `thread.${'started' | 'adopted' | 'forked'}` | 'driver.acquired' | 'run.queued' | 'run.started' | Contributed
type Contributed =
  | 'message.steered'
  | 'signal.received'
  | 'memory.recorded'
  | 'labels.changed'
  | 'breakpoints.changed'
  | keyof ScheduleData
  | 'context.compact-requested'
  | keyof typeof fileChecks

/** Events that concern the thread, whether it has a run or not. */
export const threadChecks: Checks<ThreadEvent> = {
  'thread.started': (ledger, { data }) => {
    ledger.agent = data.agent
  },
  'thread.adopted': (ledger, { data }) => {
    const { agent, from } = data
    if (from !== (ledger.agent ?? from)) blame(ledger, 'HIST-37', `${agent} adopts it from ${from}, and ${ledger.agent} has it.`)
    ledger.agent = agent
  },
  'thread.forked': fork,
  'driver.acquired': () => {},
  'run.queued': (ledger, { data, seq }) => {
    number(ledger, data.run)
    startOnce(ledger, data.request.start)
    ledger.queue = [...ledger.queue, { run: data.run, seq, limits: data.request.limits }]
  },
  'run.started': (ledger, { data }) => {
    if (ledger.run && !isEnded(ledger.run)) blame(ledger, 'HIST-7', `${data.run} starts while ${ledger.run.id} is ${ledger.run.status}.`)
    if (ledger.run) moveOn(ledger, ledger.run, `${data.run} starts`)
    if ('request' in data) {
      number(ledger, data.run)
      startOnce(ledger, data.request.start)
      if (ledger.queue.length > 0) blame(ledger, 'HIST-7', `${data.run} overtakes ${ledger.queue[0]?.run}, which is queued.`)
      return start(ledger, { run: data.run, limits: data.request.limits })
    }
    const next = ledger.queue[0]
    if (next?.seq !== data.queued || next.run !== data.run)
      blame(
        ledger,
        'HIST-7',
        `${data.run} (queued at ${data.queued}) starts, and ${next ? `${next.run} (${next.seq})` : 'nothing'} is next in the queue.`,
      )
    const queued = ledger.queue.find(({ seq }) => seq === data.queued)
    ledger.queue = ledger.queue.filter((candidate) => candidate !== queued)
    start(ledger, { limits: {}, ...queued, run: data.run })
  },
  'message.steered': (ledger, { data, seq }) => {
    startOnce(ledger, data.start)
    ledger.steered = [...ledger.steered, seq]
  },
  'signal.received': signalReceived,
  'memory.recorded': () => {},
  'labels.changed': () => {},
  'breakpoints.changed': (ledger, { data }) => {
    ledger.breakpoints = new Set(data.breakpoints.map(({ id }) => id))
  },
  'schedule.set': () => {},
  'schedule.due': () => {},
  'schedule.started': () => {},
  'webhook.moved': () => {},
  // A shorter context may be asked for at any time: it concerns the next model call, of whichever run.
  'context.compact-requested': () => {},
  ...fileChecks,
}

function startOnce(ledger: Ledger, start: StartId | undefined): void {
  if (!start) return
  if (ledger.starts.has(start.id)) blame(ledger, 'HIST-35', `The start ${start.id} is made again.`)
  ledger.starts.add(start.id)
}

function number(ledger: Ledger, run: string): void {
  ledger.runs += 1
  if (run !== `r${ledger.runs}`) blame(ledger, 'HIST-6', `The run is called ${run}, and r${ledger.runs} is next.`)
}

function start(ledger: Ledger, { run, limits, stop, pause = false }: Omit<QueuedNote, 'seq'>): void {
  ledger.questions.clear()
  ledger.run = {
    id: run,
    firstTurn: ledger.turn + 1,
    status: 'active',
    kind: undefined,
    limits,
    called: 0,
    calledBelow: 0,
    children: 0,
    stop: stop ? { epoch: ledger.epoch } : undefined,
    pause,
    phase: 'enter',
    attempt: 0,
    recounts: false,
    sent: undefined,
    hasText: false,
    failed: false,
    unfit: false,
    calls: [],
    inOrder: 0,
    known: new Map(),
  }
}

/** Where a thread is forked, whatever was open is decided again by drivers whose epochs count from 1. */
function fork(ledger: Ledger, { data }: EventOf<'thread.forked'>): void {
  const { run } = ledger
  const hasFailed = run?.status === 'failed'
  ledger.epoch = 0
  ledger.restoring = undefined
  ledger.breakpoints = new Set()
  ledger.fork = noteFork(data)
  ledger.queue = []
  ledger.starts.clear()
  ledger.questions.clear()
  if (!run || (isEnded(run) && !hasFailed)) return
  const status = hasFailed ? 'failed' : 'active'
  // Another model may do better.
  const failed = run.failed && data.model === undefined
  Object.assign(run, { status, failed, sent: undefined, stop: undefined, pause: false, limits: { ...run.limits, ...data.limits } })
  for (const call of run.calls.filter(({ settled }) => !settled)) {
    Object.assign(call, { standing: 'free', start: undefined })
    call.open.clear()
    for (const [id, child] of ledger.children) if (child.call === call.id && !child.finished) ledger.children.delete(id)
  }
}

/** The thread moves past the calls of a turn. */
export function moveOn(ledger: Ledger, run: RunNote, how: string): void {
  const open = unsettled(run)
  if (open.length > 0) blame(ledger, 'HIST-18', `${how}, and ${open.join(', ')} ${open.length === 1 ? 'has' : 'have'} no result.`)
  run.calls = []
}

type LifecycleEvent =
  | `run.${'suspended' | 'resumed' | 'stop-requested' | 'pause-requested' | 'finished' | 'failed' | 'stopped'}`
  | 'limit.raised'
  | 'agent.upgraded'

/** Events about the lifecycle of a run. */
export const lifecycleChecks: RunChecks<LifecycleEvent> = {
  'run.suspended': (ledger, run, { data: { reason, stop } }) => {
    if ((reason === 'breakpoint') !== (stop !== undefined) || stop?.hit.some((id) => !ledger.breakpoints.has(id)))
      blame(ledger, 'HIST-48', `${run.id} is suspended at a breakpoint that is not there.`)
    if (stop) run.pause = true
    if (run.status !== 'active') blame(ledger, 'HIST-9', `${run.id} is suspended, and it was ${run.status}.`)
    if (run.stop) blame(ledger, 'HIST-10', `${run.id} was asked to stop, and it is suspended instead.`)
    run.status = 'suspended'
  },
  'run.resumed': (ledger, run, { data: { cause } }) => {
    if (run.status !== 'suspended' && run.status !== 'failed') blame(ledger, 'HIST-9', `${run.id} is resumed, and it was ${run.status}.`)
    if (run.pause && cause === 'ready') blame(ledger, 'HIST-38', `${run.id} was asked to pause, and it goes on by itself.`)
    run.status = 'active'
    run.pause = false
    run.failed = false
    run.recounts = true
  },
  'run.stop-requested': (ledger, run, { data: { limit } }) => {
    if (limit && run.stop) blame(ledger, 'HIST-43', `${run.id} was asked to stop before, and now because its time is used up.`)
    if (limit && run.status !== 'active') blame(ledger, 'HIST-43', `${run.id} is ${run.status}, and that is no time of the run.`)
    run.stop = { epoch: run.stop?.epoch ?? ledger.epoch, isLimit: limit !== undefined }
  },
  'run.pause-requested': (_ledger, run) => {
    run.pause = true
  },
  'run.finished': (ledger, run, event) => {
    if (run.status === 'suspended') blame(ledger, 'HIST-9', `${run.id} finishes while it is suspended.`)
    if (run.stop) blame(ledger, 'HIST-10', `${run.id} was asked to stop, and it finishes instead.`)
    if (ledger.questions.size > 0) blame(ledger, 'HIST-31', `${run.id} finishes while ${[...ledger.questions.keys()].join(', ')} is open.`)
    if (run.phase !== 'replied' || run.calls.length > 0) blame(ledger, 'HIST-32', `${run.id} finishes without a final answer.`)
    else if (run.unfit) blame(ledger, 'HIST-32', `${run.id} finishes with an answer that does not fit its form.`)
    if (ledger.steered.length > 0)
      blame(ledger, 'HIST-33', `${run.id} finishes, and no turn took in what was steered at ${ledger.steered.join(', ')}.`)
    end(ledger, run, event)
  },
  'run.failed': (ledger, run, event) => {
    const busy = run.calls.filter((call) => isPerformed(ledger, call))
    if (busy.length > 0) blame(ledger, 'HIST-18', `${run.id} fails while ${busy.map(({ id }) => id).join(', ')} is performed.`)
    end(ledger, run, event)
  },
  'run.stopped': (ledger, run, event) => {
    const { kind, partial } = event.data
    const hasText = kind === 'cancelled' && run.hasText && !run.sent
    if (kind === 'cancelled' && !run.stop) blame(ledger, 'HIST-11', `${run.id} is cancelled, and no stop was requested.`)
    if (run.stop?.isLimit && kind !== 'limit')
      blame(ledger, 'HIST-43', `${run.id} was to stop because its time is used up, and its stop says ${kind}.`)
    // More time may be granted: then the model is asked again.
    if (run.stop?.isLimit) run.failed = false
    end(ledger, run, event)
    if (partial && !hasText) blame(ledger, 'HIST-42', `${run.id} keeps text of an attempt, and none is left.`)
    run.kind = kind
  },
  'limit.raised': (_ledger, run, { data }) => {
    run.limits = { ...run.limits, ...data.limits }
    if (run.status === 'stopped' && (run.kind === 'limit' || run.kind === 'budget')) run.status = 'active'
  },
  'agent.upgraded': () => {},
}

/** A queued run was asked to stop or to pause: it does so when it starts. */
export function askQueued(ledger: Ledger, run: string, asked: Pick<QueuedNote, 'stop' | 'pause'>): void {
  if (!ledger.queue.some((queued) => queued.run === run)) blame(ledger, 'HIST-8', `A request names ${run}, which is not queued.`)
  ledger.queue = ledger.queue.map((queued) => (queued.run === run ? { ...queued, ...asked } : queued))
}

/** A failed run may be resumed, and then continues with the calls it had and the questions about them; every other end drops them. */
function end(ledger: Ledger, run: RunNote, event: LoomEvent): void {
  if (run.sent?.epoch === ledger.epoch) blame(ledger, 'HIST-14', `${run.id} ends while attempt ${run.sent.attempt} is under way.`)
  if (event.type !== 'run.failed') moveOn(ledger, run, `${run.id} ends`)
  const statuses = { 'run.finished': 'finished', 'run.failed': 'failed', 'run.stopped': 'stopped' } as const
  run.status = statuses[event.type as keyof typeof statuses]
  run.sent = undefined
  run.stop = undefined
  run.pause = false
  run.kind = undefined
  for (const [id, { asked }] of ledger.questions) if (run.status !== 'failed' || asked.call === undefined) ledger.questions.delete(id)
}
