/** A model whose reply depends on nothing but the prompt: a process that asks again after a crash gets the same reply. */
import type { LanguageModelV4CallOptions } from '@loom-agent/agent/language-model'
import { type ScriptedModel, type ScriptedReply, scriptedModel } from './scripted-model.ts'

/** One line of a script: a reply, or a function of the request. */
export type SteadyLine = string | ScriptedReply | ((request: LanguageModelV4CallOptions) => string | ScriptedReply)

/**
 * Replies with the n-th line of a script to a prompt that holds n replies, and with the last line from then on.
 *
 * @example
 * steadyModel([{ calls: [{ tool: 'pay' }] }, 'It is paid.'])
 */
export function steadyModel(script: readonly SteadyLine[], options: { modelId?: string } = {}): ScriptedModel {
  return scriptedModel((request) => {
    const replies = request.prompt.filter(({ role }) => role === 'assistant').length
    const line = script[Math.min(replies, script.length - 1)] ?? ''
    const said = typeof line === 'function' ? line(request) : line
    return typeof said === 'string' ? said : { ...said, ...(said.calls && { calls: named(said.calls, replies) }) }
  }, options)
}

/** Ids that a provider would not use twice in one prompt. */
const named = (calls: NonNullable<ScriptedReply['calls']>, replies: number): NonNullable<ScriptedReply['calls']> =>
  calls.map((call, index) => ({ id: `call ${replies}.${index}`, ...call }))
