/** Servers on this machine that count what reaches them. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** A server that runs. */
export interface WebServer {
  readonly port: number
  /** Requests so far: method, path and headers. */
  readonly seen: { readonly method: string; readonly path: string; readonly headers: IncomingMessage['headers']; readonly body: string }[]
  close(): Promise<void>
}

/** Starts a server on the loopback address; with a certificate it speaks TLS. */
export async function webServer(
  reply: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end('hello'),
  certificate?: { readonly key: string; readonly cert: string },
): Promise<WebServer> {
  const seen: WebServer['seen'][number][] = []
  const listen: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      seen.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() })
      reply(request, response)
    })
  }
  const server: Server = certificate ? createTlsServer(certificate, listen) : createServer(listen)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
