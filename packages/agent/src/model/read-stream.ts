/** Reads a model's stream into a reply. */
import type { JsonObject, Part, Usage } from '@loom-agent/kernel'
import { notify } from '../platform/call-user.ts'
import type { ModelWarning } from '../types/result.ts'
import type { StreamPart } from './model.ts'
import type { ReadBlock, Reading } from './reading.ts'
import { InterruptedStream, unreadable } from './stream-errors.ts'
import { take } from './take-part.ts'
import { type Block, textsBehind } from './text-blocks.ts'

/** A reply that was read to its end. */
export interface StreamedReply {
  readonly parts: readonly Part[]
  readonly usage: Usage
  readonly finish: string
  readonly model?: string | undefined
  readonly meta?: JsonObject | undefined
  readonly warnings?: readonly ModelWarning[] | undefined
}

/** What a model returns: a stream of the parts of a reply. */
export interface Streamed {
  readonly stream: AsyncIterable<StreamPart> | ReadableStream<StreamPart>
}

/** What there is of the answer so far. */
export function textRead({ parts }: Reading): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** What is shown of it: nothing of a block of text behind one that goes on. */
export function textShown(reading: Reading): string {
  const behind = new Set<Part | Block>(textsBehind(reading.texts))
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
    // Not `for await`: where a part is refused, that would wait for `return`, which may never settle.
    const iterator = stream[Symbol.asyncIterator]()
    reading.cancel = () => void endIteration(iterator).catch(() => {})
    for (let next = await iterator.next(); !next.done && !reading.closed; next = await iterator.next()) {
      onPiece()
      take(reading, next.value)
    }
  } else unreadable('doStream returned no stream', streamed)
  return replyOf(reading)
}

const isWebStream = (stream: object): stream is ReadableStream<StreamPart> => 'getReader' in Object(stream)
const isIterable = (stream: object): stream is AsyncIterable<StreamPart> => Symbol.asyncIterator in Object(stream)

async function endIteration(iterator: AsyncIterator<StreamPart>): Promise<void> {
  await iterator.return?.()
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
