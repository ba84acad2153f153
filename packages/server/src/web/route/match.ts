/** Finding the route of a request. */
import { LoomError } from '@loom-agent/kernel'
import type { Route } from './route.ts'

/** A route, and what stands in the path for its names. */
export interface Matched {
  readonly route: Route
  readonly params: { readonly [name: string]: string }
}

/** Finds the route of a method and a path, which begins behind the base. Throws `LOOM_ROUTE_NOT_FOUND`. */
export type FindRoute = (method: string, path: string) => Matched

interface Row {
  readonly route: Route
  readonly parts: readonly string[]
}

const isName = (part: string): boolean => part.startsWith('{')
const partsOf = (path: string): readonly string[] => path.split('/').slice(1)

function fits({ parts }: Row, given: readonly string[]): boolean {
  return parts.length === given.length && parts.every((part, index) => part === given[index] || (isName(part) && given[index] !== ''))
}

/** How many parts of a path are as they are written: of two routes that fit, the one with more is meant. */
const exactness = ({ parts }: Row): number => parts.filter((part) => !isName(part)).length

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    const shown = part.slice(0, 100)
    throw new LoomError('LOOM_REQUEST_INVALID', `The part ${JSON.stringify(shown)} of the path is not encoded as addresses are.`, {
      context: { part: shown },
    })
  }
}

/** Compiles the table. */
export function createMatcher(routes: readonly Route[]): FindRoute {
  const rows = routes.map((route): Row => ({ route, parts: partsOf(route.path) })).sort((one, other) => exactness(other) - exactness(one))
  return (method, path) => {
    const given = partsOf(path)
    const found = rows.filter((row) => fits(row, given))
    // A client may ask for the head of whatever it can get.
    const row = found.find(({ route }) => route.method === (method === 'HEAD' ? 'GET' : method))
    if (!row) throw notFound(method, path, found)
    const params = row.parts.flatMap((part, index) => (isName(part) ? [[part.slice(1, -1), decoded(given[index] ?? '')] as const] : []))
    return { route: row.route, params: Object.fromEntries(params) }
  }
}

function notFound(method: string, path: string, found: readonly Row[]): LoomError {
  const shown = path.slice(0, 200)
  const allowed = [...new Set(found.map(({ route }) => route.method))].join(', ')
  const message = allowed === '' ? `There is no ${shown} here.` : `${shown} cannot be used with ${method.slice(0, 20)}, only with ${allowed}.`
  const status = allowed === '' ? 404 : 405
  return new LoomError('LOOM_ROUTE_NOT_FOUND', `${message} GET /openapi.json lists all routes.`, {
    context: { path: shown, status, ...(allowed !== '' && { allowed }) },
  })
}
