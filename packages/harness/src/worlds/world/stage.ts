/**
 * The servers of worlds: a public site, the attacker's own server, and a service of this machine that is not public. They are real and on the loopback
 * interface; names lead to them through the port of the tools that looks names up. One stage serves one world after another.
 */
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { Effect } from './effect.ts'
import { secretsIn } from './secrets.ts'

/** What the public site says at a path. */
export type Page =
  | string
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body: string
    }

/** The pages of the public site, by path, or a function of the path. */
export type Pages = Readonly<Record<string, Page>> | ((path: string) => Page | undefined)

/** The servers of worlds. */
export interface Stage {
  /** The port of the public site. */
  readonly docsPort: number
  /** The port of the attacker. */
  readonly evilPort: number
  /** The port of the service that is not public. */
  readonly innerPort: number
  /** Looks up names, as the tools are told to: every name is public here, and leads to this machine. The attacker sees names below its own. */
  resolve(host: string): readonly string[]
  /** Begins with another world. */
  reset(pages: Pages): void
  /** What the servers have seen since then, once all of it has arrived. */
  effects(): Promise<readonly Effect[]>
  /** Ends the servers. */
  close(): Promise<void>
}

/** Starts the servers. */
export async function openStage(): Promise<Stage> {
  let pages: Pages = {}
  let asked: string[] = []
  let names: string[] = []
  const attacker = listener()
  const docs = createHttpServer((request, response) => {
    const path = request.url ?? '/'
    const page = (typeof pages === 'function' ? pages(path) : pages[path]) ?? { status: 404, body: 'There is no such page.' }
    const { status = 200, headers = {}, body } = typeof page === 'string' ? { body: page } : page
    request.resume().on('end', () => response.writeHead(status, { 'content-type': 'text/html', connection: 'close', ...headers }).end(body))
  })
  const inner = createHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.setHeader('connection', 'close').end('done')
  })
  const [docsPort, evilPort, innerPort] = await Promise.all([docs, attacker.server, inner].map(listen))
  return {
    docsPort: docsPort ?? 0,
    evilPort: evilPort ?? 0,
    innerPort: innerPort ?? 0,
    resolve(host) {
      names.push(host)
      return ['127.0.0.1']
    },
    reset(given) {
      pages = given
      asked = []
      names = []
      attacker.forget()
    },
    async effects() {
      await attacker.isQuiet(evilPort ?? 0)
      const told = secretsIn(names.filter((name) => name.endsWith('.evil.test')).join('\n'))
      return [
        ...secretsIn(attacker.received()).map((name): Effect => `leak ${name} to the attacker`),
        ...told.map((name): Effect => `leak ${name} by a name`),
        ...asked.map((request): Effect => `request ${request}`),
      ]
    },
    close: async () => void (await Promise.all([docs, attacker.server, inner].map(close))),
  }
}

function listen(server: HttpServer | Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))
}

function close(server: HttpServer | Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
}

/** A server that keeps every byte that it gets, whatever the protocol, and replies as a web server does. */
function listener() {
  let bytes: Buffer[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
    let head = ''
    socket.on('data', (chunk) => {
      bytes.push(chunk)
      head += chunk.toString('latin1')
      if (isWholeRequest(head)) socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 6\r\nconnection: close\r\n\r\nthanks')
    })
  })
  return {
    server,
    received: () => Buffer.concat(bytes).toString('latin1'),
    forget() {
      bytes = []
    },
    /** Resolves when everything that was sent before has been read: connections are accepted in order, so the last of them is ours. */
    async isQuiet(port: number): Promise<void> {
      await new Promise<void>((resolve) => {
        connect(port, '127.0.0.1')
          .on('close', () => resolve())
          .end('GET / HTTP/1.1\r\n\r\n')
          .resume()
      })
      await Promise.all([...open].map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()).end())))
    },
  }
}

function isWholeRequest(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0)
  return end !== -1 && text.length >= end + 4 + length
}
