/** Requests over HTTP, as a tool. */
import { type Content, content, jsonSchema, type Tool, tool } from '@loom-agent/agent'
import { checkOptions, type Expected, expected, noted } from '@loom-agent/agent/kit'
import { type EffectClass, isLoomError, type LoomError } from '@loom-agent/kernel'
import { type Client, createClient, type Reply, type Request } from './client.ts'
import { hostMatcher } from './host-matcher.ts'
import type { HttpOptions } from './http-options.ts'
import { httpShape, isConnectionHeader, isHeader } from './http-shape.ts'
import { mediaOf } from './media-type.ts'
import { forbidden, malformed } from './refusal.ts'

/** The options of `httpTool()`. */
export interface HttpToolOptions extends HttpOptions {
  /** Methods that may be used; default: GET, HEAD, POST, PUT, PATCH and DELETE. */
  readonly methods?: readonly HttpMethod[]
  /** Origins that know the header `Idempotency-Key`: calls to them are `idempotent` and carry the key of the call. Default: none. */
  readonly idempotent?: readonly string[]
  /** Characters of a body that the model reads; default 9,000, so that Loom's limit of 10,000 does not cut the result again. */
  readonly maxText?: number
}

/** A method of HTTP. */
export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The arguments of `http_request`. */
interface HttpInput {
  readonly url: string
  readonly method?: HttpMethod
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const allMethods: readonly HttpMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const longestBody = 256 * 1024
const mostHeaders = 50
/** Headers by which a server knows who asks: the program sets them, not the model. */
const credentials = new Set(['authorization', 'cookie', 'cookie2'])
/** Headers of a reply that are worth reading; none of them holds a credential. */
const shownHeaders = [
  ...['content-type', 'content-length', 'content-language', 'content-disposition', 'last-modified', 'etag', 'date', 'expires'],
  ...['cache-control', 'location', 'retry-after', 'link', 'allow', 'ratelimit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
]

const schemaOf = (methods: readonly HttpMethod[]) =>
  jsonSchema<HttpInput>({
    type: 'object',
    properties: {
      url: { type: 'string', minLength: 1, description: 'The whole address, with https:// or http://.' },
      method: { type: 'string', enum: [...methods], description: `Default ${methods[0]}.` },
      headers: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Headers of the request; credentials are added by the program.',
      },
      body: { type: 'string', description: 'The body as text, such as JSON.' },
    },
    required: ['url'],
    additionalProperties: false,
  })

const isHarmless = (method: HttpMethod): boolean => method === 'GET' || method === 'HEAD'

const toolShape: Readonly<Record<keyof HttpToolOptions, Expected>> = {
  ...httpShape,
  methods: {
    words: `a list of methods: ${allMethods.join(', ')}`,
    fits: (value) => Array.isArray(value) && value.length > 0 && value.every((one) => allMethods.includes(one)),
  },
  idempotent: {
    words: 'a list of origins, such as "https://api.example.com"',
    fits: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string' && URL.parse(one)?.origin === one),
  },
  maxText: expected.whole(1),
}

/**
 * The tool `http_request`: sends a request to a public address. GET and HEAD are `read` and run; other methods change something and ask for permission.
 * This machine and its networks cannot be reached, except for the hosts in `allow`.
 *
 * @example
 * const helper = agent({ name: 'helper', model, tools: [httpTool({ hosts: ['**.example.com'] })] })
 */
export function httpTool(options: HttpToolOptions = {}): Tool {
  checkOptions('httpTool', options, toolShape)
  const { methods = allMethods, idempotent = [], maxText = 9000, ...rest } = options
  const client = createClient(rest)
  const [first = 'GET'] = methods
  const methodOf = (input: HttpInput): HttpMethod => input.method ?? first
  const isKeyed = ({ url }: HttpInput): boolean => idempotent.includes(URL.parse(url)?.origin ?? '')
  const effect = (input: HttpInput): EffectClass => (isHarmless(methodOf(input)) ? 'read' : isKeyed(input) ? 'idempotent' : 'unsafe')
  return tool({
    name: 'http_request',
    description: `Sends an HTTP request (${methods.join(', ')}) and returns the status, some headers and the text of the reply.`,
    input: schemaOf(methods),
    effect,
    permission: (input) => (isHarmless(methodOf(input)) ? 'allow' : 'ask'),
    matcher: hostMatcher,
    taint: { brings: 'untrusted', sends: true },
    // Requests that only read go side by side; those that change something go one after another.
    schedule: { parallel: true, lock: (input) => (isHarmless(methodOf(input)) ? `http_request ${input.url}` : 'http_request') },
    async run(input, { signal, key }) {
      try {
        const method = methodOf(input)
        const request = requestOf(input, { method, key: effect(input) === 'idempotent' ? key : undefined })
        const reply = await client.send(request, signal)
        const { status, url } = reply
        return noted(shown(reply, { client, method, maxText }), { untrusted: true, url: client.mask(url), status })
      } catch (error) {
        if (!isLoomError(error)) throw error
        return masked(error, client)
      }
    },
  })
}

/** A refusal without secrets: a redirect may hold what was sent. */
function masked(error: LoomError, client: Client): LoomError {
  error.message = client.mask(error.message)
  return error
}

function requestOf({ url, headers = {}, body }: HttpInput, { method, key }: { method: HttpMethod; key: string | undefined }): Request {
  if (body !== undefined && isHarmless(method)) throw malformed(url, `A ${method} has no body. Leave it out, or use POST.`)
  const bytes = body === undefined ? undefined : Buffer.from(body, 'utf8')
  if (bytes && bytes.length > longestBody) throw malformed(url, `The body has ${bytes.length} bytes; ${longestBody} are allowed. Send less.`)
  const own = headersOf(url, headers)
  const type = bytes && { 'content-type': isJson(body ?? '') ? 'application/json' : 'text/plain; charset=utf-8' }
  return {
    url,
    method,
    body: bytes,
    isHarmless: isHarmless(method),
    headers: { ...type, ...own, ...(key !== undefined && { 'idempotency-key': key }) },
  }
}

function headersOf(url: string, headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers)
  if (entries.length > mostHeaders) throw malformed(url, `There are ${entries.length} headers; ${mostHeaders} are allowed. Send fewer.`)
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const lower = name.toLowerCase()
      if (!isHeader(name, value))
        throw malformed(url, `The header ${name.slice(0, 60).toWellFormed()} has characters that HTTP does not allow. Leave it out.`)
      if (isConnectionHeader(lower)) throw forbidden(url, `The header ${name} belongs to the connection and cannot be set. Leave it out.`)
      if (credentials.has(lower)) throw forbidden(url, `The header ${name} is a credential, which only the program adds. Leave it out.`)
      return [lower, value]
    }),
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

interface Showing {
  readonly client: Client
  readonly method: HttpMethod
  readonly maxText: number
}

/** A reply as the model reads it: the status, some headers, and the body. */
function shown(reply: Reply, { client, method, maxText }: Showing): string | Content {
  const lines = [`HTTP ${reply.status} ${reply.statusText}`.trimEnd(), `url: ${reply.url}`]
  for (const name of shownHeaders) if (reply.headers[name] !== undefined) lines.push(`${name}: ${String(reply.headers[name]).slice(0, 500)}`)
  if (reply.redirect !== undefined)
    lines.push(`[It redirects to ${reply.redirect}, which is another place and was not followed. Request that url if you need it.]`)
  const media = mediaOf(reply)
  const head = client.mask(lines.join('\n'))
  if (reply.bytes.length === 0) return `${head}\n\n[${method === 'HEAD' ? 'HEAD: no body was asked for' : 'the body is empty'}]`
  if (media.kind === 'image' && !reply.isCut)
    return content([
      { type: 'text', text: head },
      { type: 'image', image: reply.bytes, mediaType: media.type },
    ])
  if (media.kind !== 'text')
    return `${head}\n\n[The body is ${media.type} of ${reply.isCut ? 'more than ' : ''}${reply.bytes.length} bytes, which is no text and is not shown.]`
  const text = client.mask(media.text)
  if (text.length <= maxText) return `${head}\n\n${text}${reply.isCut ? `\n[cut: the body is longer than ${reply.bytes.length} bytes]` : ''}`
  const more = reply.isCut ? 'more than ' : ''
  return `${head}\n\n${text.slice(0, maxText).toWellFormed()}\n[cut: ${maxText} of ${more}${text.length} characters are shown]`
}
