/** Sending a reply over HTTP, or failing to. */
import type { ServerResponse } from 'node:http'
import { anthropicFormat } from './anthropic-format.ts'
import { googleFormat } from './google-format.ts'
import { openaiChatFormat, openaiCompatibleFormat } from './openai-chat-format.ts'
import { openaiResponsesFormat } from './openai-responses-format.ts'
import type { Ready, ReplyFormat, StreamEvent, WireFault, WireReply } from './reply.ts'
import { errorBody, errorEvent, overflows, type VendorError } from './vendor-error.ts'
import type { Wire } from './wire.ts'

const formats: Readonly<Record<Wire, ReplyFormat>> = {
  'openai-chat': openaiChatFormat,
  'openai-compatible': openaiCompatibleFormat,
  'openai-responses': openaiResponsesFormat,
  anthropic: anthropicFormat,
  google: googleFormat,
}

/** A reply, and the response that it is sent with. */
export interface Sending {
  readonly response: ServerResponse
  readonly wire: Wire
  readonly streams: boolean
  readonly reply: WireReply
  readonly ready: Ready
}

/** Sends an error in the vendor's shape. */
export function sendError(response: ServerResponse, wire: Wire, error: VendorError): void {
  const { retryAfter, retryAfterMs } = error
  response.writeHead(error.status, {
    'content-type': 'application/json',
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(retryAfterMs !== undefined && { 'retry-after-ms': String(retryAfterMs) }),
  })
  response.end(JSON.stringify(errorBody(wire, error)))
}

/** Sends a reply. Resolves when everything is written, or at once if nothing will be. */
export async function sendReply(sending: Sending): Promise<void> {
  const { response, wire, streams, reply } = sending
  const { fault } = reply
  if (fault?.kind === 'status') return sendError(response, wire, fault)
  if (fault?.kind === 'overflow') return sendError(response, wire, overflows[wire])
  if (fault?.kind === 'html') return sendPage(response, fault.status ?? 502)
  if (fault?.kind === 'empty') return void response.writeHead(fault.status ?? 500).end()
  if (isSilent(fault)) return fault.kind === 'cut' ? void response.destroy() : undefined
  return streams ? sendStream(sending) : sendWhole(sending)
}

/** A failure before the first byte. */
const isSilent = (fault: WireFault | undefined): fault is Extract<WireFault, { kind: 'cut' | 'stall' }> =>
  (fault?.kind === 'cut' || fault?.kind === 'stall') && fault.after === undefined

const placeOf = (fault: WireFault | undefined): number => (fault && 'after' in fault ? (fault.after ?? 0) : Number.POSITIVE_INFINITY)

async function sendStream({ response, wire, reply, ready }: Sending): Promise<void> {
  const { fault, bytes } = reply
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.flushHeaders()
  const events = formats[wire].events(ready)
  const sent = events.slice(0, placeOf(fault))
  const texts = sent.map((event) => encode(wire, event))
  // Pieces run across events: a piece may begin in the middle of a character and end in the middle of another.
  if (bytes === undefined) for (const text of texts) await write(response, Buffer.from(text))
  else await writePieces(response, Buffer.from(texts.join('')), bytes)
  if (fault?.kind === 'error') await write(response, Buffer.from(encode(wire, errorEvent(wire, { status: 500, ...fault }, sent.length))))
  await finish(response, fault)
}

async function sendWhole({ response, wire, reply, ready }: Sending): Promise<void> {
  const { fault, bytes } = reply
  if (fault?.kind === 'error') return sendError(response, wire, { status: 500, ...fault })
  const body = Buffer.from(JSON.stringify(formats[wire].whole(ready)))
  response.writeHead(200, { 'content-type': 'application/json' })
  // A body has no events: a failure in its middle comes in its middle.
  await writePieces(response, fault ? body.subarray(0, body.length >> 1) : body, bytes ?? body.length)
  await finish(response, fault)
}

/** Ends the answer as it is meant to end. */
async function finish(response: ServerResponse, fault: WireFault | undefined): Promise<void> {
  if (fault?.kind === 'stall') return
  if (fault?.kind === 'cut') return void response.destroy()
  if (fault?.kind === 'junk') await write(response, junk)
  response.end()
}

const junk = Buffer.concat([Buffer.from('data: {"half":'), Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28]), Buffer.from('\n\ndata: <junk>\n\n')])

function encode(wire: Wire, { event, data }: StreamEvent): string {
  const line = wire === 'google' ? '\r\n' : '\n'
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${event === undefined ? '' : `event: ${event}${line}`}data: ${text}${line}${line}`
}

async function writePieces(response: ServerResponse, all: Buffer, size: number): Promise<void> {
  for (let at = 0; at < all.length && !response.destroyed; at += size) await write(response, all.subarray(at, at + size))
}

/** Each write is a chunk of its own, read one by one. A client that is gone is no error here. */
function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) resolve()
    else response.write(bytes, () => resolve())
  })
}

function sendPage(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/html' })
  response.end(`<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>Bad gateway</h1></body></html>`)
}
