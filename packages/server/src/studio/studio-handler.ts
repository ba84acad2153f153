/**
 * The pages of the studio, as a web function.
 *
 * STUDIO-1. A page of the studio runs the scripts and the styles of its own files, and speaks to its own server: what a model has written is text in it,
 *     also where the page itself would be wrong.
 */
import { LoomError } from '@loom-agent/kernel'
import type { Handler } from '../web/handler.ts'
import { problemResponse } from '../web/route/problem.ts'
import { installedFiles } from './installed-files.ts'
import type { StudioFiles } from './studio-files.ts'

const policy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const always = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/** What has a hash in its name never changes; the page itself is asked for each time. */
const keeping = { asset: 'public, max-age=31536000, immutable', page: 'no-cache' }

function notThere(path: string, message: string): Response {
  return problemResponse(new LoomError('LOOM_ROUTE_NOT_FOUND', message, { context: { path } }))
}

async function respond(request: Request, files: StudioFiles): Promise<Response> {
  const path = new URL(request.url).pathname
  if (request.method !== 'GET' && request.method !== 'HEAD') return notThere(path.slice(0, 200), `The studio has pages, which are read with GET.`)
  const isAsset = path.startsWith('/assets/')
  // Every other address is one of a view, which the page itself finds.
  const file = await files(isAsset ? path : '/index.html')
  if (!file && isAsset) return notThere(path.slice(0, 200), `The studio has no file ${path.slice(0, 200)}. Load its page again.`)
  if (!file) return notThere(path.slice(0, 200), 'The studio is not there. In a checkout of Loom it is made by npm run build.')
  const headers = { ...always, 'content-type': file.type, 'cache-control': isAsset ? keeping.asset : keeping.page }
  return new Response(request.method === 'HEAD' ? null : file.bytes, { headers })
}

/**
 * Makes the web function that serves the studio. It serves files only: what they show, they ask the routes of the same server for.
 *
 * @example
 * const server = await serve({ agents: [clerk], otherwise: studioHandler() })
 * console.log(server.startUrl)
 */
export function studioHandler(files: StudioFiles = installedFiles()): Handler {
  return (request) => respond(request, files)
}
