/** Events that never happened. */
import type { Draft, QuestionData, StartId } from '@loom-agent/kernel'

/** A driver of this epoch. */
export const driver = (epoch: number): Draft => ({ type: 'driver.acquired', data: { epoch, worker: 'another' } })
/** An agent that adopts the thread of another one. */
export const adopted = (from: string, agent: string): Draft => ({ type: 'thread.adopted', data: { agent, from } })
/** A turn. */
export const turn = (number: number): Draft => ({ type: 'turn.entered', data: { turn: number } })
/** A context that extends the one before. */
export const assembled: Draft = { type: 'context.assembled', data: {} }
/** An attempt of the model. */
export const attempt = (number: number): Draft => ({ type: 'model.requested', data: { attempt: number } })
/** How an attempt was streamed. */
export const streamed = (number: number): Draft => ({
  type: 'model.streamed',
  data: { attempt: number, deltas: [{ type: 'text-delta', text: 'x', ms: 1 }] },
})
/** A call that begins. */
export const started = (call: string, effect: 'read' | 'unsafe' = 'unsafe'): Draft => ({ type: 'tool.started', data: { call, effect } })
/** A call that succeeds. */
export const finished = (call: string): Draft => ({
  type: 'tool.finished',
  data: { call, status: 'success', output: { type: 'text', value: 'x' } },
})
/** A result that a hook gave. */
export const replacement = (call: string): Draft => ({
  type: 'tool.finished',
  data: { call, status: 'success', output: { type: 'text', value: 'x' }, meta: { answered: true } },
})
/** A call that is denied. */
export const denied = (call: string): Draft => ({ type: 'tool.denied', data: { call, reason: 'no', errorType: 'permission' } })
/** A question. */
export const asked = (question: Partial<QuestionData>): Draft => ({
  type: 'question.asked',
  data: { id: 'made up', kind: 'approval', prompt: 'Well?', ...question },
})
const message = { role: 'user', parts: [{ type: 'text', text: 'Wait.' }] } as const
/** A steered message. */
export const steered: Draft = { type: 'message.steered', data: { message } }
/** A start that became a message. */
export const steeredAs = (start: StartId): Draft => ({ type: 'message.steered', data: { message, start } })
/** A patch that changes nothing. */
export const patched = (point: string, call?: string): Draft => ({
  type: 'hook.applied',
  data: { point, patch: { settings: {} }, ...(call !== undefined && { call }) },
})
const request = { input: [], agent: { name: 'player', fingerprint: '' }, model: '', limits: {} }
/** A run that starts. */
export const startedRun = (run: string): Draft => ({ type: 'run.started', data: { run, request } })
/** A final answer. */
export const replied: Draft = {
  type: 'model.replied',
  data: { parts: [{ type: 'text', text: 'x' }], usage: { input: 0, output: 0 }, finish: 'stop' },
}
/** A run that finishes. */
export const ended: Draft = { type: 'run.finished', data: {} }
/** A run that is resumed. */
export const resume: Draft = { type: 'run.resumed', data: { cause: 'made up' } }
/** A request to a queued run to stop. */
export const stopOf = (run: string): Draft => ({ type: 'run.stop-requested', data: { reason: 'made up', run } })

/** A request to stop. */
export const stop: Draft = { type: 'run.stop-requested', data: { reason: 'made up' } }
/** A run that fails. */
export const failure: Draft = { type: 'run.failed', data: { error: { code: '', message: '', recoverable: true } } }
/** A run that is suspended. */
export const suspended: Draft = { type: 'run.suspended', data: { reason: 'question' } }
