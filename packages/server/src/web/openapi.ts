/** The description of all routes in OpenAPI 3.1, made from their table. */
import type { Json, JsonObject } from '@loom-agent/kernel'
import { routes } from './api/table.ts'
import type { Route } from './route/route.ts'

/** A description in OpenAPI 3.1. */
export type OpenApi = JsonObject

const problem: JsonObject = {
  description: 'A problem, as RFC 9457 has it.',
  content: {
    'application/problem+json': {
      schema: {
        type: 'object',
        properties: {
          type: { type: 'string' },
          title: { type: 'string' },
          status: { type: 'integer' },
          detail: { type: 'string', description: 'What happened, and what to do.' },
          code: { type: 'string', description: 'The code of the error.' },
          hint: { type: 'string', description: 'Whether sending the request again can help.' },
          context: { type: 'object', description: 'The values that the detail names.' },
        },
        required: ['type', 'title', 'status', 'detail', 'code', 'hint'],
      },
    },
  },
}

function parametersOf({ path, query }: Route): readonly JsonObject[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const properties = (query?.json['properties'] ?? {}) as { readonly [name: string]: JsonObject }
  const required = (query?.json['required'] ?? []) as readonly string[]
  const inQuery = Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema }))
  return [...inPath, ...inQuery]
}

function responseOf({ reply }: Route): JsonObject {
  const { schema, type, status } = reply
  if (!schema && !type) return { '204': { description: 'Done.' } }
  const content: JsonObject = type ? { [type]: { schema: { type: 'string' } } } : { 'application/json': { schema: (schema?.json ?? {}) as Json } }
  return { [String(status ?? 200)]: { description: 'The reply.', content } }
}

function operationOf(route: Route): JsonObject {
  const { name, summary, scope, body, takes } = route
  return {
    operationId: name,
    summary,
    'x-scope': scope,
    security: scope === 'none' ? [] : [{ key: [] }, { session: [] }],
    parameters: parametersOf(route),
    ...(body && { requestBody: { content: { 'application/json': { schema: body.json } } } }),
    ...(takes && { requestBody: { required: true, content: { 'application/x-ndjson': { schema: { type: 'string' } } } } }),
    responses: { ...responseOf(route), default: { $ref: '#/components/responses/Problem' } },
  }
}

/**
 * Describes all routes.
 *
 * @example
 * writeFileSync('openapi.json', JSON.stringify(openApi({ base: '/api/loom' })))
 */
export function openApi({ base = '/api/v1', version = '1' }: { readonly base?: string; readonly version?: string } = {}): OpenApi {
  const paths: Record<string, Record<string, JsonObject>> = {}
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) }
  return {
    openapi: '3.1.0',
    info: { title: 'Loom', version, description: 'Agents whose runs are facts: threads, runs, questions, views and streams.' },
    servers: [{ url: base }],
    paths,
    components: {
      responses: { Problem: problem },
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'loom_session' },
      },
    },
  }
}
