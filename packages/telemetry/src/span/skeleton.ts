/** The skeleton of a thread: its spans, without what was said in them. */
import type { EventOf, EventType, LoomEvent } from '@loom-agent/kernel'
import type { Projection } from '../view/projection.ts'
import { type Columns, emptyColumns, type SpanStatus, spanKinds } from './columns.ts'
import { type At, charge, close, type Ending, open, reopen } from './span-writer.ts'

/** The columns, and what is open: indexes of spans, -1 for none. */
interface SkeletonState {
  readonly columns: Columns
  run: number
  turn: number
  /** What makes a run that has ended go on: being resumed, or a limit that is raised. */
  goesOnBy: 'resume' | 'limit' | ''
  /** The model of the run, for requests that name none. */
  model: string
  context: number
  request: number
  wait: number
  /** The names of the tools that the last reply called, by the index of the call. */
  called: string[]
  /** Open spans by what they are of: a call, a step, a question, a child. */
  open: { [what: string]: number }
  /** How many must still approve an open question. */
  approvals: { [question: string]: number }
  /** The models of queued runs, by the seq of their event. */
  queued: { [seq: string]: string }
  /** Which lanes of the turn are taken. */
  lanes: boolean[]
}

type Handlers = { readonly [T in EventType]?: (state: SkeletonState, event: EventOf<T>) => void }

/**
 * Runs, turns, model calls, tool calls, steps, questions, children and waits as spans, in columns.
 *
 * @example
 * const { view } = await createProjector(journal).view(skeleton, 'user-123')
 * for (const { kind, name, start, end } of spansOf(view)) console.log(kind, name, start, end)
 */
export const skeleton: Projection<SkeletonState, Columns> = {
  name: 'skeleton',
  version: 1,
  start: () => ({
    columns: emptyColumns(),
    ...{ run: -1, turn: -1, context: -1, request: -1, wait: -1, model: '', goesOnBy: '' as const },
    ...{ called: [], open: {}, approvals: {}, queued: {}, lanes: [] },
  }),
  apply(state, event) {
    const handle = handlers[event.type] as ((state: SkeletonState, event: LoomEvent) => void) | undefined
    handle?.(state, event)
  },
  view: ({ columns }) => columns,
}

const toolKind = spanKinds.indexOf('tool')

const callKey = (call: string): string => `call ${call}`
const stepKey = (call: string, key: string): string => `step ${call} ${key}`
const childKey = (call: string, key: string): string => `child ${call} ${key}`
const questionKey = (id: string): string => `question ${id}`

/** The name of the tool of a call: its id ends with its place in the reply. */
const toolOf = ({ called }: SkeletonState, call: string): string => called[Number(call.slice(call.indexOf('.') + 1))] ?? call

function lowestLane({ lanes }: SkeletonState): number {
  const free = lanes.indexOf(false)
  const lane = free < 0 ? lanes.length : free
  lanes[lane] = true
  return lane
}

function openUnder(
  state: SkeletonState,
  at: At,
  given: { key: string; kind: 'step' | 'question' | 'child'; name: string; call?: string | undefined; link?: string },
): void {
  const around = given.call === undefined ? undefined : state.open[callKey(given.call)]
  const parent = around ?? (state.turn >= 0 ? state.turn : state.run)
  // What is inside a call is in the lane of the call. A question before a call has a lane of its own until it is settled.
  const lane = around === undefined ? lowestLane(state) : (state.columns.lane[around] ?? 0)
  const { kind, name, link } = given
  state.open[given.key] = open(state.columns, at, { kind, name, parent, lane, ...(link !== undefined && { link }) })
}

/** Closes what is open under a key; returns its index. */
function closeKey(state: SkeletonState, key: string, ending: Ending): number {
  const index = state.open[key] ?? -1
  if (index < 0) return -1
  close(state.columns, index, ending)
  delete state.open[key]
  const { parent, lane } = state.columns
  const isInCall = state.columns.kind[parent[index] ?? -1] === toolKind
  if (!isInCall) state.lanes[lane[index] ?? 0] = false
  return index
}

/** Closes everything below the run. */
function closeTurn(state: SkeletonState, ending: Ending): void {
  for (const key of Object.keys(state.open)) closeKey(state, key, ending)
  for (const index of [state.context, state.request, state.wait, state.turn]) close(state.columns, index, ending)
  Object.assign(state, { context: -1, request: -1, wait: -1, approvals: {}, lanes: [] })
}

function endRun(state: SkeletonState, at: At, ended: { status: SpanStatus; goesOnBy: SkeletonState['goesOnBy'] }): void {
  closeTurn(state, { at, status: ended.status })
  close(state.columns, state.run, { at, status: ended.status })
  state.goesOnBy = ended.goesOnBy
}

function endWait(state: SkeletonState, at: At): void {
  close(state.columns, state.wait, { at, status: 'ok' })
  state.wait = -1
}

function isSettled(state: SkeletonState, { id, answer }: EventOf<'question.answered'>['data']): boolean {
  const left = (state.approvals[id] ?? 1) - 1
  state.approvals[id] = left
  return left <= 0 || answer.kind === 'reject'
}

const handlers: Handlers = {
  'run.queued': (state, { seq, data }) => {
    state.queued[seq] = data.request.model
  },
  'run.started': (state, event) => {
    const { data } = event
    endRun(state, event, { status: 'stopped', goesOnBy: '' })
    const model = 'request' in data ? data.request.model : state.queued[data.queued]
    if ('queued' in data) delete state.queued[data.queued]
    Object.assign(state, { model: model ?? '', turn: -1, called: [] })
    state.run = open(state.columns, event, { kind: 'run', name: data.run, parent: -1 })
  },
  'run.suspended': (state, event) => {
    endWait(state, event)
    state.wait = open(state.columns, event, { kind: 'wait', name: event.data.reason, parent: state.turn >= 0 ? state.turn : state.run })
  },
  'run.resumed': (state, event) => {
    endWait(state, event)
    goOn(state, event, 'resume')
  },
  'limit.raised': (state, event) => goOn(state, event, 'limit'),
  'thread.forked': (state, event) => {
    // What is open where a thread is forked is decided anew.
    for (const key of Object.keys(state.open)) closeKey(state, key, { at: event, status: 'lost' })
    close(state.columns, state.request, { at: event, status: 'lost' })
    endWait(state, event)
    state.request = -1
  },
  'run.finished': (state, event) => endRun(state, event, { status: 'ok', goesOnBy: '' }),
  'run.failed': (state, event) => endRun(state, event, { status: 'error', goesOnBy: 'resume' }),
  'run.stopped': (state, event) => {
    const { kind } = event.data
    endRun(state, event, { status: 'stopped', goesOnBy: kind === 'limit' || kind === 'budget' ? 'limit' : '' })
  },
  'turn.entered': (state, event) => {
    closeTurn(state, { at: event, status: 'ok' })
    endWait(state, event)
    state.turn = open(state.columns, event, { kind: 'turn', name: 'turn', parent: state.run })
    state.context = open(state.columns, event, { kind: 'context', name: 'context', parent: state.turn })
    state.called = []
  },
  'context.assembled': (state, event) => {
    close(state.columns, state.context, { at: event, status: 'ok' })
    state.context = -1
  },
  'context.compressed': (state, event) => {
    const { by = 'model', usage, cost } = event.data
    const index = open(state.columns, event, { kind: 'compression', name: by, parent: state.turn })
    charge(state.columns, index, { usage, cost: usage ? cost : 0 })
    close(state.columns, index, { at: event, status: 'ok' })
  },
  'context.compression-failed': (state, event) => {
    close(state.columns, open(state.columns, event, { kind: 'compression', name: event.data.error.code, parent: state.turn }), {
      at: event,
      status: 'error',
    })
  },
  'model.requested': (state, event) => {
    close(state.columns, state.request, { at: event, status: 'lost' })
    state.request = open(state.columns, event, { kind: 'model', name: event.data.model ?? state.model, parent: state.turn })
  },
  'model.replied': (state, event) => {
    const { parts, usage, cost } = event.data
    charge(state.columns, state.request, { usage, cost })
    close(state.columns, state.request, { at: event, status: 'ok' })
    state.request = -1
    state.called = parts.flatMap((part) => (part.type === 'call' ? [part.name] : []))
  },
  'model.failed': (state, event) => {
    const { usage, cost, error } = event.data
    charge(state.columns, state.request, { usage, cost })
    const status = error.code === 'LOOM_MODEL_LOST' ? 'lost' : error.code === 'LOOM_ABORTED' ? 'stopped' : 'error'
    close(state.columns, state.request, { at: event, status })
    state.request = -1
  },
  'tool.started': (state, event) => {
    endWait(state, event)
    const { call } = event.data
    // A call that is started again has lost its performer.
    closeKey(state, callKey(call), { at: event, status: 'lost' })
    const opening = { kind: 'tool', name: toolOf(state, call), parent: state.turn, lane: lowestLane(state), link: call } as const
    state.open[callKey(call)] = open(state.columns, event, opening)
  },
  'tool.denied': (state, event) => {
    const { call } = event.data
    if (closeKey(state, callKey(call), { at: event, status: 'denied' }) >= 0) return
    const index = open(state.columns, event, { kind: 'tool', name: toolOf(state, call), parent: state.turn, link: call })
    close(state.columns, index, { at: event, status: 'denied' })
  },
  'tool.finished': (state, event) => {
    const { call, status } = event.data
    const outcome = status === 'error' ? 'error' : 'ok'
    if (closeKey(state, callKey(call), { at: event, status: outcome }) >= 0) return
    // Calls that only read have their intent and their result in one commit, and a refused one has no intent.
    const index = open(state.columns, event, { kind: 'tool', name: toolOf(state, call), parent: state.turn, link: call })
    close(state.columns, index, { at: event, status: outcome })
  },
  'tool.step-started': (state, event) => {
    const { call, key } = event.data
    openUnder(state, event, { key: stepKey(call, key), kind: 'step', name: key, call })
  },
  'tool.step-finished': (state, event) => {
    const { call, key, error } = event.data
    const status = error ? 'error' : 'ok'
    if (closeKey(state, stepKey(call, key), { at: event, status }) >= 0) return
    openUnder(state, event, { key: stepKey(call, key), kind: 'step', name: key, call })
    closeKey(state, stepKey(call, key), { at: event, status })
  },
  'question.asked': (state, event) => {
    const { id, kind, call, approvers = 1 } = event.data
    state.approvals[id] = approvers
    openUnder(state, event, { key: questionKey(id), kind: 'question', name: kind, call, link: id })
  },
  'question.answered': (state, event) => {
    if (isSettled(state, event.data))
      closeKey(state, questionKey(event.data.id), { at: event, status: event.data.answer.kind === 'reject' ? 'denied' : 'ok' })
  },
  'question.expired': (state, event) => void closeKey(state, questionKey(event.data.id), { at: event, status: 'stopped' }),
  'child.started': (state, event) => {
    const { call, key, child, agent } = event.data
    openUnder(state, event, { key: childKey(call, key), kind: 'child', name: agent, call, link: child })
  },
  'child.finished': (state, event) => {
    const { call, key, usage, cost, error } = event.data
    const index = state.open[childKey(call, key)] ?? -1
    charge(state.columns, index, { usage, cost })
    closeKey(state, childKey(call, key), { at: event, status: error ? 'error' : 'ok' })
  },
}

/** A run that had ended goes on, in the turn in which it ended. One that is under way is not changed. */
function goOn(state: SkeletonState, at: At, by: SkeletonState['goesOnBy']): void {
  if (state.goesOnBy !== by) return
  reopen(state.columns, state.run, at)
  reopen(state.columns, state.turn, at)
  state.goesOnBy = ''
}
