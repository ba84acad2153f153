/**
 * The handler: a web function over the table of routes.
 *
 * HANDLER-1. Deny by default: a route needs its scope, and a request of nobody has none. The checks are here, once, before any route is called.
 * HANDLER-2. What a client is told of an error of Loom is its code and its message. Of any other error it is told that there was one.
 */
import { isLoomError, LoomError } from '@loom-agent/kernel'
import { hasScope, type Identity, type Scope } from './access/identity.ts'
import { isAllowedOrigin, originHeaders, requirePlace } from './access/origins.ts'
import { routes } from './api/table.ts'
import { openApi } from './openapi.ts'
import { createMatcher, type Matched } from './route/match.ts'
import { problemResponse } from './route/problem.ts'
import { readBody, readQuery } from './route/read-request.ts'
import type { Call, Route } from './route/route.ts'
import { createService, type HandlerOptions, type Service } from './service/service.ts'

/** Answers requests. */
export type Handler = (request: Request) => Promise<Response>

/** A handler with what it stands on, for servers that are more than a handler. */
export interface ServedHandler {
  readonly handle: Handler
  readonly service: Service
  /** Answers a request of a sender who is known already. */
  handleAs(request: Request, identity: Identity): Promise<Response>
  /** Who sends a request, after the checks of its place. Throws when nobody who is known does, or without the scope; without a scope there is no route. */
  identify(request: Request, scope: Scope | undefined): Promise<Identity>
}

const nobody: Identity = { name: 'nobody', scopes: [] }

/** Headers of every response: what is sent is data, never a page. */
const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

const describing: Route = {
  ...{ name: 'getOpenApi', method: 'GET', path: '/openapi.json', scope: 'read', summary: 'This description.' },
  ...{ query: undefined, body: undefined, takes: undefined, reply: {}, handle: () => undefined },
}

function denied(status: 401 | 403, message: string): LoomError {
  return new LoomError('LOOM_ACCESS_DENIED', message, { context: { status } })
}

function nothingAt(path: string, base: string): LoomError {
  return new LoomError('LOOM_ROUTE_NOT_FOUND', `There is nothing at ${path}. The routes begin with ${base}/.`, { context: { path } })
}

function requireScope(identity: Identity | undefined, { scope, name }: Pick<Route, 'scope' | 'name'>): Identity {
  if (scope === 'none') return identity ?? nobody
  if (!identity) throw denied(401, 'This server does not know who you are. Send a key as Authorization: Bearer, or open a session.')
  if (hasScope(identity, scope)) return identity
  throw denied(403, `${name} needs the scope ${scope}, and ${identity.name} has ${identity.scopes.join(', ') || 'none'}.`)
}

/** What a route returned, as a response. */
function responseOf({ reply }: Route, returned: unknown): Response {
  if (returned instanceof Response) return returned
  if (returned === undefined) return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  return new Response(JSON.stringify(returned), { status: reply.status ?? 200, headers })
}

/** What a page of another origin asks before it sends what it could not send otherwise. */
function preflight(request: Request, options: HandlerOptions): Response | undefined {
  if (request.method !== 'OPTIONS' || !isAllowedOrigin(request, options)) return undefined
  const headers = {
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-none-match, last-event-id',
    'access-control-max-age': '600',
  }
  return new Response(null, { status: 204, headers })
}

/** Makes a handler that can be looked into. */
export function serveHandler(options: HandlerOptions): ServedHandler {
  const service = createService(options)
  const { auth, base = '/api/v1' } = options
  const find = createMatcher([...routes, describing])
  const matchedBy = (request: Request, url: URL): Matched => {
    if (!url.pathname.startsWith(`${base}/`)) throw nothingAt(url.pathname.slice(0, 200), base)
    return find(request.method, url.pathname.slice(base.length))
  }
  const answer = async (request: Request, known: Identity | undefined): Promise<Response> => {
    requirePlace(request, options)
    const asked = preflight(request, options)
    if (asked) return asked
    const url = new URL(request.url)
    const { route, params } = matchedBy(request, url)
    const identity = requireScope(known ?? (route.scope === 'none' ? undefined : await auth(request)), route)
    if (route === describing) return Response.json(openApi({ base }))
    const query = await readQuery(url, route.query)
    const body = route.body && (await readBody(request, route.body, service.longestBody))
    const call: Call = { service, identity, request, params, query, body }
    return responseOf(route, await route.handle(call))
  }
  const respond = async (request: Request, known?: Identity): Promise<Response> => {
    const response = await answer(request, known).catch((error: unknown) => {
      if (!isLoomError(error)) service.onError(error)
      return problemResponse(error)
    })
    for (const [name, value] of Object.entries({ ...always, ...originHeaders(request, options) })) {
      if (!response.headers.has(name)) response.headers.set(name, value)
    }
    if (request.method !== 'HEAD') return response
    // What would have been streamed is not opened for nobody.
    await response.body?.cancel()
    return new Response(null, response)
  }
  const identify = async (request: Request, scope: Scope | undefined): Promise<Identity> => {
    requirePlace(request, options)
    if (scope === undefined) throw nothingAt(new URL(request.url).pathname.slice(0, 200), base)
    return requireScope(await auth(request), { scope, name: 'a connection' })
  }
  return { handle: (request) => respond(request), handleAs: respond, service, identify }
}

/**
 * Makes the web function that serves agents and their journal: `(Request) => Promise<Response>`, for any server that has those. It drives what its clients
 * start; a server that also drives what others have left calls `recover` of its agents, as `serve` of `@loom-agent/server/node` does.
 *
 * @example
 * const handler = createHandler({ agents: [clerk], auth: keyAuth(keys), base: '/api/loom' })
 * export { handler as GET, handler as POST, handler as PUT, handler as DELETE }
 */
export function createHandler(options: HandlerOptions): Handler {
  return serveHandler(options).handle
}
