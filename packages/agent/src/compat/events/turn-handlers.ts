/** The part of the projection that concerns runs, turns, context and the model. */
import type { EventOf } from '@loom-agent/kernel'
import { replyText } from '../../run/result-of.ts'
import type { RunEvent } from '../../types/run-event.ts'
import { textOf } from '../../types/text-of.ts'
import { callsOf, closePhase, closeTurn, emit, openPhase, type ThreadView, totalsOf, turnIdOf } from './thread-view.ts'

/** Handlers by the type of the event or signal; a type without one has no counterpart. A handler changes the view. */
export type Handlers = { readonly [T in RunEvent['type']]?: (view: ThreadView, event: Extract<RunEvent, { type: T }>) => void }

function enterTurn(view: ThreadView, { thread, seq, data: { loop } }: EventOf<'turn.entered'>): void {
  const { before, frame, entered: from, isTurnOpen } = view
  const to = `${thread}@${seq}`
  view.turn = before.turn
  closePhase(view)
  if (isTurnOpen) {
    const tools = callsOf(before).map(({ name }) => name)
    const depth = totalsOf(view).iterations
    emit(view, 'recursion', { from, to, depth, tools, messageCount: frame.history.length - view.start, loop })
    closeTurn(view)
  }
  Object.assign(view, { turn: frame.turn, entered: to, isTurnOpen: true, early: {}, recovering: undefined, emitted: '' })
  const isFirst = before.turn < (before.run?.firstTurn ?? 1)
  emit(view, 'iteration_start', { parentTurnId: isFirst ? undefined : turnIdOf(thread, before.turn) })
  openPhase(view, 'context_assembly')
}

/** A run that ended may be taken up again: its turn goes on. */
function resumeRun(view: ThreadView): void {
  view.recovering = undefined
  emit(view, 'phase_start', { phase: 'resume' })
  emit(view, 'phase_end', { phase: 'resume' })
  if (view.isTurnOpen || view.frame.turn < (view.frame.run?.firstTurn ?? 1)) return
  view.isTurnOpen = true
  emit(view, 'iteration_start', {})
}

function stop(view: ThreadView, { data: { kind, reason, limit, max = 0 } }: EventOf<'run.stopped'>): void {
  closeTurn(view)
  const ended = { ...totalsOf(view), reason, content: replyText(view.frame) }
  if (kind === 'cancelled') cancel(view, { interrupt: false, reason })
  else if (limit === 'turns') emit(view, 'max_iterations_reached', { ...ended, max })
  else emit(view, 'recursion_terminated', { ...ended, kind, lastTools: view.lastTools })
}

function cancel(view: ThreadView, why: { interrupt: boolean; reason: string }): void {
  const { run, questions: open } = view.frame
  const questions = why.interrupt ? Object.values(open).map(({ id, prompt }) => ({ id, prompt })) : []
  emit(view, 'execution_cancelled', { ...why, correlationId: run?.id ?? '', questions })
}

function retrieve(view: ThreadView, { data: { query, documents } }: EventOf<'retrieval.finished'>): void {
  openPhase(view, 'context_assembly')
  emit(view, 'retrieval_start', { query })
  for (const { id, title, score } of documents) emit(view, 'retrieval_progress', { id, title, score })
  emit(view, 'retrieval_complete', { query, documentCount: documents.length })
}

function modelFailed(view: ThreadView, { data: { error, retryAt, attempt } }: EventOf<'model.failed'>): void {
  if (error.code === 'LOOM_ABORTED') return
  view.errors += 1
  const failed = view.recovering
  view.recovering = retryAt === undefined ? undefined : error.code === 'LOOM_MODEL_LOST' ? 'takeover' : 'retry'
  if (view.recovering) emit(view, 'recovery_attempt', { strategy: view.recovering, attempt: attempt + 1, error, at: retryAt })
  else if (failed) emit(view, 'recovery_failed', { strategy: failed, attempt, error })
}

/** A reply. Text that no delta has emitted is emitted now, so that a stream without signals has all of it. */
function reply(view: ThreadView, { data: { parts, usage, cost, finish } }: EventOf<'model.replied'>): void {
  openPhase(view, 'llm_call')
  const content = textOf(parts)
  const rest = content.startsWith(view.emitted) ? content.slice(view.emitted.length) : ''
  if (rest !== '') emit(view, 'llm_delta', { content: rest })
  if (view.recovering) emit(view, 'recovery_success', { strategy: view.recovering, attempt: view.frame.run?.attempt ?? 1 })
  emit(view, 'llm_complete', { content, usage, finish, cost })
  view.recovering = undefined
  const toolCalls = callsOf(view.frame)
  if (toolCalls.length > 0) emit(view, 'llm_tool_calls', { toolCalls })
  closePhase(view)
}

/** The handlers of everything but calls. */
export const turnHandlers: Handlers = {
  'run.started': (view) => {
    const { history, run } = view.frame
    const counts = { start: history.length - (run?.request.input.length ?? 0), toolCalls: 0, errors: 0, lastTools: [] }
    Object.assign(view, { ...counts, emitted: '', isTurnOpen: false, phase: undefined })
  },
  'run.suspended': (view, { data: { reason } }) => {
    closePhase(view)
    cancel(view, { interrupt: true, reason })
  },
  'run.resumed': resumeRun,
  'run.finished': (view, { data: { output } }) => {
    closeTurn(view)
    emit(view, 'agent_finish', { ...totalsOf(view), content: replyText(view.frame), output })
  },
  'run.failed': (view, { data: { error } }) => {
    const stage = view.phase ?? 'run'
    closeTurn(view)
    emit(view, 'error', { error, stage })
  },
  'run.stopped': stop,
  'turn.entered': enterTurn,
  'context.assembled': (view, { data: { rebase } }) => {
    openPhase(view, 'context_assembly')
    emit(view, 'context_assembly_complete', { rebase: rebase?.reason, tools: rebase?.tools.map(({ name }) => name) })
    closePhase(view)
  },
  'context.compressed': (view, { data: { summary, tokensBefore, tokensAfter } }) => {
    openPhase(view, 'context_assembly')
    emit(view, 'compression_applied', { summary, tokensBefore, tokensAfter })
  },
  'context.compression-failed': (view, { data: { error } }) => {
    openPhase(view, 'context_assembly')
    emit(view, 'recovery_failed', { strategy: 'compression', attempt: 1, error })
  },
  'retrieval.finished': retrieve,
  'model.requested': (view, { data: { attempt, model } }) => {
    view.emitted = ''
    openPhase(view, 'llm_call')
    emit(view, 'llm_start', { attempt, model })
  },
  'model.replied': reply,
  'model.failed': modelFailed,
  'text-delta': (view, { turn, attempt, text }) => {
    if (turn !== view.frame.turn || attempt !== view.frame.run?.attempt) return
    view.emitted += text
    emit(view, 'llm_delta', { content: text })
  },
}
