/** A reply as the parts of a stream: words one after another, arguments in pieces. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@loom-agent/agent/language-model'
import type { NextCall } from './acting.ts'

/** What the model replies. */
export interface Reply {
  readonly text: string
  readonly calls: readonly NextCall[]
  /** Makes the ids of its calls unique. */
  readonly number: number
  /** The text was longer than it may be. */
  readonly cut?: boolean
}

const words = /\p{Script=Han}{1,2}[^\p{Script=Han}\s\w]*|[^\s\p{Script=Han}]+\s*|\s+/gu
const inputPiece = 24

const idOf = ({ number }: Reply, index: number): string => `offline-${number}-${index}`

/** Why the reply ends. */
export function finishOf({ calls, cut }: Reply): LanguageModelV4FinishReason {
  const unified = calls.length > 0 ? 'tool-calls' : cut ? 'length' : 'stop'
  return { unified, raw: unified }
}

/** A reply of at most so many tokens; calls are never cut. */
export function cutReply(reply: Reply, most: number | undefined): Reply {
  if (most === undefined || reply.calls.length > 0 || estimateTokens(reply.text) <= most) return reply
  let text = reply.text.slice(0, most * 4)
  while (estimateTokens(text) > most) text = text.slice(0, Math.floor(text.length * 0.9))
  return { ...reply, text: text.toWellFormed(), cut: true }
}

/** The reply in one piece. */
export function contentOf(reply: Reply): LanguageModelV4Content[] {
  const calls = reply.calls.map(({ tool, input }, index): LanguageModelV4Content => {
    return { type: 'tool-call', toolCallId: idOf(reply, index), toolName: tool, input: JSON.stringify(input) }
  })
  return reply.text === '' ? calls : [{ type: 'text', text: reply.text }, ...calls]
}

/** The reply as it streams. */
export function* partsOf(reply: Reply, usage: LanguageModelV4Usage): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  if (reply.text !== '') {
    yield { type: 'text-start', id: '0' }
    for (const [delta] of reply.text.matchAll(words)) yield { type: 'text-delta', id: '0', delta }
    yield { type: 'text-end', id: '0' }
  }
  for (const [index, { tool, input }] of reply.calls.entries()) {
    const id = idOf(reply, index)
    const text = JSON.stringify(input)
    yield { type: 'tool-input-start', id, toolName: tool }
    for (let from = 0; from < text.length; from += inputPiece) yield { type: 'tool-input-delta', id, delta: text.slice(from, from + inputPiece) }
    yield { type: 'tool-input-end', id }
    yield { type: 'tool-call', toolCallId: id, toolName: tool, input: text }
  }
  yield { type: 'finish', usage, finishReason: finishOf(reply) }
}

/** About how many tokens a text is: one a Chinese character, one for four others. */
export function estimateTokens(text: string): number {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  return Math.ceil(han + (text.length - han) / 4)
}

const known = new WeakMap<LanguageModelV4Message, number>()

function messageTokens(message: LanguageModelV4Message): number {
  const counted = known.get(message) ?? estimateTokens(typeof message.content === 'string' ? message.content : JSON.stringify(message.content)) + 4
  known.set(message, counted)
  return counted
}

/** What a call is estimated to have used. */
export function usageOf({ prompt, tools = [] }: LanguageModelV4CallOptions, reply: Reply): LanguageModelV4Usage {
  const input = prompt.reduce((sum, message) => sum + messageTokens(message), 0) + (tools.length > 0 ? estimateTokens(JSON.stringify(tools)) : 0)
  const output = estimateTokens(reply.text) + reply.calls.reduce((sum, call) => sum + estimateTokens(JSON.stringify(call)), 0)
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  }
}
