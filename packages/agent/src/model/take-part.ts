/**
 * Takes the parts of a stream into a reply. Every part of every specification version is understood, kept or knowingly passed over. A part that has not
 * the fields of its type makes the reply unreadable: nothing of it is guessed.
 */
import type { CallPart, Json, JsonObject, Part } from '@loom-agent/kernel'
import { deepestJson, jsonDepth, longestInput } from '../platform/json-depth.ts'
import { jsonText, parseJson } from '../platform/normalize.ts'
import type { StreamPart } from './model.ts'
import type { ReadBlock, Reading } from './reading.ts'
import { measure, measureName, type ReplyMeter } from './reply-meter.ts'
import { SentError, unreadable } from './stream-errors.ts'
import { type Block, showDelta, showEnd, showStart } from './text-blocks.ts'
import { usageOf } from './usage.ts'
import { warningsIn } from './warnings.ts'

/** The fields that the parts of a reply must have as texts. */
const texts: { readonly [type: string]: readonly string[] } = {
  'text-delta': ['delta'],
  'reasoning-delta': ['delta'],
  'tool-input-start': ['id', 'toolName'],
  'tool-input-delta': ['id', 'delta'],
  'tool-input-end': ['id'],
  'tool-call': ['toolCallId', 'toolName', 'input'],
  file: ['mediaType'],
}

function checkPart(part: StreamPart | null | undefined): void {
  if (typeof part?.type !== 'string') unreadable('a part of the stream has no type', part)
  for (const key of texts[part.type] ?? []) {
    if (typeof (part as { readonly [key: string]: unknown })[key] !== 'string') unreadable(`${part.type} needs a text as its ${key}`, part)
  }
}

/** What is kept of a part, with the provider's metadata where there is any. */
function withMeta<T extends object>({ meter }: Reading, part: object, kept: T): T & { meta?: JsonObject } {
  const { providerMetadata } = part as { providerMetadata?: unknown }
  if (providerMetadata === undefined) return kept
  if (typeof providerMetadata !== 'object' || providerMetadata === null) unreadable('the providerMetadata of a part must be an object', part)
  return { ...kept, meta: measuredJson(meter, providerMetadata) as JsonObject }
}

/** A value of the provider as JSON, measured before it is built. */
function measuredJson(meter: ReplyMeter, value: object): Json {
  const text = jsonText(value)
  measure(meter, 'data', text.length)
  return JSON.parse(text) as Json
}

/** Adds a part to the reply. */
function add(reading: Reading, part: Part | ReadBlock): void {
  measure(reading.meter, 'parts', 1)
  // Most replies have one part, and a list that grows takes room for many.
  if (reading.parts.length === 0) reading.parts = [part]
  else reading.parts.push(part)
}

/** Takes one part. Throws when it cannot be read, or exceeds a bound (REPLY-1). */
export function take(reading: Reading, part: StreamPart): void {
  measure(reading.meter, 'pieces', 1)
  checkPart(part)
  switch (part.type) {
    case 'text-start':
    case 'text-delta':
    case 'text-end':
    case 'reasoning-start':
    case 'reasoning-delta':
    case 'reasoning-end':
      return takeBlock(reading, part)
    case 'tool-input-start':
    case 'tool-input-delta':
    case 'tool-input-end':
      return takeInput(reading, part)
    case 'error':
      throw new SentError(part.error)
    default:
      return takeWhole(reading, part)
  }
}

type BlockPart = Extract<StreamPart, { type: `${'text' | 'reasoning'}-${'start' | 'delta' | 'end'}` }>

/** Blocks may interleave; each is known by its kind and id. */
function takeBlock(reading: Reading, part: BlockPart): void {
  const kind = part.type.startsWith('text') ? 'text' : 'reasoning'
  measureName(reading.meter, part.id)
  const key = `${kind}${String(part.id)}`
  const block = openBlock(reading, kind, key)
  if (part.providerMetadata !== undefined) block.meta = Object.assign(block.meta ?? {}, withMeta(reading, part, {}).meta)
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
    measure(reading.meter, 'characters', part.delta.length)
    block.text += part.delta
    reading.view.recorded?.add({ type: part.type, text: part.delta })
    showDelta(reading, block, part.delta)
  } else if (part.type === 'text-end' || part.type === 'reasoning-end') {
    reading.blocks?.delete(key)
    showEnd(reading, block)
  }
}

function openBlock(reading: Reading, kind: Block['type'], key: string): ReadBlock {
  reading.blocks ??= new Map()
  let block = reading.blocks.get(key)
  if (!block) {
    block = { type: kind, text: '' }
    add(reading, block)
    reading.blocks.set(key, block)
    showStart(reading, block)
  }
  return block
}

/** Arguments that come in pieces: the call that has them comes whole, afterwards. */
function takeInput({ view, meter }: Reading, part: Extract<StreamPart, { type: `tool-input-${string}` }>): void {
  const { channel, place, recorded } = view
  measureName(meter, part.id)
  if (part.type === 'tool-input-start') measureName(meter, part.toolName)
  if (part.type === 'tool-input-delta') measure(meter, 'streamed', part.delta.length)
  if (part.type === 'tool-input-delta') recorded?.add({ type: 'input-delta', text: part.delta, id: part.id })
  if (!channel.isViewed()) return
  const { id } = part
  if (part.type === 'tool-input-start') channel.signal({ type: 'input-start', ...place, id, tool: part.toolName })
  else if (part.type === 'tool-input-delta') channel.signal({ type: 'input-delta', ...place, id, text: part.delta })
  else channel.signal({ type: 'input-end', ...place, id })
}

type WholePart = Exclude<
  StreamPart,
  { type: `text-${string}` | `reasoning-start` | `reasoning-delta` | `reasoning-end` | `tool-input-${string}` | 'error' }
>

/** Parts that come in one piece. */
function takeWhole(reading: Reading, part: WholePart): void {
  switch (part.type) {
    case 'tool-call':
      return takeCall(reading, part)
    case 'file':
      return takeFile(reading, part)
    case 'finish':
      reading.finish = withMeta(reading, part, { usage: usageOf(part.usage), reason: reasonOf(reading, part) })
      return
    case 'response-metadata':
      measureName(reading.meter, part.modelId)
      if (typeof part.modelId === 'string') reading.model = part.modelId
      return
    case 'stream-start':
      // A reply starts once: what a stream says again is not read again.
      reading.warnings ??= 'warnings' in part ? warningsIn(part.warnings) : undefined
      return
    case 'raw':
    case 'ping':
      return
    default:
      // Sources, provider-executed results, approval requests, custom parts and unknown ones: kept verbatim and sent back.
      return keep(reading, part)
  }
}

function takeCall(reading: Reading, part: Extract<StreamPart, { type: 'tool-call' }>): void {
  const { meter } = reading
  measureName(meter, part.toolCallId)
  measureName(meter, part.toolName)
  measure(meter, 'calls', 1)
  measure(meter, 'arguments', part.input.length)
  if (part.providerExecuted) keep(reading, part)
  else add(reading, withMeta(reading, part, callOf(part)))
}

function takeFile(reading: Reading, part: Extract<StreamPart, { type: 'file' }>): void {
  measureName(reading.meter, part.mediaType)
  const data: unknown =
    typeof part.data === 'object' && part.data !== null && 'type' in part.data
      ? part.data.type === 'url'
        ? { url: String(part.data.url) }
        : part.data.data
      : part.data
  if (typeof data === 'string' || (typeof data === 'object' && data !== null && 'url' in data)) {
    measure(reading.meter, 'data', (typeof data === 'string' ? data : String(data.url)).length)
    add(reading, withMeta(reading, part, { type: 'file', mediaType: part.mediaType, data: data as string }))
  } else keep(reading, part)
}

/** Keeps a part as it is; a custom part without metadata holds nothing. */
function keep(reading: Reading, part: StreamPart): void {
  if (part.type === 'custom' && part.providerMetadata === undefined) return
  add(reading, { type: 'provider', part: measuredJson(reading.meter, part) })
}

function callOf({ toolCallId: id, toolName: name, input: text }: Extract<StreamPart, { type: 'tool-call' }>): CallPart {
  const input = inputOf(text)
  return input === undefined ? { type: 'call', id, name, input: null, malformed: text } : { type: 'call', id, name, input }
}

/** The arguments of a call; undefined when they are not JSON, or too long to be parsed. */
function inputOf(text: string): Json | undefined {
  if (text.trim() === '') return {}
  if (text.length > longestInput) return undefined
  if (jsonDepth(text) > deepestJson) return undefined
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function reasonOf({ meter }: Reading, part: Extract<StreamPart, { type: 'finish' }>): string {
  const { finishReason } = part
  const reason: unknown = typeof finishReason === 'object' ? finishReason?.unified : finishReason
  measureName(meter, reason)
  return typeof reason === 'string' ? reason : unreadable('finish needs a finishReason', part)
}
