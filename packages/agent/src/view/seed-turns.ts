/** The part of the projection that concerns runs, turns, context and the model. */
import { type EventOf, type EventType, type Part, textOf } from '@loom-agent/kernel'
import type { Signal } from '../types/signal.ts'
import type { SeedPayloads, SeedPhase } from './seed-event.ts'
import { closePhase, closeTurn, type FreshView, momentOf, nothing, openPhase, type SeedHandlers, type Tell, totalsOf } from './seed-tell.ts'
import { callsOf, plainCall, turnIdOf } from './seed-view.ts'

type TurnEvent = Exclude<EventType, `tool.${string}` | `child.${string}`>
type ModelSignal = Exclude<Signal['type'], `tool-${string}`>

function enterTurn(view: FreshView, event: EventOf<'turn.entered'>, tell: Tell): void {
  const { turn, loop, notes = [] } = event.data
  const { entered: from, isTurnOpen, turn: before } = view
  const to = momentOf(event)
  closePhase(view, tell)
  view.messages += notes.length + (view.calls.length > 0 ? 1 : 0)
  if (isTurnOpen) {
    const depth = totalsOf(view).iterations + 1
    const tools = view.calls.map(({ name }) => name)
    tell('recursion', { from, to, depth, tools, messageCount: view.messages, ...(loop && { loop }) })
    closeTurn(view, tell)
  }
  Object.assign(view, { turn, entered: to, isTurnOpen: true, calls: [], early: {}, attempt: 0, recovering: undefined, told: '' })
  tell('iteration_start', before >= view.firstTurn ? { parentTurnId: turnIdOf(view.thread, before) } : {})
  openPhase(view, 'context_assembly', tell)
}

function startRun(view: FreshView, event: EventOf<'run.started'>): void {
  const turn = event.turn ?? view.turn
  const messages = 'request' in event.data ? event.data.request.input.length : 1
  const counted = { toolCalls: 0, errors: 0, lastTools: [], calls: [], reply: '', told: '', questions: [] }
  Object.assign(view, { run: event.data.run, turn, firstTurn: turn + 1, messages, isTurnOpen: false, phase: undefined, ...counted })
}

/** A run that ended may be taken up again: its turn goes on. */
function resumeRun(view: FreshView, tell: Tell): void {
  view.recovering = undefined
  tell('phase_start', { phase: 'resume' })
  tell('phase_end', { phase: 'resume' })
  if (!view.isTurnOpen && view.turn >= view.firstTurn && view.turn > 0) {
    view.isTurnOpen = true
    tell('iteration_start', {})
  }
}

function fail(view: FreshView, { data }: EventOf<'run.failed'>, tell: Tell): void {
  const stage: SeedPhase | 'run' = view.phase ?? 'run'
  closeTurn(view, tell)
  tell('error', { error: data.error, stage })
}

function stop(view: FreshView, { data }: EventOf<'run.stopped'>, tell: Tell): void {
  const { kind, reason, limit, max = 0 } = data
  closeTurn(view, tell)
  const ended = { ...totalsOf(view), reason, content: view.reply }
  if (kind === 'cancelled') tell('execution_cancelled', cancelled(view, { interrupt: false, reason }))
  else if (limit === 'turns') tell('max_iterations_reached', { ...ended, max })
  else tell('recursion_terminated', { ...ended, kind, lastTools: view.lastTools })
}

function cancelled(view: FreshView, why: { interrupt: boolean; reason: string }): SeedPayloads['execution_cancelled'] {
  return { ...why, correlationId: view.run, questions: why.interrupt ? view.questions : [] }
}

function retrieve(view: FreshView, { data: { query, documents } }: EventOf<'retrieval.finished'>, tell: Tell): void {
  openPhase(view, 'context_assembly', tell)
  tell('retrieval_start', { query })
  for (const { id, title, score } of documents) {
    tell('retrieval_progress', { id, ...(title !== undefined && { title }), ...(score !== undefined && { score }) })
  }
  tell('retrieval_complete', { query, documentCount: documents.length })
  view.messages += 1
}

function compress(view: FreshView, { data }: EventOf<'context.compressed'>, tell: Tell): void {
  const { summary, tokensBefore, tokensAfter } = data
  openPhase(view, 'context_assembly', tell)
  const tokens = { ...(tokensBefore !== undefined && { tokensBefore }), ...(tokensAfter !== undefined && { tokensAfter }) }
  tell('compression_applied', { summary, ...tokens })
}

function assembled(view: FreshView, { data: { rebase } }: EventOf<'context.assembled'>, tell: Tell): void {
  openPhase(view, 'context_assembly', tell)
  tell('context_assembly_complete', rebase ? { rebase: rebase.reason, tools: rebase.tools.map(({ name }) => name) } : {})
  closePhase(view, tell)
}

function request(view: FreshView, { data: { attempt, model } }: EventOf<'model.requested'>, tell: Tell): void {
  view.attempt = attempt
  view.told = ''
  openPhase(view, 'llm_call', tell)
  tell('llm_start', { attempt, ...(model !== undefined && { model }) })
}

function modelFailed(view: FreshView, { data: { error, retryAt, attempt } }: EventOf<'model.failed'>, tell: Tell): void {
  if (error.code === 'LOOM_ABORTED') return
  view.errors += 1
  const failed = view.recovering
  view.recovering = retryAt === undefined ? undefined : error.code === 'LOOM_MODEL_LOST' ? 'takeover' : 'retry'
  if (view.recovering) tell('recovery_attempt', { strategy: view.recovering, attempt: attempt + 1, error, at: retryAt })
  else if (failed) tell('recovery_failed', { strategy: failed, attempt, error })
}

/** What the model said; text that no delta told is told now, so that a viewer without signals misses none of it. */
function reply(view: FreshView, { data }: EventOf<'model.replied'>, tell: Tell): void {
  const { parts, usage, cost, finish } = data
  openPhase(view, 'llm_call', tell)
  const content = textOf(parts)
  const rest = content.startsWith(view.told) ? content.slice(view.told.length) : ''
  if (rest !== '') tell('llm_delta', { content: rest })
  if (view.recovering) tell('recovery_success', { strategy: view.recovering, attempt: view.attempt })
  tell('llm_complete', { content, usage, finish, ...(cost !== undefined && { cost }) })
  take(view, parts)
  view.recovering = undefined
  view.messages += 1
  if (view.calls.length > 0) tell('llm_tool_calls', { toolCalls: view.calls.map(plainCall) })
  closePhase(view, tell)
}

function take(view: FreshView, parts: readonly Part[]): void {
  view.reply = textOf(parts)
  view.calls = callsOf(parts, view.turn)
}

/** A hook may have changed what the model said, or the arguments of a call. */
function patch(view: FreshView, { data }: EventOf<'hook.applied'>): void {
  const { parts, input, say } = data.patch as { parts?: readonly Part[]; input?: SeedInput; say?: readonly unknown[] }
  if (parts && data.call === undefined) take(view, parts)
  if (input !== undefined) view.calls = view.calls.map((call) => (call.id === data.call ? { ...call, arguments: input } : call))
  view.messages += say?.length ?? 0
}

type SeedInput = FreshView['calls'][number]['arguments']

/** The handlers of everything but calls. */
export const turnHandlers: SeedHandlers<TurnEvent | ModelSignal> = {
  'thread.started': nothing,
  'thread.forked': nothing,
  'driver.acquired': nothing,
  'run.queued': nothing,
  'run.started': startRun,
  'run.suspended': (view, { data }, tell) => {
    closePhase(view, tell)
    tell('execution_cancelled', cancelled(view, { interrupt: true, reason: data.reason }))
  },
  'run.resumed': (view, _event, tell) => resumeRun(view, tell),
  'run.stop-requested': nothing,
  'run.pause-requested': nothing,
  'run.finished': (view, { data: { output } }, tell) => {
    closeTurn(view, tell)
    tell('agent_finish', { ...totalsOf(view), content: view.reply, ...(output !== undefined && { output }) })
  },
  'run.failed': fail,
  'run.stopped': stop,
  'turn.entered': enterTurn,
  'message.steered': (view) => {
    view.messages += 1
  },
  'context.assembled': assembled,
  'context.compressed': compress,
  'context.compression-failed': (view, { data: { error } }, tell) => {
    openPhase(view, 'context_assembly', tell)
    tell('recovery_failed', { strategy: 'compression', attempt: 1, error })
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
  'limit.raised': nothing,
  'memory.recorded': nothing,
  'agent.upgraded': nothing,
  'text-delta': (view, { turn, attempt, text }, tell) => {
    if (turn !== view.turn || attempt !== view.attempt) return
    view.told += text
    tell('llm_delta', { content: text })
  },
  'text-start': nothing,
  'text-end': nothing,
  'reasoning-start': nothing,
  'reasoning-delta': nothing,
  'reasoning-end': nothing,
  'input-start': nothing,
  'input-delta': nothing,
  'input-end': nothing,
  gap: nothing,
}

function settle(view: FreshView, id: string): void {
  view.questions = view.questions.filter((question) => question.id !== id)
}
