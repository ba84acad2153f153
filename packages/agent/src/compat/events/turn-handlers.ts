/** The part of the projection that concerns runs, turns, context and the model. */
import { type EventOf, type EventType, type Json, type Part, textOf } from '@loom-agent/kernel'
import type { Signal } from '../../run/signal.ts'
import type { AgentEventPayloads, EventPhase } from './agent-event.ts'
import { closePhase, closeTurn, type Emit, type Handlers, ignore, openPhase, totalsOf } from './phases.ts'
import { type ThreadView, type TrackedCall, turnIdOf } from './thread-view.ts'
import { callsOf } from './tool-result.ts'

type TurnEvent = Exclude<EventType, `tool.${string}` | `child.${string}`>
type ModelSignal = Exclude<Signal['type'], `tool-${string}`>

function enterTurn(view: ThreadView, event: EventOf<'turn.entered'>, emit: Emit): void {
  const { turn, loop, notes = [] } = event.data
  const { entered: from, isTurnOpen, turn: before } = view
  const to = `${event.thread}@${event.seq}`
  closePhase(view, emit)
  view.messages += notes.length + (view.calls.length > 0 ? 1 : 0)
  if (isTurnOpen) {
    const depth = totalsOf(view).iterations + 1
    const tools = view.calls.map(({ call }) => call.name)
    emit('recursion', { from, to, depth, tools, messageCount: view.messages, ...(loop && { loop }) })
    closeTurn(view, emit)
  }
  Object.assign(view, { turn, entered: to, isTurnOpen: true, calls: [], early: {}, attempt: 0, recovering: undefined, emitted: '' })
  emit('iteration_start', before >= view.firstTurn ? { parentTurnId: turnIdOf(view.thread, before) } : {})
  openPhase(view, 'context_assembly', emit)
}

function startRun(view: ThreadView, event: EventOf<'run.started'>): void {
  const turn = event.turn ?? view.turn
  const messages = 'request' in event.data ? event.data.request.input.length : 1
  const counted = { toolCalls: 0, errors: 0, lastTools: [], calls: [], reply: '', emitted: '', questions: [] }
  Object.assign(view, { run: event.data.run, turn, firstTurn: turn + 1, messages, isTurnOpen: false, phase: undefined, ...counted })
}

/** A run that ended may be taken up again: its turn goes on. */
function resumeRun(view: ThreadView, emit: Emit): void {
  view.recovering = undefined
  emit('phase_start', { phase: 'resume' })
  emit('phase_end', { phase: 'resume' })
  if (!view.isTurnOpen && view.turn >= view.firstTurn && view.turn > 0) {
    view.isTurnOpen = true
    emit('iteration_start', {})
  }
}

function fail(view: ThreadView, { data }: EventOf<'run.failed'>, emit: Emit): void {
  const stage: EventPhase | 'run' = view.phase ?? 'run'
  closeTurn(view, emit)
  emit('error', { error: data.error, stage })
}

function stop(view: ThreadView, { data }: EventOf<'run.stopped'>, emit: Emit): void {
  const { kind, reason, limit, max = 0 } = data
  closeTurn(view, emit)
  const ended = { ...totalsOf(view), reason, content: view.reply }
  if (kind === 'cancelled') emit('execution_cancelled', cancelled(view, { interrupt: false, reason }))
  else if (limit === 'turns') emit('max_iterations_reached', { ...ended, max })
  else emit('recursion_terminated', { ...ended, kind, lastTools: view.lastTools })
}

function cancelled(view: ThreadView, why: { interrupt: boolean; reason: string }): AgentEventPayloads['execution_cancelled'] {
  return { ...why, correlationId: view.run, questions: why.interrupt ? view.questions : [] }
}

function retrieve(view: ThreadView, { data: { query, documents } }: EventOf<'retrieval.finished'>, emit: Emit): void {
  openPhase(view, 'context_assembly', emit)
  emit('retrieval_start', { query })
  for (const { id, title, score } of documents) {
    emit('retrieval_progress', { id, ...(title !== undefined && { title }), ...(score !== undefined && { score }) })
  }
  emit('retrieval_complete', { query, documentCount: documents.length })
  view.messages += 1
}

function compress(view: ThreadView, { data }: EventOf<'context.compressed'>, emit: Emit): void {
  const { summary, tokensBefore, tokensAfter } = data
  openPhase(view, 'context_assembly', emit)
  const tokens = { ...(tokensBefore !== undefined && { tokensBefore }), ...(tokensAfter !== undefined && { tokensAfter }) }
  emit('compression_applied', { summary, ...tokens })
}

function assembled(view: ThreadView, { data: { rebase } }: EventOf<'context.assembled'>, emit: Emit): void {
  openPhase(view, 'context_assembly', emit)
  emit('context_assembly_complete', rebase ? { rebase: rebase.reason, tools: rebase.tools.map(({ name }) => name) } : {})
  closePhase(view, emit)
}

function request(view: ThreadView, { data: { attempt, model } }: EventOf<'model.requested'>, emit: Emit): void {
  view.attempt = attempt
  view.emitted = ''
  openPhase(view, 'llm_call', emit)
  emit('llm_start', { attempt, ...(model !== undefined && { model }) })
}

function modelFailed(view: ThreadView, { data: { error, retryAt, attempt } }: EventOf<'model.failed'>, emit: Emit): void {
  if (error.code === 'LOOM_ABORTED') return
  view.errors += 1
  const failed = view.recovering
  view.recovering = retryAt === undefined ? undefined : error.code === 'LOOM_MODEL_LOST' ? 'takeover' : 'retry'
  if (view.recovering) emit('recovery_attempt', { strategy: view.recovering, attempt: attempt + 1, error, at: retryAt })
  else if (failed) emit('recovery_failed', { strategy: failed, attempt, error })
}

/** A reply. Text that no delta has emitted is emitted now, so that a stream without signals has all of it. */
function reply(view: ThreadView, { data }: EventOf<'model.replied'>, emit: Emit): void {
  const { parts, usage, cost, finish } = data
  openPhase(view, 'llm_call', emit)
  const content = textOf(parts)
  const rest = content.startsWith(view.emitted) ? content.slice(view.emitted.length) : ''
  if (rest !== '') emit('llm_delta', { content: rest })
  if (view.recovering) emit('recovery_success', { strategy: view.recovering, attempt: view.attempt })
  emit('llm_complete', { content, usage, finish, ...(cost !== undefined && { cost }) })
  take(view, parts)
  view.recovering = undefined
  view.messages += 1
  if (view.calls.length > 0) emit('llm_tool_calls', { toolCalls: view.calls.map(({ call }) => call) })
  closePhase(view, emit)
}

function take(view: ThreadView, parts: readonly Part[]): void {
  view.reply = textOf(parts)
  view.calls = callsOf(parts, view.turn).map((call) => ({ call, isStarted: false, isSettled: false }))
}

/** A hook may have changed what the model said, or the arguments of a call. */
function patch(view: ThreadView, { data }: EventOf<'hook.applied'>): void {
  const { parts, input, say } = data.patch as { parts?: readonly Part[]; input?: Json; say?: readonly unknown[] }
  if (parts && data.call === undefined) take(view, parts)
  if (input !== undefined) {
    const changed = ({ call, ...state }: TrackedCall): TrackedCall => ({ call: { ...call, arguments: input }, ...state })
    view.calls = view.calls.map((tracked) => (tracked.call.id === data.call ? changed(tracked) : tracked))
  }
  view.messages += say?.length ?? 0
}

/** The handlers of everything but calls. */
export const turnHandlers: Handlers<TurnEvent | ModelSignal> = {
  'thread.started': ignore,
  'thread.forked': ignore,
  'driver.acquired': ignore,
  'run.queued': ignore,
  'run.started': startRun,
  'run.suspended': (view, { data }, emit) => {
    closePhase(view, emit)
    emit('execution_cancelled', cancelled(view, { interrupt: true, reason: data.reason }))
  },
  'run.resumed': (view, _event, emit) => resumeRun(view, emit),
  'run.stop-requested': ignore,
  'run.pause-requested': ignore,
  'run.finished': (view, { data: { output } }, emit) => {
    closeTurn(view, emit)
    emit('agent_finish', { ...totalsOf(view), content: view.reply, ...(output !== undefined && { output }) })
  },
  'run.failed': fail,
  'run.stopped': stop,
  'turn.entered': enterTurn,
  'message.steered': (view) => {
    view.messages += 1
  },
  'context.assembled': assembled,
  'context.compressed': compress,
  'context.compression-failed': (view, { data: { error } }, emit) => {
    openPhase(view, 'context_assembly', emit)
    emit('recovery_failed', { strategy: 'compression', attempt: 1, error })
  },
  'retrieval.finished': retrieve,
  'model.requested': request,
  'model.replied': reply,
  'model.failed': modelFailed,
  'question.asked': (view, { data: { id, prompt } }) => {
    view.questions = [...view.questions, { id, prompt }]
  },
  'question.answered': (view, { data }) => settle(view, data.id),
  'question.expired': (view, { data }) => settle(view, data.id),
  'hook.applied': patch,
  'limit.raised': ignore,
  'memory.recorded': ignore,
  'agent.upgraded': ignore,
  'text-delta': (view, { turn, attempt, text }, emit) => {
    if (turn !== view.turn || attempt !== view.attempt) return
    view.emitted += text
    emit('llm_delta', { content: text })
  },
  'text-start': ignore,
  'text-end': ignore,
  'reasoning-start': ignore,
  'reasoning-delta': ignore,
  'reasoning-end': ignore,
  'input-start': ignore,
  'input-delta': ignore,
  'input-end': ignore,
  gap: ignore,
}

function settle(view: ThreadView, id: string): void {
  view.questions = view.questions.filter((question) => question.id !== id)
}
