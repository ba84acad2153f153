/** A route: one row of the table from which requests are dispatched, and OpenAPI and the typed client are made. */
import type { Identity, Scope } from '../access/identity.ts'
import type { Service } from '../service/service.ts'
import type { Described } from './described.ts'

/** The methods that routes have. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The names in braces of a path. */
type NamesIn<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** A request that has a route, from somebody who may use it. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  readonly service: Service
  readonly identity: Identity
  readonly request: Request
  /** What stands in the path. */
  readonly params: Params
  /** What follows the question mark, checked. */
  readonly query: Query
  /** The body, checked. */
  readonly body: Body
}

/** What a route returns. */
export interface Reply<R> {
  /** Default 200; without a schema 204. */
  readonly status?: 200 | 202 | 204
  /** The JSON that is returned. */
  readonly schema?: Described<R>
  /** The media type of what is no JSON. */
  readonly type?: 'text/event-stream' | 'text/plain' | 'application/octet-stream'
}

/** A row of the table. */
export interface Route {
  /** Its name in OpenAPI and in the client. */
  readonly name: string
  readonly method: Method
  /** Its path, with names in braces. */
  readonly path: string
  /** What the sender must be allowed; `none`: anybody may send it. */
  readonly scope: Scope | 'none'
  /** What it does, in one sentence. */
  readonly summary: string
  readonly query: Described<unknown> | undefined
  readonly body: Described<unknown> | undefined
  /** What is sent is lines, which the route reads itself, in place of a body of JSON. */
  readonly takes: 'lines' | undefined
  readonly reply: Reply<unknown>
  /** Returns a response, or what becomes one. */
  readonly handle: (call: Call) => unknown
}

interface RouteDefinition<P extends string, Query, Body, R> {
  readonly name: string
  readonly method: Method
  readonly path: P
  readonly scope: Scope | 'none'
  readonly summary: string
  readonly query?: Described<Query>
  readonly body?: Described<Body>
  readonly takes?: 'lines'
  readonly reply: Reply<R>
  readonly handle: (call: Call<{ readonly [N in NamesIn<P>]: string }, Query, Body>) => R | Response | Promise<R | Response>
}

/** Makes a row of the table: its types are those of its schemas. */
export function route<P extends string, Query = unknown, Body = unknown, R = void>(definition: RouteDefinition<P, Query, Body, R>): Route {
  const { query, body, takes, handle } = definition
  type Given = Parameters<typeof handle>[0]
  // What is handed over was checked against the schemas that the types are of.
  return { ...definition, query, body, takes, handle: (call) => handle(call as Given) }
}
