/** Inputs: a text, parts, or earlier messages. */
import { type CallResult, isLoomError, type JsonObject, LoomError, type Message, type Output, type Part } from '@loom-agent/kernel'
import { ignoreWithin, readable } from '../platform/call-user.ts'
import { longestList, nearest } from '../platform/expected.ts'
import { jsonText, toJson, messageOf as wordsOf } from '../platform/normalize.ts'
import type { InputTaint } from './input-taint.ts'

/** A part of a user's message. */
export type InputPart = MarkedPart & PlainPart

/** What a caller says of a part. */
interface MarkedPart {
  /** What it holds that others wrote, or that is private; default nothing. */
  readonly taint?: InputTaint | undefined
}

type PlainPart =
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

/** An input as messages of the conversation. Throws LOOM_INPUT_INVALID, with the path of what cannot be used. */
export function toMessages(input: Input): readonly Message[] {
  try {
    return readMessages(input)
  } catch (thrown) {
    ignoreWithin(input)
    if (isLoomError(readable(thrown))) throw thrown
    return refuse('input', `cannot be read: ${wordsOf(readable(thrown))}`)
  }
}

/** The same of what is read as a part of something else, whose failure says what it was. */
export function readMessages(input: Input): readonly Message[] {
  const messages = typeof input === 'string' ? [textMessage(input)] : Array.isArray(input) ? listed(input) : refuse('input', `is ${shown(input)}`)
  return messages.every(isBlank) ? refuseEmpty() : messages
}

function refuseEmpty(): never {
  throw new LoomError('LOOM_INPUT_EMPTY', 'The input is empty. Give a text, parts or messages with something in them.')
}

/** A user's message of one text. One without words would never be shown to a model. */
export function textMessage(text: string): Message {
  if (typeof text !== 'string') return refuse('input', `is ${shown(text)}`, 'Give a text.')
  return text.trim() === '' ? refuseEmpty() : { role: 'user', parts: [{ type: 'text', text: text.toWellFormed() }] }
}

const isBlank = (message: Message): boolean =>
  message.role !== 'tool' && message.parts.every((part) => part.type === 'text' && part.text.trim() === '')

const forms = "Give a text, parts ({ type: 'text', text }) or messages ({ role, content })."

function refuse(path: string, problem: string, advice = forms): never {
  throw new LoomError('LOOM_INPUT_INVALID', `This input cannot be used: ${path} ${problem}. ${advice}`, { context: { path, problem } })
}

const shown = (value: unknown): string => (value === undefined ? 'missing' : jsonText(value).slice(0, 80))

type Loose = { readonly [key: string]: unknown }
type LoosePart = Loose & { readonly type: string }

function objectAt(value: unknown, path: string): Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : refuse(path, `is ${shown(value)}`)
}

function listed(items: readonly unknown[]): readonly Message[] {
  checkLength(items, 'input')
  const objects = items.map((item, index) => objectAt(item, `input[${index}]`))
  const isMessage = (item: Loose): boolean => 'role' in item
  const stranger = objects.findIndex((item) => isMessage(item) !== isMessage(objects[0] ?? {}))
  if (stranger > 0) refuse(`input[${stranger}]`, 'mixes parts and messages')
  if (objects.some(isMessage)) return paired(objects.map((item, index) => messageOf(item, `input[${index}]`)))
  return [{ role: 'user', parts: partsOf(objects, 'input', userParts) }]
}

/** A list with holes may have any length, and each place is looked at. */
function checkLength({ length }: readonly unknown[], path: string): void {
  if (length > longestList) refuse(path, `has ${length} items, and ${longestList} are allowed`)
}

const userParts = ['text', 'image', 'file', 'data']
const assistantParts = [...userParts, 'reasoning', 'tool-call', 'tool-result']
const partTypes = { system: ['text'], user: userParts, assistant: assistantParts, tool: ['tool-result'] }
const isRole = (role: unknown): role is keyof typeof partTypes => typeof role === 'string' && Object.hasOwn(partTypes, role)

function messageOf({ role, content }: Loose, path: string): Message {
  if (!isRole(role)) return refuse(`${path}.role`, `is ${shown(role)}`, adviceOn(role, Object.keys(partTypes)))
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  if (!Array.isArray(parts)) return refuse(`${path}.content`, `is ${shown(content)}`)
  checkLength(parts, `${path}.content`)
  if (role !== 'tool') return { role, parts: partsOf(parts, `${path}.content`, partTypes[role]) }
  const results = parts.map((part, index) => typed(part, `${path}.content[${index}]`))
  // A tool's message of the AI SDK may also hold answers to approvals: they are no results.
  return { role, results: results.flatMap(({ part, at }) => (part.type === 'tool-result' ? [resultOf(part, at)] : [])) }
}

const adviceOn = (word: unknown, known: readonly string[]): string => {
  const near = typeof word === 'string' ? nearest(word, known) : undefined
  return near === undefined ? `Use one of ${known.join(', ')}.` : `Did you mean "${near}"?`
}

/** A part whose type is a text, and its path. */
function typed(value: unknown, at: string): { part: LoosePart; at: string } {
  const part = objectAt(value, at)
  if (typeof part['type'] !== 'string') refuse(`${at}.type`, `is ${shown(part['type'])}`)
  return { part: part as LoosePart, at }
}

function partsOf(values: readonly unknown[], path: string, known: readonly string[]): readonly Part[] {
  return values.map((value, index) => {
    const { part, at } = typed(value, `${path}[${index}]`)
    // An assistant's message may hold parts that only its provider knows: they are kept. A name that is nearly known is a mistake.
    const isKept = known === assistantParts && nearest(part.type, known) === undefined
    if (!known.includes(part.type) && !isKept) refuse(`${at}.type`, `is "${part.type}"`, adviceOn(part.type, known))
    return partOf(part, at)
  })
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
      if (asked?.output !== unanswered) refuse(`the result "${result.id}"`, 'answers no open call of the message before it')
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
    if (open.has(part.id)) refuse(`the id "${part.id}"`, 'is that of two calls of one message')
    open.set(part.id, { call: '', id: part.id, name: part.name, output: unanswered })
  }
  return open.size > 0 ? open : undefined
}

function partOf(part: LoosePart, at: string): Part {
  const meta = part['providerOptions'] === undefined ? {} : { meta: toJson(part['providerOptions']) as JsonObject }
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: textIn(part, 'text', at), ...meta }
    case 'image':
      return {
        type: 'file',
        mediaType: part['mediaType'] === undefined ? 'image/*' : textIn(part, 'mediaType', at),
        ...dataIn(part, 'image', at),
        ...meta,
      }
    case 'file': {
      const name = part['name'] ?? part['filename']
      return {
        type: 'file',
        mediaType: textIn(part, 'mediaType', at),
        ...dataIn(part, 'data', at),
        ...(typeof name === 'string' && { name }),
        ...meta,
      }
    }
    case 'data':
      return { type: 'data', data: toJson('data' in part ? part['data'] : missing(part, 'data', at)) }
    case 'tool-call':
      if (part['providerExecuted'] === true) return { type: 'provider', part: toJson(part) }
      return { type: 'call', id: textIn(part, 'toolCallId', at), name: textIn(part, 'toolName', at), input: toJson(part['input']), ...meta }
    default:
      return { type: 'provider', part: toJson(part) }
  }
}

/** Refuses a field, and names the one that was probably meant. */
function missing(part: LoosePart, key: string, at: string): never {
  const near = nearest(
    key,
    Object.keys(part).filter((name) => name !== 'type'),
  )
  refuse(`${at}.${key}`, `is ${shown(part[key])}`, near === undefined || near === key ? forms : `Did you write "${near}" for "${key}"?`)
}

function textIn(part: LoosePart, key: string, at: string): string {
  const value = part[key]
  return typeof value === 'string' ? value.toWellFormed() : missing(part, key, at)
}

function dataIn(part: LoosePart, key: string, at: string): { data: string | { url: string } } {
  return { data: dataOf(part[key]) ?? missing(part, key, at) }
}

/** The data of a file; undefined when it has none. */
function dataOf(data: unknown): string | { url: string } | undefined {
  if (data instanceof URL) return { url: data.href }
  if (data instanceof Uint8Array) return toBase64(data)
  if (typeof data === 'string') return /^https?:\/\//.test(data) ? { url: data } : data.replace(/^data:[^,]*;base64,/, '')
  const nested = data as { type?: string; data?: unknown; url?: unknown } | null | undefined
  if (nested?.type === 'data') return dataOf(nested.data)
  return nested?.type === 'url' && nested.url !== undefined ? { url: String(nested.url) } : undefined
}

/** Bytes as base64, in slices that fit the stack. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let index = 0; index < bytes.length; index += 8192) binary += String.fromCharCode(...bytes.subarray(index, index + 8192))
  return btoa(binary)
}

function resultOf(part: LoosePart, at: string): CallResult {
  return { call: '', id: textIn(part, 'toolCallId', at), name: textIn(part, 'toolName', at), output: outputOf(part['output'], `${at}.output`) }
}

function outputOf(output: unknown, at: string): Output {
  const { type, value, reason } = (output ?? refuse(at, `is ${shown(output)}`)) as { type?: string; value?: unknown; reason?: string }
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
      if (!Array.isArray(value)) return refuse(`${at}.value`, `is ${shown(value)}`)
      return { type: 'parts', value: partsOf(value, `${at}.value`, assistantParts) }
    default:
      return { type: 'json', value: toJson(type === 'json' ? value : output) }
  }
}
