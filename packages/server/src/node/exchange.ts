/**
 * Requests and responses of Node as those of the web, and back.
 *
 * NODE-1. A response is written as fast as the client reads: what the client has not taken stays where it comes from.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

const hasBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD'

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  return headers
}

/** The request as the web has it. Its signal is aborted when the client leaves. Throws for an address that is none. */
export function toRequest(message: IncomingMessage, protocol: 'http' | 'https', signal: AbortSignal): Request {
  const { method = 'GET', url = '/', headers } = message
  const address = new URL(url.startsWith('/') ? url : '/', `${protocol}://${headers.host ?? 'localhost'}`)
  const body = hasBody(method) ? (Readable.toWeb(message) as ReadableStream<Uint8Array>) : null
  // `duplex` is needed for bodies that are read while they come, and missing in the type.
  const init: RequestInit & { duplex: 'half' } = { method, headers: headersOf(message), body, signal, duplex: 'half' }
  return new Request(address, init)
}

/** Resolves when the client has room again, or has left. */
function drained(reply: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      reply.off('drain', done)
      reply.off('close', done)
      resolve()
    }
    reply.once('drain', done)
    reply.once('close', done)
  })
}

/** Writes a response. Resolves when all is written, or the client has left. */
export async function writeResponse(response: Response, reply: ServerResponse): Promise<void> {
  for (const cookie of response.headers.getSetCookie()) reply.appendHeader('set-cookie', cookie)
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.setHeader(name, value)
  reply.writeHead(response.status)
  if (!response.body) {
    reply.end()
    return
  }
  reply.flushHeaders()
  const reader = response.body.getReader()
  const leave = (): void => void reader.cancel().catch(() => {})
  reply.once('close', leave)
  for (;;) {
    const { done, value } = await reader.read()
    if (done || reply.destroyed) break
    if (!reply.write(value)) await drained(reply)
  }
  reply.off('close', leave)
  reply.end()
}
