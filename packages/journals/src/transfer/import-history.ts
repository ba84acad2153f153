/**
 * Whether an event can follow those before it: what it refers to exists.
 *
 * IMPORT-10. Imported events are in an order in which Loom could have written them: drivers, runs and turns count up, an event names the run and the
 *            turn in force, and a call, a question, an attempt or a child that it is about was begun and has not ended.
 */
import { callOf, type EventOf, type EventType, type Frame, isOver, type LoomEvent, type Run } from '@loom-agent/kernel'

/** A thread before an event, and whether a fork has had no driver yet: its edits may make what otherwise follows from a request. */
interface Before {
  readonly frame: Frame
  readonly isEdited: boolean
}

type Checks = { readonly [T in EventType]?: (frame: Frame, event: EventOf<T>, run: Run | undefined) => string | undefined }

const check = (isRight: boolean, problem: string): string | undefined => (isRight ? undefined : problem)

const started = (frame: Frame, run: string): string | undefined =>
  check(run === `r${frame.runs + 1}`, `it asks for the run ${run}, and r${frame.runs + 1} is next`)

/** About an attempt at the model. */
const attempted = (_frame: Frame, _event: LoomEvent, run: Run | undefined): string | undefined => check(run?.sent !== undefined, 'no model was asked')

/** About a call that has no result yet. */
function called(_frame: Frame, event: { readonly data: { readonly call: string } }, run: Run | undefined): string | undefined {
  const call = run && callOf(run, event.data.call)
  if (!call) return `no reply of this turn proposed the call ${event.data.call}`
  return check(call.state !== 'settled', `the call ${event.data.call} has its result already`)
}

/** About a question that is open. */
const answered = (frame: Frame, { data }: { readonly data: { readonly id: string } }): string | undefined =>
  check(Object.hasOwn(frame.questions, data.id), `the question ${data.id} is not open`)

const checks: Checks = {
  'thread.started': (frame) => check(frame.seq === 0, 'the thread has started before'),
  'thread.adopted': (frame, { data }) => check(data.from === (frame.agent ?? data.from), `the thread does not belong to ${data.from}`),
  'driver.acquired': (frame, { data }) => check(data.epoch > frame.epoch, `the epoch ${data.epoch} comes after ${frame.epoch}`),
  'run.queued': (frame, { data }) => started(frame, data.run),
  'run.started'(frame, { data }, run) {
    if (run && !isOver(run)) return `the run ${run.id} is not over`
    const [next] = frame.queue
    if ('request' in data) return started(frame, data.run)
    return check(next?.seq === data.queued && next.run === data.run, `the run ${data.run} is not next in the queue`)
  },
  'turn.entered': (frame, { data }) => check(data.turn === frame.turn + 1, `the turn ${data.turn} comes after ${frame.turn}`),
  'context.compressed': (frame, { data: { from, to } }) => check(from <= to && to <= frame.seq, 'it stands for events that are not before it'),
  'model.replied': attempted,
  'model.failed': attempted,
  'tool.denied': called,
  'tool.started': called,
  'tool.step-started': called,
  'tool.step-finished': called,
  'tool.suspended': called,
  'tool.finished': called,
  'tool.in-doubt': called,
  'child.started': called,
  'child.finished'(frame, event, run) {
    const { call, key, child } = event.data
    const problem = called(frame, event, run)
    if (problem !== undefined || !run) return problem
    const isOpen = callOf(run, call)?.open.some((step) => step.key === key && step.child === child)
    return check(isOpen === true, `the call ${call} has not started the child ${child}`)
  },
  'question.asked'(frame, event, run) {
    const { id, call, kind } = event.data
    if (Object.hasOwn(frame.questions, id)) return `the question ${id} is open already`
    // A hook may look at a result and ask about it.
    if (call === undefined || (kind === 'hook' && run && callOf(run, call))) return undefined
    return called(frame, { data: { call } }, run)
  },
  'question.answered': answered,
  'question.expired': answered,
}

/** Events that a thread may have before its first run. */
const ofThread: ReadonlySet<EventType> = new Set<EventType>([
  ...([
    'thread.started',
    'thread.adopted',
    'thread.forked',
    'driver.acquired',
    'run.queued',
    'run.started',
    'labels.changed',
    'breakpoints.changed',
  ] as const),
  ...(['memory.recorded', 'message.steered', 'signal.received', 'run.stop-requested', 'run.pause-requested'] as const),
  ...(['workspace.changed', 'workspace.restore-started', 'workspace.restored'] as const),
  ...(['schedule.set', 'schedule.due', 'schedule.started', 'webhook.moved'] as const),
])

/** Events that edits of a fork make without what they otherwise follow from. */
const edited: ReadonlySet<EventType> = new Set<EventType>(['model.replied', 'tool.finished', 'tool.denied', 'question.answered'])

/** Why an event cannot follow those before it; undefined if it can. */
export function historyProblem({ frame, isEdited }: Before, event: LoomEvent): string | undefined {
  const { run } = frame
  if (!run && !ofThread.has(event.type)) return 'there is no run'
  if (isEdited && edited.has(event.type)) return undefined
  const judge = checks[event.type] as ((frame: Frame, event: LoomEvent, run: Run | undefined) => string | undefined) | undefined
  return judge?.(frame, event, run)
}

/** Why the run or the turn that an event names is not in force, given the thread after it; undefined if they are. */
export function placeProblem({ run, turn }: Frame, event: LoomEvent): string | undefined {
  const inForce = event.type === 'run.queued' ? event.data.run : run?.id
  if (event.run !== inForce) return `it is of the run ${event.run}, and ${inForce} is in force`
  return check((event.turn ?? 0) === turn, `it is of the turn ${event.turn}, and ${turn} is in force`)
}
