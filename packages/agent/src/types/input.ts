/** Inputs: a text, parts, or earlier messages. */
import { type CallResult, type JsonObject, LoomError, type Message, type Output, type Part } from '@loom-agent/kernel'
import { toJson } from '../platform/normalize.ts'

/** A part of a user's message. */
export type InputPart =
  | {
      readonly type: 'text'
      /** The words. */
      readonly text: string
    }
  | {
      readonly type: 'image'
      /** An address, base64, or bytes. */
      readonly image: string | URL | Uint8Array
      /** Such as `image/png`; default `image/*`. */
      readonly mediaType?: string
    }
  | {
      readonly type: 'file'
      /** An address, base64, or bytes. */
      readonly data: string | URL | Uint8Array
      /** Such as `application/pdf`. */
      readonly mediaType: string
      /** The name of the file, shown to the model. */
      readonly name?: string
    }
  | {
      readonly type: 'data'
      /** Any JSON. */
      readonly data: unknown
    }

/** The AI SDK's message form, as `agent.messages()` gives it and any AI SDK app has it. */
export type UserMessages = readonly UserMessage[]
/** A message in the form of the AI SDK. */
export interface UserMessage {
  /** The author of the message. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  /** A text, or parts as the AI SDK has them. */
  readonly content: string | readonly { readonly type: string; readonly [key: string]: unknown }[]
}

/** What a run takes. */
export type Input = string | readonly InputPart[] | UserMessages

/** An input as messages of the conversation. */
export function toMessages(input: Input): readonly Message[] {
  const messages =
    typeof input === 'string'
      ? [textMessage(input)]
      : Array.isArray(input)
        ? listed(input as readonly unknown[])
        : refuse('it is neither text nor a list')
  if (messages.length === 0 || messages.every(isBlank)) {
    throw new LoomError('LOOM_INPUT_EMPTY', 'The input is empty. Give a text, parts or messages with something in them.')
  }
  return messages
}

/** A user's message of one text. */
export function textMessage(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text: text.toWellFormed() }] }
}

const isBlank = (message: Message): boolean =>
  message.role !== 'tool' && message.parts.every((part) => part.type === 'text' && part.text.trim() === '')

const refuse = (problem: string): never => {
  throw new LoomError(
    'LOOM_INPUT_INVALID',
    `This input cannot be used: ${problem}. Give a text, parts ({ type: 'text', text }) or messages ({ role, content }).`,
  )
}

function listed(items: readonly unknown[]): readonly Message[] {
  const isObject = (item: unknown): item is JsonObject => typeof item === 'object' && item !== null
  if (!items.every(isObject)) return refuse('the list holds something that is no object')
  if (items.every((item) => 'role' in item)) return paired((items as readonly unknown[] as readonly UserMessage[]).map(messageOf))
  if (items.some((item) => 'role' in item)) return refuse('parts and messages are mixed')
  return [{ role: 'user', parts: items.map((item) => partOf(item as { type: string })) }]
}

function messageOf({ role, content }: UserMessage): Message {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  if (!Array.isArray(parts)) return refuse('a message has neither text nor parts as its content')
  switch (role) {
    case 'system':
    case 'user':
    case 'assistant':
      return { role, parts: parts.map(partOf) }
    case 'tool':
      return { role, results: parts.filter((part) => part.type === 'tool-result').map(resultOf) }
    default:
      return refuse(`"${String(role)}" is no role`)
  }
}

/**
 * Messages in which every call has its one result, right after it: anything else is refused by vendors. A call that nobody answered, as an
 * aborted chat leaves behind, is given a result that says so; a result without its call is refused, because its meaning is not known.
 */
function paired(messages: readonly Message[]): readonly Message[] {
  const whole: Message[] = []
  let open: Map<string, CallResult> | undefined
  for (const message of messages) {
    if (message.role !== 'tool') {
      open = message.role === 'assistant' ? unansweredOf(message.parts) : undefined
      whole.push(message)
      if (open) whole.push({ role: 'tool', results: [...open.values()] })
      continue
    }
    for (const result of message.results) {
      const asked = open?.get(result.id)
      if (asked?.output !== unanswered) refuse(`the result "${result.id}" answers no open call of the message before it`)
      else open?.set(result.id, { ...asked, output: result.output })
    }
    if (open) whole[whole.length - 1] = { role: 'tool', results: [...open.values()] }
  }
  return whole
}

const unanswered: Output = { type: 'error', value: 'This call was never answered. Whether it had an effect is not known.' }

/** The calls of a message, each with the result of one that nobody answers. */
function unansweredOf(parts: readonly Part[]): Map<string, CallResult> | undefined {
  const open = new Map<string, CallResult>()
  for (const part of parts) {
    if (part.type !== 'call') continue
    if (open.has(part.id)) refuse(`two calls of a message have the id "${part.id}"`)
    open.set(part.id, { call: '', id: part.id, name: part.name, output: unanswered })
  }
  return open.size > 0 ? open : undefined
}

type LoosePart = { readonly type: string; readonly [key: string]: unknown }

function partOf(part: LoosePart): Part {
  const meta = part['providerOptions'] === undefined ? {} : { meta: toJson(part['providerOptions']) as JsonObject }
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: String(part['text']).toWellFormed(), ...meta }
    case 'image':
      return { type: 'file', mediaType: String(part['mediaType'] ?? 'image/*'), data: dataOf(part['image']), ...meta }
    case 'file': {
      const name = part['name'] ?? part['filename']
      return {
        type: 'file',
        mediaType: String(part['mediaType']),
        data: dataOf(part['data']),
        ...(typeof name === 'string' && { name }),
        ...meta,
      }
    }
    case 'data':
      return { type: 'data', data: toJson(part['data']) }
    case 'tool-call':
      if (part['providerExecuted'] === true) return { type: 'provider', part: toJson(part) }
      return { type: 'call', id: String(part['toolCallId']), name: String(part['toolName']), input: toJson(part['input']), ...meta }
    default:
      return { type: 'provider', part: toJson(part) }
  }
}

function dataOf(data: unknown): string | { url: string } {
  if (data instanceof URL) return { url: data.href }
  if (data instanceof Uint8Array) return toBase64(data)
  if (typeof data === 'string') return /^https?:\/\//.test(data) ? { url: data } : data.replace(/^data:[^,]*;base64,/, '')
  const nested = data as { type?: string; data?: unknown; url?: unknown } | undefined
  if (nested?.type === 'data') return dataOf(nested.data)
  if (nested?.type === 'url') return { url: String(nested.url) }
  return refuse('a file has no data')
}

/** Bytes as base64, in slices that fit the stack. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let index = 0; index < bytes.length; index += 8192) binary += String.fromCharCode(...bytes.subarray(index, index + 8192))
  return btoa(binary)
}

function resultOf(part: LoosePart): CallResult {
  return { call: '', id: String(part['toolCallId']), name: String(part['toolName']), output: outputOf(part['output']) }
}

function outputOf(output: unknown): Output {
  const { type, value, reason } = (output ?? {}) as { type?: string; value?: unknown; reason?: string }
  switch (type) {
    case 'text':
      return { type: 'text', value: String(value) }
    case 'error-text':
      return { type: 'error', value: String(value) }
    case 'error-json':
      return { type: 'error', value: JSON.stringify(toJson(value)) }
    case 'execution-denied':
      return { type: 'denied', value: reason ?? 'denied' }
    case 'content':
      return { type: 'parts', value: (value as readonly LoosePart[]).map(partOf) }
    default:
      return { type: 'json', value: toJson(type === 'json' ? value : output) }
  }
}
