/**
 * Agents and tools as a server of the Model Context Protocol.
 *
 * MCPSERVE-1. Every call is a run with a record: a tool is called by an agent whose model is code, so that its policy, its limits and its questions are those of
 *     any call.
 * MCPSERVE-2. A call that is repeated under its id is one run. A client reaches the threads that were made for it, and no others.
 * MCPSERVE-3. A request over HTTP that is for another host, comes from a page of another origin, or is not authorised is refused before anything is read.
 */
import { randomBytes } from 'node:crypto'
import { checkOptions } from '@loom-agent/agent/kit'
import { loadNode, loadServer, loadServerStdio } from '../mcp/sdk.ts'
import { createDoor, type Door } from './door.ts'
import { type ServeMcpOptions, serveShape } from './serve-options.ts'
import { servedBy } from './served.ts'

/** A request of `node:http`, as far as it is read. */
export interface McpNodeRequest extends AsyncIterable<unknown> {
  /** Such as `POST`. */
  readonly method?: string | undefined
  /** The path that is asked for. */
  readonly url?: string | undefined
  /** The headers, by their names in small letters. */
  readonly headers: { readonly [name: string]: string | string[] | undefined }
}

/** A response of `node:http`, as far as it is written. */
export interface McpNodeResponse {
  /** Writes the status and the headers. */
  writeHead(status: number, headers?: Record<string, string>): unknown
  /** Writes a part of the body. */
  write(chunk: string | Uint8Array): unknown
  /** Ends the body. */
  end(chunk?: string | Uint8Array): unknown
  /** Calls back at an event, such as `close`. */
  on(event: string, listener: (...args: unknown[]) => void): unknown
}

/** A server, for programs that serve it. */
export interface McpServed {
  /** Serves over the standard input and output of this process; resolves when the client has gone. Nothing else may write to the output. */
  stdio(): Promise<void>
  /** Serves a request over HTTP. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Serves a request of `node:http`: `createServer(served.node)`. */
  readonly node: (request: McpNodeRequest, response: McpNodeResponse) => Promise<void>
  /** Ends what is open over HTTP. Runs go on, and can be asked for under their ids. */
  close(): Promise<void>
}

/**
 * Serves agents and tools over the Model Context Protocol.
 *
 * @example
 * const served = serveMcp({ name: 'office', agents: { secretary }, tools: { add }, permissions: { add: 'allow' }, journal })
 * await served.stdio()
 */
export function serveMcp(options: ServeMcpOptions): McpServed {
  checkOptions('serveMcp', options, serveShape)
  const { hosts, authorize } = options
  const secret = options.secret ?? randomBytes(32).toString('hex')
  const door: Door = createDoor({ options, served: servedBy(options), secret, active: { count: 0 } })
  const handler = onUse(async () => {
    const { createMcpHandler } = await loadServer()
    const make = await door.factory()
    return createMcpHandler((context) => make(context.authInfo?.clientId ?? ''), { onerror: () => {} })
  })
  const fetch = async (request: Request): Promise<Response> => {
    const { hostHeaderValidationResponse, originValidationResponse, localhostAllowedHostnames, localhostAllowedOrigins } = await loadServer()
    const refused =
      hostHeaderValidationResponse(request, [...(hosts ?? localhostAllowedHostnames())]) ??
      originValidationResponse(request, [...(hosts ?? localhostAllowedOrigins())])
    if (refused) return refused
    const caller = authorize ? await authorize(request) : { by: '' }
    if (!caller) return new Response('Unauthorized', { status: 401, headers: { 'www-authenticate': 'Bearer' } })
    const { by } = caller
    const made = await handler()
    return made.fetch(request, { authInfo: { token: '', clientId: by, scopes: [] } })
  }
  const node = onUse(async () => (await loadNode()).toNodeHandler({ fetch }))
  return {
    async stdio() {
      const { serveStdio } = await loadServerStdio()
      const make = await door.factory()
      const ended = new Promise<void>((resolve) => process.stdin.once('close', resolve).once('end', resolve))
      const handle = serveStdio(() => make('stdio'), { onerror: () => {} })
      await ended
      await handle.close()
    },
    fetch,
    async node(request, response) {
      const handle = await node()
      await handle(request as Parameters<typeof handle>[0], response)
    },
    async close() {
      await (await handler.made())?.close()
    },
  }
}

/** What is made when it is needed first, and then kept; `made` gives it where it was needed. */
function onUse<T>(make: () => Promise<T>): (() => Promise<T>) & { made(): Promise<T> | undefined } {
  let made: Promise<T> | undefined
  const get = (): Promise<T> => {
    made ??= make()
    return made
  }
  return Object.assign(get, { made: () => made })
}
