/**
 * Requests over several hops.
 *
 * HOP-1. Every hop is read, judged and looked up as the first one is. There are at most five redirects, and none leads from https to http.
 * HOP-2. Headers of the program are added for the origin that they are named for, at each hop anew. Headers of the caller do not follow to another origin,
 *        except those that say what is wanted.
 * HOP-3. A request that changes something is not sent on to another origin: who allowed it has not seen that one.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Body, readBody } from './body.ts'
import { exchange } from './exchange.ts'
import type { HttpOptions } from './http-options.ts'
import { createReach, type Reach } from './reach.ts'
import { failed, forbidden, refusalOf } from './refusal.ts'
import { canonicalUrl, type Target } from './target.ts'

/** What is asked of a client. */
export interface Request {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
  /** Whether it changes nothing. */
  readonly isHarmless: boolean
}

/** A reply with its body. */
export interface Reply extends Body {
  readonly status: number
  readonly statusText: string
  readonly headers: IncomingHttpHeaders
  /** The address that replied, after redirects. */
  readonly url: string
  /** Where a redirect leads that was not followed. */
  readonly redirect?: string
}

/** Makes requests. */
export interface Client {
  /** Sends a request; throws a refusal that a model can read. */
  send(request: Request, signal: AbortSignal): Promise<Reply>
  /** A text without the values of the program's headers. */
  mask(text: string): string
}

const mostRedirects = 5
const redirectCodes = new Set([301, 302, 303, 307, 308])
/** What may follow to another origin: it says what is wanted, not who asks. */
const harmlessHeaders = new Set(['accept', 'accept-language', 'user-agent'])
/** Shorter values stand in ordinary text, too. */
const shortestSecret = 6

/** What one call has: its rules, its time, and whether something of it has been sent. */
interface Call {
  readonly options: HttpOptions
  readonly reach: Reach
  readonly request: Request
  readonly signal: AbortSignal
  isSent: boolean
}

/** Makes a client with these rules. */
export function createClient(options: HttpOptions): Client {
  const reach = createReach(options)
  const { timeout = 30_000, headers = {} } = options
  const secrets = Object.values(headers)
    .flatMap((named) => Object.values(named))
    .flatMap((value) => [value, value.replace(/^\w+ /, '')])
    .filter((value) => value.length >= shortestSecret)
  return {
    async send(request, signal) {
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), timeout)
      const call: Call = { options, reach, request, signal: AbortSignal.any([signal, late.signal]), isSent: false }
      try {
        return await follow(call)
      } catch (error) {
        signal.throwIfAborted()
        const refused = late.signal.aborted
          ? failed(request.url, `${request.url} did not reply within ${timeout} ms. Try later, or ask for less.`)
          : refusalOf(error, request.url)
        throw call.isSent && !request.isHarmless ? withDoubt(refused, request) : refused
      } finally {
        clearTimeout(timer)
        late.abort()
      }
    },
    mask: (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, '[secret]'), text),
  }
}

/** A request that may have changed something although no reply came. */
const withDoubt = (refused: Error, { url, method }: Request): Error =>
  failed(url, `${refused.message} The ${method} was sent and may have been carried out: verify that before you send it again.`)

/** What the next hop sends. */
interface Hop {
  readonly target: Target
  readonly method: string
  readonly body: Uint8Array | undefined
  readonly headers: Readonly<Record<string, string>>
}

async function follow(call: Call): Promise<Reply> {
  const { request } = call
  let hop: Hop = { target: canonicalUrl(request.url), method: request.method, body: request.body, headers: request.headers }
  for (let redirects = 0; ; redirects += 1) {
    const reply = await sendHop(call, hop)
    const location = redirectCodes.has(reply.statusCode ?? 0) ? reply.headers.location : undefined
    const next = location === undefined ? undefined : nextHop(call, { hop, location, status: reply.statusCode ?? 0 })
    if (next === undefined || typeof next === 'string') {
      const found = await replyOf(call, hop, reply)
      return next === undefined ? found : { ...found, redirect: next }
    }
    reply.destroy()
    if (redirects === mostRedirects) throw failed(request.url, `${request.url} redirects more than ${mostRedirects} times. Use another address.`)
    hop = next
  }
}

async function sendHop(call: Call, { target, method, headers, body }: Hop): Promise<IncomingMessage> {
  const { options, reach, signal } = call
  const addresses = await reach.addressesOf(target, signal)
  const own = Object.entries(options.headers ?? {}).find(([origin]) => origin === target.origin)?.[1] ?? {}
  const lowerCase = Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]))
  return exchange({
    target,
    addresses,
    method,
    headers: {
      'user-agent': 'loom-agent',
      accept: '*/*',
      'accept-encoding': 'gzip, deflate, br',
      ...headers,
      ...(body && { 'content-length': String(body.length) }),
      ...lowerCase,
    },
    body,
    maxHeaderBytes: options.maxHeaderBytes ?? 16 * 1024,
    ca: options.ca,
    signal,
    onSent: () => {
      call.isSent = true
    },
  })
}

/** The next hop; its address alone, where it is not followed. */
function nextHop(call: Call, { hop, location, status }: { hop: Hop; location: string; status: number }): Hop | string {
  const { request, options } = call
  const target = redirectTarget(hop.target, location)
  if (hop.target.protocol === 'https:' && target.protocol === 'http:') {
    throw forbidden(request.url, `${hop.target.url} redirects from https to http (${target.url}), which is not followed. Use another address.`)
  }
  const isSameOrigin = target.origin === hop.target.origin
  const isFollowed = request.isHarmless ? options.redirects === 'any' || target.host === hop.target.host : isSameOrigin
  if (!isFollowed) return target.url
  const becomesGet = hop.method !== 'HEAD' && hop.method !== 'GET' && status < 307
  const headers = isSameOrigin && !becomesGet ? hop.headers : kept(hop.headers, isSameOrigin)
  return becomesGet ? { target, method: 'GET', body: undefined, headers } : { ...hop, target, headers }
}

/** The headers that go on to another origin, or with a request that has lost its body. */
function kept(headers: Hop['headers'], isSameOrigin: boolean): Hop['headers'] {
  const stays = (name: string): boolean => (isSameOrigin ? !name.startsWith('content-') : harmlessHeaders.has(name))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => stays(name)))
}

/** Where a redirect leads. A relative one is completed; an absolute one is read as any other address is. */
function redirectTarget(from: Target, location: string): Target {
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) return canonicalUrl(location)
  if (/^[/\\]{2}/.test(location)) return canonicalUrl(`${from.protocol}${location}`)
  const completed = URL.parse(location, from.url)
  if (!completed) throw failed(from.url, `${from.url} redirects to something that is no address. Use another address.`)
  return canonicalUrl(completed.href)
}

async function replyOf({ options }: Call, { target, method }: Hop, reply: IncomingMessage): Promise<Reply> {
  const { statusCode: status = 0, statusMessage: statusText = '', headers } = reply
  const isEmpty = method === 'HEAD' || status === 204 || status === 304
  if (isEmpty) reply.destroy()
  const body = isEmpty ? { bytes: Buffer.alloc(0), isCut: false } : await readBody(reply, target.url, options.maxBytes ?? 2 * 1024 * 1024)
  return { ...body, status, statusText, headers, url: target.url }
}
