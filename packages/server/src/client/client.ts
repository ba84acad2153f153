/** The typed client: a method for each operation of a server. */

import type { Lines } from './lines.ts'
import { type Operation, type Operations, operations } from './operations.ts'
import { errorOf, type OpenStream, readStream } from './stream.ts'

/** How a server is reached. */
export interface ClientOptions {
  /** Where the routes begin, such as `http://127.0.0.1:8000/api/v1`. */
  readonly url: string
  /** The key; default: none, and in a browser the cookie of its session. */
  readonly key?: string | undefined
  /** What sends requests; default: the platform's. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** How one request is sent. */
export interface CallOptions {
  /** Ends the request, and a stream. */
  readonly signal?: AbortSignal | undefined
}

type Given<O> = O extends { readonly query: infer Q }
  ? Q
  : O extends { readonly body: infer B }
    ? B
    : O extends { readonly lines: infer L }
      ? L
      : never
type Params<O> = O extends { readonly params: infer P } ? [params: P] : []
type Rest<O> = [Given<O>] extends [never]
  ? [options?: CallOptions]
  : object extends Given<O>
    ? [given?: Given<O>, options?: CallOptions]
    : [given: Given<O>, options?: CallOptions]
type Reply<O> = O extends { readonly reply: infer R } ? R : never
type Streamed<R> = R extends AsyncIterableIterator<unknown> ? R : Promise<R>

/** A method for each operation: what stands in the path, then the query or the body, then options. */
export type Client = {
  readonly [Name in keyof Operations]: (...given: [...Params<Operations[Name]>, ...Rest<Operations[Name]>]) => Streamed<Reply<Operations[Name]>>
}

/** What one call sends. */
interface Sending {
  readonly params: { readonly [name: string]: string }
  readonly given: { readonly [name: string]: unknown }
  readonly lines: Lines | undefined
  readonly signal: AbortSignal | undefined
  /** Where a stream continues. */
  readonly last?: string | undefined
}

function sendingOf({ path, given: place }: Operation, values: readonly unknown[]): Sending {
  const rest = [...values]
  const params = path.includes('{') ? (rest.shift() as Sending['params']) : {}
  const lines = place === 'lines' ? (rest.shift() as Lines) : undefined
  const given = place === 'query' || place === 'body' ? ((rest.shift() ?? {}) as Sending['given']) : {}
  return { params, given, lines, signal: (rest[0] as CallOptions | undefined)?.signal }
}

function requestOf({ url, key }: ClientOptions, operation: Operation, { params, given, lines, signal, last }: Sending): Request {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const query = operation.given === 'query' ? Object.entries(given).filter(([, value]) => value !== undefined) : []
  const search = new URLSearchParams(query.map(([name, value]) => [name, String(value)])).toString()
  const headers = new Headers()
  if (key !== undefined) headers.set('authorization', `Bearer ${key}`)
  if (last !== undefined) headers.set('last-event-id', last)
  if (operation.given === 'body') headers.set('content-type', 'application/json')
  if (operation.given === 'lines') headers.set('content-type', 'application/x-ndjson')
  const body = operation.given === 'body' ? JSON.stringify(given) : (lines ?? null)
  return new Request(`${url.replace(/\/$/, '')}${path}${search === '' ? '' : `?${search}`}`, {
    method: operation.method,
    headers,
    body,
    signal: signal ?? null,
  })
}

async function replyOf(kind: Operation['kind'], response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  if (kind === 'text') return response.text()
  if (kind === 'bytes') return new Uint8Array(await response.arrayBuffer())
  return (response.headers.get('content-type') ?? '').startsWith('text/plain') ? response.text() : response.json()
}

/** Sends a request. What the server refuses is thrown as the error that it was there. */
async function send(options: ClientOptions, request: Request): Promise<Response> {
  const response = await (options.fetch ?? fetch)(request)
  if (response.ok) return response
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json')
  throw isProblem ? errorOf(await response.json()) : new TypeError(`The server has answered ${response.status}, and no problem.`)
}

/**
 * Makes a client. What the server refuses is thrown as a `LoomError` with the same code; streams open again by themselves.
 *
 * @example
 * const client = createClient({ url: 'http://127.0.0.1:8000/api/v1', key })
 * const { thread } = await client.startRun({ agent: 'clerk' }, { input: 'Hi', id: 'click-1' })
 * for await (const { event, data } of client.streamThread({ thread }, { until: 'rest' })) console.log(event, data)
 */
export function createClient(options: ClientOptions): Client {
  const methods = Object.entries(operations).map(([name, operation]) => {
    const method = (...values: readonly unknown[]): unknown => {
      const sending = sendingOf(operation, values)
      if (operation.kind !== 'stream')
        return send(options, requestOf(options, operation, sending)).then((response) => replyOf(operation.kind, response))
      const { after, ...given } = sending.given
      const open: OpenStream = (last) => send(options, requestOf(options, operation, { ...sending, given, last }))
      return readStream(open, after as string | undefined, sending.signal)
    }
    return [name, method] as const
  })
  // The methods are those of the table that the type is made of.
  return Object.fromEntries(methods) as Client
}
