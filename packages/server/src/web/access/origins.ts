/**
 * Which pages may send requests.
 *
 * ORIGIN-1. A page of another origin is refused, whatever it sends: browsers say where a request comes from. A program that is no browser says nothing.
 * ORIGIN-2. A server that knows its names refuses every other `Host`: a name of somebody else that is made to lead here is one.
 */
import { LoomError } from '@loom-agent/kernel'

/** Names and pages that are accepted. */
export interface Places {
  /** Values of `Host`, with a port or for every port; default: any. */
  readonly hosts?: readonly string[] | undefined
  /** Origins of pages besides those of the server itself, such as `https://app.example.com`. */
  readonly origins?: readonly string[] | undefined
}

const hostOf = (request: Request): string => (request.headers.get('host') ?? new URL(request.url).host).toLowerCase()
const withoutPort = (host: string): string => host.replace(/:\d*$/, '')

function refuse(message: string, context: { readonly [name: string]: string }): never {
  throw new LoomError('LOOM_ACCESS_DENIED', message, { context: { status: 403, ...context } })
}

const hostOfOrigin = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)

/** Whether the page that sends a request is one of the allowed other origins. */
export function isAllowedOrigin(request: Request, { origins = [] }: Places): boolean {
  return origins.includes(request.headers.get('origin') ?? '')
}

/** Refuses a request for another host, or from a page of another origin. */
export function requirePlace(request: Request, places: Places): void {
  const host = hostOf(request)
  if (places.hosts && !places.hosts.some((name) => name === host || name === withoutPort(host))) {
    refuse(`This server is not called ${host}. Use one of its names, or add the name to hosts.`, { host })
  }
  const origin = request.headers.get('origin')
  if (origin !== null) {
    if (hostOfOrigin(origin) === host || isAllowedOrigin(request, places)) return
    refuse(`Pages of ${origin.slice(0, 200)} may not use this server. Add the origin to origins where they should.`, { origin: origin.slice(0, 200) })
  }
  const site = request.headers.get('sec-fetch-site')
  const isNavigation = request.method === 'GET' && request.headers.get('sec-fetch-mode') === 'navigate'
  if (site !== null && site !== 'same-origin' && site !== 'none' && !isNavigation) {
    refuse('A page of another site may not use this server. Add its origin to origins where it should.', { site: site.slice(0, 40) })
  }
}

/** The headers that let an allowed page of another origin read a response. */
export function originHeaders(request: Request, places: Places): Record<string, string> {
  if (!isAllowedOrigin(request, places)) return {}
  return {
    'access-control-allow-origin': request.headers.get('origin') ?? '',
    'access-control-expose-headers': 'etag, location, retry-after',
    vary: 'origin',
  }
}
