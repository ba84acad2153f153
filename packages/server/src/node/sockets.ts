/**
 * WebSockets of a server for Node: connections for programs, at `/ws` below the base.
 *
 * SOCKET-3. The place and the sender of the request that opens a connection are checked before it is opened, as those of any request are.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { isLoomError } from '@loom-agent/kernel'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Identity } from '../web/access/identity.ts'
import type { ServedHandler } from '../web/handler.ts'
import { problemOf } from '../web/route/problem.ts'
import { type Connection, openConnection } from '../web/stream/connection.ts'
import { toRequest } from './exchange.ts'

/** Milliseconds between two pings; a client that has not answered the one before is gone. */
const pingEvery = 15_000

/** What has no sender of its own besides that of its connection. */
function requestsOf(handler: ServedHandler, base: string, opened: { readonly request: Request; readonly identity: Identity }) {
  const { origin } = new URL(opened.request.url)
  return (method: string, path: string, body: unknown): Promise<Response> => {
    const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD'
    const init = { method, headers: hasBody ? { 'content-type': 'application/json' } : {} }
    return handler.handleAs(new Request(`${origin}${base}${path}`, { ...init, ...(hasBody && { body: JSON.stringify(body) }) }), opened.identity)
  }
}

function refuse(socket: Duplex, error: unknown): void {
  const problem = problemOf(error)
  const body = JSON.stringify(problem)
  const head = `HTTP/1.1 ${problem.status} ${problem.title}\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n`
  socket.end(head + body)
}

/** Serves a connection until the client leaves, or stops answering. */
function attend(
  handler: ServedHandler,
  base: string,
  opened: { readonly socket: WebSocket; readonly request: Request; readonly identity: Identity },
): void {
  const { socket, request, identity } = opened
  const { service } = handler
  const send = (text: string): Promise<void> => new Promise((resolve, reject) => socket.send(text, (error) => (error ? reject(error) : resolve())))
  const end = (): void => socket.terminate()
  let isAlive = true
  const beat = setInterval(() => {
    if (!isAlive) return end()
    isAlive = false
    socket.ping()
  }, pingEvery)
  const leave = service.admission.enterStream(() => socket.close(1001, 'The server is about to end.'))
  // A client that has left takes nothing more: that is no error of the server.
  const quiet = { ...service, onError: () => {} }
  const connection: Connection = openConnection({ service: quiet, identity, send, end, request: requestsOf(handler, base, { request, identity }) })
  socket.on('pong', () => {
    isAlive = true
  })
  socket.on('message', (data, isBinary) => {
    if (isBinary) socket.close(1003, 'Send text.')
    else connection.receive(String(data))
  })
  socket.on('error', end)
  socket.on('close', () => {
    clearInterval(beat)
    leave()
    connection.close()
  })
}

/** Opens WebSockets for the clients of a server. Returns what ends them. */
export function serveSockets(server: Server, handler: ServedHandler, base: string): () => void {
  const { service } = handler
  const sockets = new WebSocketServer({ noServer: true, maxPayload: service.longestBody })
  server.on('upgrade', (message: IncomingMessage, socket: Duplex, head: Buffer) => {
    const gone = new AbortController()
    socket.once('error', () => socket.destroy())
    const open = async (): Promise<void> => {
      const request = toRequest(message, 'http', gone.signal)
      const identity = await handler.identify(request, new URL(request.url).pathname === `${base}/ws` ? 'read' : undefined)
      service.admission.enterStream(() => {})()
      sockets.handleUpgrade(message, socket, head, (opened) => attend(handler, base, { socket: opened, request, identity }))
    }
    open().catch((error: unknown) => {
      if (!isLoomError(error)) service.onError(error)
      refuse(socket, error)
    })
  })
  return () => {
    for (const socket of sockets.clients) socket.terminate()
    sockets.close()
  }
}
