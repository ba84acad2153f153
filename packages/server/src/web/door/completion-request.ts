/** What a client of OpenAI's chat completions sends. */
import type { Input, SignedAnswer, UserMessage } from '@loom-agent/agent'
import { type Json, LoomError } from '@loom-agent/kernel'

type Loose = { readonly [field: string]: unknown }

/** What a client asks for. */
export interface CompletionRequest {
  /** The name of an agent. */
  readonly model: string
  readonly isStream: boolean
  /** The client wants the tokens at the end of a stream. */
  readonly wantsUsage: boolean
  /** The thread that goes on; undefined: a new one. */
  readonly thread: string | undefined
  /** Messages that answer questions, by the ids of these. */
  readonly answers: ReadonlyMap<string, string>
  /** What is said: on a thread that goes on the last message, on a new one all of them. */
  readonly input: Input
}

/** The name of the function by which questions are shown to clients. */
export const answerFunction = 'loom_answer'

function invalid(problem: string): LoomError {
  return new LoomError('LOOM_REQUEST_INVALID', `This is no request of chat completions: ${problem}.`, { context: { problem } })
}

const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value)

function partOf(part: unknown): { readonly type: string; readonly [key: string]: unknown } {
  if (isObject(part) && part['type'] === 'text') return { type: 'text', text: part['text'] }
  const image = isObject(part) && part['type'] === 'image_url' ? part['image_url'] : undefined
  if (isObject(image) && typeof image['url'] === 'string') return { type: 'image', image: image['url'] }
  throw invalid('a message has a part that is neither text nor an image_url')
}

function contentOf({ content }: Loose): UserMessage['content'] {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(partOf)
  throw invalid('a message has no content')
}

/** Calls that a client shows again as part of a conversation were questions: what became of them is in the journal, not here. */
function messageOf(message: Loose): readonly UserMessage[] {
  const { role } = message
  if (role === 'system' || role === 'developer') return [{ role: 'system', content: contentOf(message) }]
  if (role === 'user') return [{ role, content: contentOf(message) }]
  if (role === 'tool') return []
  if (role !== 'assistant') throw invalid(`a message has the role ${JSON.stringify(role)}`)
  return typeof message['content'] === 'string' && message['content'] !== '' ? [{ role, content: message['content'] }] : []
}

/** The messages at the end that answer questions. */
function answersIn(messages: readonly Loose[]): ReadonlyMap<string, string> {
  const last = messages.findLastIndex(({ role }) => role !== 'tool')
  const answers = new Map<string, string>()
  for (const { tool_call_id: id, content } of messages.slice(last + 1)) {
    if (typeof id !== 'string' || !id.includes('#') || typeof content !== 'string')
      throw invalid('a message of a tool answers no question of an agent')
    answers.set(id, content)
  }
  return answers
}

/** Reads the body of a request. */
export function readCompletionRequest(body: unknown): CompletionRequest {
  if (!isObject(body) || typeof body['model'] !== 'string') throw invalid('it names no model; models are the agents of this server')
  const { model, messages, metadata, stream, stream_options: options } = body
  if (Array.isArray(body['tools']) && body['tools'].length > 0) throw invalid('it brings tools, and agents have their own')
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isObject)) throw invalid('it has no messages')
  const thread = isObject(metadata) && typeof metadata['thread'] === 'string' ? metadata['thread'] : undefined
  const said = thread === undefined ? messages : messages.slice(-1)
  const wantsUsage = isObject(options) && options['include_usage'] === true
  return { model, isStream: stream === true, wantsUsage, thread, answers: answersIn(messages), input: said.flatMap(messageOf) }
}

/** Reads an answer: `approve`, `reject`, `reject: why`, or the JSON of an answer. Anything else is the value of a response. */
export function readAnswer(text: string, by: string): SignedAnswer {
  const word = text.trim()
  if (/^approved?\.?$/i.test(word)) return { answer: { kind: 'approve' }, by }
  const rejected = /^rejected?\b[.:]?\s*(.*)$/is.exec(word)
  if (rejected) return { answer: { kind: 'reject', ...(rejected[1] && { reason: rejected[1] }) }, by }
  try {
    const given: unknown = JSON.parse(word)
    if (isObject(given) && given['kind'] === 'edit') return { answer: { kind: 'edit', input: given['input'] as Json }, by }
    return { answer: { kind: 'respond', value: given as Json }, by }
  } catch {
    return { answer: { kind: 'respond', value: word }, by }
  }
}
