/** The part of the projection that concerns runs, turns, context and the model. */
import { type EventOf, textOf } from '@loom-agent/kernel'
import { replyText } from '../../run/result-of.ts'
import type { RunEvent } from '../../types/run-event.ts'
import type { AgentEventPayloads } from './agent-event.ts'
import { callsOf, closePhase, closeTurn, type Emit, openPhase, type ThreadView, totalsOf, turnIdOf } from './thread-view.ts'

/** Handlers by the type of the event or signal; a type without one has no counterpart. A handler changes the view. */
export type Handlers = { readonly [T in RunEvent['type']]?: (view: ThreadView, event: Extract<RunEvent, { type: T }>, emit: Emit) => void }

function enterTurn(view: ThreadView, { thread, seq, data: { loop } }: EventOf<'turn.entered'>, emit: Emit): void {
  const { before, frame, entered: from, isTurnOpen } = view
  const to = `${thread}@${seq}`
  const emitBefore: Emit = (type, payload) => emit(type, payload, before.turn)
  closePhase(view, emitBefore)
  if (isTurnOpen) {
    const tools = callsOf(before).map(({ name }) => name)
    const depth = totalsOf(view).iterations
    emitBefore('recursion', { from, to, depth, tools, messageCount: frame.history.length - view.start, ...(loop && { loop }) })
    closeTurn(view, emitBefore)
  }
  Object.assign(view, { entered: to, isTurnOpen: true, early: {}, recovering: undefined, emitted: '' })
  emit('iteration_start', before.turn >= (before.run?.firstTurn ?? 1) ? { parentTurnId: turnIdOf(thread, before.turn) } : {})
  openPhase(view, 'context_assembly', emit)
}

/** A run that ended may be taken up again: its turn goes on. */
function resumeRun(view: ThreadView, emit: Emit): void {
  view.recovering = undefined
  emit('phase_start', { phase: 'resume' })
  emit('phase_end', { phase: 'resume' })
  if (view.isTurnOpen || view.frame.turn < (view.frame.run?.firstTurn ?? 1)) return
  view.isTurnOpen = true
  emit('iteration_start', {})
}

function stop(view: ThreadView, { data }: EventOf<'run.stopped'>, emit: Emit): void {
  const { kind, reason, limit, max = 0 } = data
  closeTurn(view, emit)
  const ended = { ...totalsOf(view), reason, content: replyText(view.frame) }
  if (kind === 'cancelled') emit('execution_cancelled', cancelled(view, { interrupt: false, reason }))
  else if (limit === 'turns') emit('max_iterations_reached', { ...ended, max })
  else emit('recursion_terminated', { ...ended, kind, lastTools: view.lastTools })
}

function cancelled({ frame }: ThreadView, why: { interrupt: boolean; reason: string }): AgentEventPayloads['execution_cancelled'] {
  const questions = why.interrupt ? Object.values(frame.questions).map(({ id, prompt }) => ({ id, prompt })) : []
  return { ...why, correlationId: frame.run?.id ?? '', questions }
}

function retrieve(view: ThreadView, { data: { query, documents } }: EventOf<'retrieval.finished'>, emit: Emit): void {
  openPhase(view, 'context_assembly', emit)
  emit('retrieval_start', { query })
  for (const { id, title, score } of documents) {
    emit('retrieval_progress', { id, ...(title !== undefined && { title }), ...(score !== undefined && { score }) })
  }
  emit('retrieval_complete', { query, documentCount: documents.length })
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
  if (view.recovering) emit('recovery_success', { strategy: view.recovering, attempt: view.frame.run?.attempt ?? 1 })
  emit('llm_complete', { content, usage, finish, ...(cost !== undefined && { cost }) })
  view.recovering = undefined
  const toolCalls = callsOf(view.frame)
  if (toolCalls.length > 0) emit('llm_tool_calls', { toolCalls })
  closePhase(view, emit)
}

/** The handlers of everything but calls. */
export const turnHandlers: Handlers = {
  'run.started': (view) => {
    const counts = { start: view.before.history.length, toolCalls: 0, errors: 0, lastTools: [] }
    Object.assign(view, { ...counts, emitted: '', isTurnOpen: false, phase: undefined })
  },
  'run.suspended': (view, { data }, emit) => {
    closePhase(view, emit)
    emit('execution_cancelled', cancelled(view, { interrupt: true, reason: data.reason }))
  },
  'run.resumed': (view, _event, emit) => resumeRun(view, emit),
  'run.finished': (view, { data: { output } }, emit) => {
    closeTurn(view, emit)
    emit('agent_finish', { ...totalsOf(view), content: replyText(view.frame), ...(output !== undefined && { output }) })
  },
  'run.failed': (view, { data: { error } }, emit) => {
    const stage = view.phase ?? 'run'
    closeTurn(view, emit)
    emit('error', { error, stage })
  },
  'run.stopped': stop,
  'turn.entered': enterTurn,
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
  'text-delta': (view, { turn, attempt, text }, emit) => {
    if (turn !== view.frame.turn || attempt !== view.frame.run?.attempt) return
    view.emitted += text
    emit('llm_delta', { content: text })
  },
}
