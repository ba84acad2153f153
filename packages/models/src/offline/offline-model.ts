/**
 * A model without a network: fixed rules that calculate and call tools. It is not a language model, and says so.
 *
 * OFFLINE-4. It is deterministic: the same messages, tools and environment give the same reply.
 */
import type { LanguageModelV4 } from '@loom-agent/agent/language-model'
import { type JsonObject, LoomError } from '@loom-agent/kernel'
import { defineModel, type GeneratedReply, type ModelRequest } from '../custom/define-model.ts'
import { type Environment, systemEnvironment } from '../provider/environment.ts'
import { act, fits } from './acting.ts'
import { introduction } from './introduction.ts'
import { viewOf } from './tool-view.ts'
import { readTranscript } from './transcript.ts'

/** The options of `offlineModel()`. */
export interface OfflineOptions {
  /** The id under which runs record it; default `rules`. */
  readonly modelId?: string
  /** Returns the environment, in which it looks for the names of keys; default: that of the process, read for each answer. */
  readonly env?: () => Environment
}

/**
 * A model for trying Loom without a key: rule-based, with real tool calls. It is not a language model, and says so.
 *
 * @example
 * const helper = agent({ name: 'helper', model: offlineModel(), tools: fileTools({ root: '.' }) })
 * await helper.run('Read notes.txt')
 */
export function offlineModel({ modelId = 'rules', env = systemEnvironment }: OfflineOptions = {}): LanguageModelV4 {
  return defineModel({
    id: `offline/${modelId}`,
    async *stream(request) {
      const { text = '', calls = [], finish } = cut(await replyTo(request, env), request.options.maxOutputTokens)
      for (const [delta] of text.matchAll(/\S+\s*|\s+/g)) {
        request.signal?.throwIfAborted()
        yield delta
      }
      const usage = { input: tokensIn([request.messages, request.tools]), output: tokensIn(text) + (calls.length > 0 ? tokensIn(calls) : 0) }
      yield { calls, usage, ...(finish && { finish }) }
    },
  })
}

type Reply = Exclude<GeneratedReply, string>

/** About how many tokens something is: one for four characters. */
const tokensIn = (value: unknown): number => Math.ceil((typeof value === 'string' ? value : JSON.stringify(value)).length / 4)

const cut = (reply: Reply, most = Number.POSITIVE_INFINITY): Reply =>
  tokensIn(reply.text ?? '') > most ? { text: (reply.text ?? '').slice(0, most * 4).toWellFormed(), finish: 'length' } : reply

async function replyTo({ messages, tools, options }: ModelRequest, env: () => Environment): Promise<Reply> {
  const { toolChoice, responseFormat } = options
  const transcript = readTranscript(messages)
  const isOffered = (name: string): boolean => toolChoice?.type !== 'none' && (toolChoice?.type !== 'tool' || toolChoice.toolName === name)
  const next = await act(transcript, tools.filter(({ name }) => isOffered(name)).map(viewOf))
  if (typeof next !== 'string') return { calls: [next] }
  if (responseFormat?.type === 'json') return { text: await structured(next, responseFormat.schema as JsonObject | undefined) }
  return { text: transcript.answer === '' ? [...introduction(env()), next].join('\n') : next }
}

/** The answer as JSON: in the only required field, if it takes any text. Rules cannot fill any other schema. */
async function structured(answer: string, schema: JsonObject = {}): Promise<string> {
  const [field = 'answer', ...others] = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  const value = { [field]: answer }
  if (others.length === 0 && (await fits(schema, value))) return JSON.stringify(value)
  const advice = 'Use a real model, or a schema with one required field of text.'
  throw new LoomError('LOOM_SCHEMA_UNSUPPORTED', `The offline model cannot answer in the form that is required. ${advice}`, { context: { schema } })
}
