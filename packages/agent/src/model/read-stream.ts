/**
 * Reads a model's stream into a reply. Every part of every specification version is understood, kept or knowingly passed over. A part that has not
 * the fields of its type makes the reply unreadable: nothing of it is guessed.
 */
import { type CallPart, type Json, type JsonObject, LoomError, type Part, type Usage } from '@loom-agent/kernel'
import type { Channel } from '../bus/bus.ts'
import { notify } from '../platform/call-user.ts'
import { deepestJson, jsonDepth } from '../platform/json-depth.ts'
import { jsonText, parseJson, toJson } from '../platform/normalize.ts'
import type { ModelWarning } from '../types/result.ts'
import type { SignalPlace } from '../types/signal.ts'
import type { StreamPart } from './model.ts'
import { type RecordedDeltas, recordDelta } from './recorded-deltas.ts'
import { InterruptedStream, SentError } from './stream-errors.ts'
import { type Block, showDelta, showEnd, showStart, type TextBlocks } from './text-blocks.ts'
import { usageOf } from './usage.ts'
import { warningsIn } from './warnings.ts'

/** A reply that was read to its end. */
export interface StreamedReply {
  readonly parts: readonly Part[]
  readonly usage: Usage
  readonly finish: string
  readonly model?: string | undefined
  readonly meta?: JsonObject | undefined
  readonly warnings?: readonly ModelWarning[] | undefined
}

/** Where the pieces of a reply are shown while the stream is read: signals are made only while the thread is viewed. */
export interface PieceView {
  readonly channel: Pick<Channel, 'isViewed' | 'signal'>
  readonly place: SignalPlace & { readonly attempt: number }
  /** Where the deltas are kept that the agent records; undefined: they are not. */
  readonly recorded: RecordedDeltas | undefined
}

interface ReadBlock extends Block {
  meta?: JsonObject
}

/** A stream that is being read. */
export interface Reading {
  readonly parts: (Part | ReadBlock)[]
  /** Blocks that are open; undefined while there has been none. */
  blocks: Map<string, ReadBlock> | undefined
  readonly texts: TextBlocks
  readonly view: PieceView
  finish: { readonly usage: Usage; readonly reason: string; readonly meta?: JsonObject } | undefined
  model: string | undefined
  warnings: readonly ModelWarning[] | undefined
  closed: boolean
  /** Cancels the stream. */
  cancel: (() => void) | undefined
}

/** What a model returns: a stream of the parts of a reply. */
export interface Streamed {
  readonly stream: AsyncIterable<StreamPart> | ReadableStream<StreamPart>
}

/** A stream of which nothing has been read. */
export function createReading(view: PieceView): Reading {
  return { parts: [], blocks: undefined, texts: [], view, finish: undefined, model: undefined, warnings: undefined, closed: false, cancel: undefined }
}

/** What there is of the answer so far. */
export function textRead({ parts }: Reading): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** What is shown of it: nothing of a block of text behind one that goes on. */
export function textShown(reading: Reading): string {
  const behind = new Set<Part | Block>(reading.texts.slice(1).map(({ block }) => block))
  return reading.parts.map((part) => (part.type === 'text' && !behind.has(part) ? part.text : '')).join('')
}

/** Cancels the stream: later pieces are ignored. */
export function stopReading(reading: Reading): void {
  reading.closed = true
  reading.cancel?.()
}

/**
 * Waits for the stream and reads it to its end. One asynchronous function: a reply costs one promise and one wait per piece.
 *
 * A reader is the cheapest way through a web stream; anything else is iterated.
 */
export async function readStream(reading: Reading, streaming: Streamed | Promise<Streamed>, onPiece: () => void): Promise<StreamedReply> {
  const streamed: Partial<Streamed> | undefined = await streaming
  const stream = streamed?.stream ?? {}
  if (isWebStream(stream)) {
    const reader = stream.getReader()
    reading.cancel = () => notify(() => reader.cancel(), undefined)
    for (let next = await reader.read(); !next.done && !reading.closed; next = await reader.read()) {
      onPiece()
      take(reading, next.value)
    }
  } else if (isIterable(stream)) {
    for await (const part of stream) {
      if (reading.closed) break
      onPiece()
      take(reading, part)
    }
  } else unreadable('doStream returned no stream', streamed)
  return replyOf(reading)
}

const isWebStream = (stream: object): stream is ReadableStream<StreamPart> => 'getReader' in Object(stream)
const isIterable = (stream: object): stream is AsyncIterable<StreamPart> => Symbol.asyncIterator in Object(stream)

/** Throws for a reply that is not what a model may send. Another attempt may get one that is. */
function unreadable(problem: string, found: unknown): never {
  const advice = 'Check the model object, or use another model.'
  const message = `The reply of the model cannot be read: ${problem} (found ${jsonText(found).slice(0, 200)}). ${advice}`
  throw new LoomError('LOOM_MODEL_FAILED', message, { context: { problem } })
}

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

function replyOf({ finish, parts, model, warnings }: Reading): StreamedReply {
  if (!finish || finish.reason === 'interrupted' || finish.reason === 'error') throw new InterruptedStream()
  return {
    parts: parts.some(isEmpty) ? parts.filter((part) => !isEmpty(part)) : parts,
    usage: finish.usage,
    finish: finish.reason,
    model,
    meta: finish.meta,
    warnings,
  }
}

/** The tokens of a reply that reached its end, also when it ended badly: it is billed like any other. Counts of one that broke off are those of its beginning. */
export function tokensRead({ finish }: Reading): Usage | undefined {
  return finish && finish.reason !== 'interrupted' && finish.usage.input + finish.usage.output > 0 ? finish.usage : undefined
}

const isEmpty = (part: Part | ReadBlock): boolean =>
  (part.type === 'text' || part.type === 'reasoning') && part.text === '' && part.meta === undefined

/** What is kept of a part, with the provider's metadata where there is any. */
function withMeta<T extends object>(part: object, kept: T): T & { meta?: JsonObject } {
  const { providerMetadata } = part as { providerMetadata?: unknown }
  if (providerMetadata === undefined) return kept
  if (typeof providerMetadata !== 'object' || providerMetadata === null) unreadable('the providerMetadata of a part must be an object', part)
  return { ...kept, meta: toJson(providerMetadata) as JsonObject }
}

function take(reading: Reading, part: StreamPart): void {
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
      return showInput(reading.view, part)
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
  const key = `${kind}${String(part.id)}`
  const block = openBlock(reading, kind, key)
  if (part.providerMetadata !== undefined) block.meta = { ...block.meta, ...withMeta(part, {}).meta }
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
    block.text += part.delta
    const { recorded } = reading.view
    if (recorded) recordDelta(recorded, { type: part.type, text: part.delta })
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
    reading.blocks.set(key, block)
    reading.parts.push(block)
    showStart(reading, block)
  }
  return block
}

function showInput({ channel, place, recorded }: PieceView, part: Extract<StreamPart, { type: `tool-input-${string}` }>): void {
  if (recorded && part.type === 'tool-input-delta') recordDelta(recorded, { type: 'input-delta', text: part.delta, id: part.id })
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
      if (part.providerExecuted) return keep(reading, part)
      return void reading.parts.push(withMeta(part, callOf(part)))
    case 'file':
      return takeFile(reading, part)
    case 'finish':
      reading.finish = withMeta(part, { usage: usageOf(part.usage), reason: reasonOf(part) })
      return
    case 'response-metadata':
      if (typeof part.modelId === 'string') reading.model = part.modelId
      return
    case 'stream-start':
      reading.warnings = 'warnings' in part ? warningsIn(part.warnings) : undefined
      return
    case 'raw':
    case 'ping':
      return
    default:
      // Sources, provider-executed results, approval requests, custom parts and unknown ones: kept verbatim and sent back.
      return keep(reading, part)
  }
}

function takeFile(reading: Reading, part: Extract<StreamPart, { type: 'file' }>): void {
  const data: unknown =
    typeof part.data === 'object' && part.data !== null && 'type' in part.data
      ? part.data.type === 'url'
        ? { url: String(part.data.url) }
        : part.data.data
      : part.data
  if (typeof data === 'string' || (typeof data === 'object' && data !== null && 'url' in data)) {
    reading.parts.push(withMeta(part, { type: 'file', mediaType: part.mediaType, data: data as string }))
  } else keep(reading, part)
}

/** Keeps a part as it is; a custom part without metadata holds nothing. */
function keep(reading: Reading, part: StreamPart): void {
  if (part.type === 'custom' && part.providerMetadata === undefined) return
  reading.parts.push({ type: 'provider', part: toJson(part) })
}

function callOf({ toolCallId: id, toolName: name, input: text }: Extract<StreamPart, { type: 'tool-call' }>): CallPart {
  const input = inputOf(text)
  return input === undefined ? { type: 'call', id, name, input: null, malformed: text } : { type: 'call', id, name, input }
}

/** The arguments of a call; undefined when they are not JSON. */
function inputOf(text: string): Json | undefined {
  if (text.trim() === '') return {}
  if (jsonDepth(text) > deepestJson) return undefined
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function reasonOf(part: Extract<StreamPart, { type: 'finish' }>): string {
  const { finishReason } = part
  const reason: unknown = typeof finishReason === 'object' ? finishReason?.unified : finishReason
  return typeof reason === 'string' ? reason : unreadable('finish needs a finishReason', part)
}
