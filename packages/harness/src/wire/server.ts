/**
 * Wire servers: the model APIs of four vendors on a loopback port, strict as the vendors are, and scripted.
 *
 * WIRE-1. A request that breaks a rule is refused with the vendor's status and body, and takes nothing from the script.
 * WIRE-2. Every request is in the ledger, whatever became of it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { billOf, type OpenArrival, type WireArrival, type WirePrice } from './arrival.ts'
import { type Loose, loose, parsed } from './loose.ts'
import { itemsOf } from './openai-responses-format.ts'
import { makeReady, type ReplyContext, type WireReply } from './reply.ts'
import { type Sending, sendError, sendReply } from './send.ts'
import { validateWire } from './validate.ts'
import { type Wire, wires } from './wire.ts'

/** A reply, a text, or a function of the request and its arrival. */
export type WireStep = string | WireReply | ((body: Loose, arrival: WireArrival) => string | WireReply | Promise<string | WireReply>)

/** What a wire server is started with. */
export interface WireServerOptions {
  /** One step a request. After the last step, a function is called for every further request; anything else is an error. */
  readonly reply: WireStep | readonly WireStep[]
  /** By model. */
  readonly prices?: Readonly<Record<string, WirePrice>>
  /** Whether requests are judged; default: yes. */
  readonly judges?: boolean
}

/** A running wire server. */
export interface WireServer {
  readonly url: string
  /** What a provider is given as its base URL. */
  readonly baseURLs: Readonly<Record<Wire, string>>
  /** Everything that arrived, in order. */
  readonly requests: readonly WireArrival[]
  /** What all replies were billed with, in micro-units. */
  cost(): number
  close(): Promise<void>
}

interface Serving {
  readonly options: WireServerOptions
  readonly requests: OpenArrival[]
  /** Items that can be referred to, by id. */
  readonly kept: Map<string, Loose>
  answered: number
}

/** The API of a wire. */
interface WireApi extends Pick<ReplyContext, 'idPrefix' | 'countsWrites'> {
  readonly base: string
  readonly path: RegExp
}

const apis: Readonly<Record<Wire, WireApi>> = {
  'openai-chat': { base: '/openai/v1', path: /^\/chat\/completions$/, idPrefix: 'call', countsWrites: true },
  'openai-compatible': { base: '/compatible/v1', path: /^\/chat\/completions$/, idPrefix: 'call', countsWrites: false },
  'openai-responses': { base: '/openai/v1', path: /^\/responses$/, idPrefix: 'call', countsWrites: true },
  anthropic: { base: '/anthropic/v1', path: /^\/messages$/, idPrefix: 'toolu', countsWrites: true },
  google: { base: '/google/v1beta', path: /^\/models\/[^/]+:(streamGenerateContent|generateContent)(\?.*)?$/, idPrefix: 'fn', countsWrites: false },
}

function wireOf(url: string): Wire | undefined {
  return wires.find((wire) => url.startsWith(apis[wire].base) && apis[wire].path.test(url.slice(apis[wire].base.length)))
}

/**
 * Starts a wire server on a free loopback port.
 *
 * @example
 * const server = await wireServer({ reply: [{ calls: [{ tool: 'add', input: { a: 2, b: 2 } }] }, 'It is 4.'] })
 * const model = createAnthropic({ baseURL: server.baseURLs.anthropic, apiKey: 'key' })('claude-sonnet-4-5')
 */
export async function wireServer(options: WireServerOptions): Promise<WireServer> {
  const serving: Serving = { options, requests: [], kept: new Map(), answered: 0 }
  const server = createServer((request, response) => {
    // A client that disconnects in the middle of its request gets no reply.
    serve(serving, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    baseURLs: Object.fromEntries(wires.map((wire) => [wire, url + apis[wire].base])) as Record<Wire, string>,
    requests: serving.requests,
    cost: () => serving.requests.reduce((sum, { bill }) => sum + (bill?.cost ?? 0), 0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function serve(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? ''
  const wire = wireOf(path)
  const text = await bodyOf(request)
  if (!wire) return void response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"Not found"}}')
  const body = parsed(text)
  const arrival = arrive(serving, { wire, path, headers: request.headers as WireArrival['headers'], body: loose(body) })
  watch(arrival, response)
  if (body === undefined) return sendError(response, wire, { status: 400, message: 'We could not parse the JSON body of your request.' })
  const [problem] = arrival.problems
  if (problem) return void response.writeHead(problem.status, { 'content-type': 'application/json' }).end(JSON.stringify(problem.body))
  await answer(serving, arrival, response)
}

function arrive(serving: Serving, facts: Pick<WireArrival, 'wire' | 'path' | 'headers' | 'body'>): OpenArrival {
  const { wire, path, body } = facts
  const { options, requests, kept } = serving
  const arrival: OpenArrival = {
    ...facts,
    number: requests.length + 1,
    model: wire === 'google' ? (/models\/([^/:]+)/.exec(path)?.[1] ?? '') : String(body['model']),
    streams: wire === 'google' ? path.includes(':streamGenerateContent') : body['stream'] === true,
    time: Date.now(),
    problems: options.judges === false ? [] : validateWire(wire, { ...facts, kept }),
    status: undefined,
    bill: undefined,
    closedAt: undefined,
    isAborted: false,
    over: Promise.resolve(),
  }
  requests.push(arrival)
  return arrival
}

/** Notes how the answer ends. A socket that the server itself has cut does not count as aborted by the client. */
function watch(arrival: OpenArrival, response: ServerResponse): void {
  arrival.over = new Promise((resolve) => {
    response.once('close', () => {
      arrival.closedAt = Date.now()
      arrival.status = response.headersSent ? response.statusCode : undefined
      arrival.isAborted = !response.writableEnded && !torn.has(response)
      resolve()
    })
  })
}

const torn = new WeakSet<ServerResponse>()

async function answer(serving: Serving, arrival: OpenArrival, response: ServerResponse): Promise<void> {
  const { wire, model, streams, body } = arrival
  serving.answered += 1
  let reply: WireReply
  try {
    const said = await nextReply(serving, arrival)
    reply = typeof said === 'string' ? { text: said } : said
  } catch (error) {
    return sendError(response, wire, { status: 400, message: `The script failed: ${error instanceof Error ? error.message : String(error)}` })
  }
  const { idPrefix, countsWrites } = apis[wire]
  const ready = makeReady(reply, { number: arrival.number, model, created: Math.floor(arrival.time / 1000), request: body, idPrefix, countsWrites })
  const sending: Sending = { response, wire, streams, reply, ready }
  if (reply.fault?.kind === 'cut') torn.add(response)
  if (!['status', 'overflow', 'html', 'empty'].includes(reply.fault?.kind ?? '')) settle(serving, arrival, sending)
  await sendReply(sending)
}

/** Bills a reply, and keeps what may be referred to. */
function settle({ options, kept }: Serving, arrival: OpenArrival, { wire, ready }: Sending): void {
  arrival.bill = billOf(ready.usage, options.prices?.[arrival.model])
  if (wire !== 'openai-responses' || arrival.body['store'] === false) return
  for (const item of itemsOf(ready)) kept.set(String(item['id']), item)
}

async function nextReply({ options, answered }: Serving, arrival: WireArrival): Promise<string | WireReply> {
  const steps = Array.isArray(options.reply) ? (options.reply as readonly WireStep[]) : [options.reply as WireStep]
  const last = steps.at(-1)
  const step = steps[answered - 1] ?? (typeof last === 'function' ? last : undefined)
  if (step === undefined) throw new Error(`it has ${steps.length} replies, and this is request ${answered}.`)
  return typeof step === 'function' ? step(arrival.body, arrival) : step
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
