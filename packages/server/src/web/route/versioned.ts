/**
 * Responses that do not change until a thread does.
 *
 * ETAG-1. A tag names the incarnation of the thread, the last event that the response is of, and the version of what made it. A moment that is over never
 *     changes, so its tag never does.
 */
import type { Head } from '@loom-agent/kernel'
import type { Call } from './route.ts'

/** What a response follows from. */
export interface Version {
  /** The thread. */
  readonly head: Pick<Head, 'incarnation'>
  /** The last event that it holds. */
  readonly seq: number
  /** What makes it of the events, with the version of that. */
  readonly of: string
}

/** The response with a tag; without a body where the client has it. */
export async function versioned<T>({ request }: Pick<Call, 'request'>, { head, seq, of }: Version, make: () => Promise<T> | T): Promise<Response> {
  const etag = `"${encodeURIComponent(head.incarnation)}.${seq}.${of}"`
  const headers = { etag, 'cache-control': 'private, no-cache' }
  const known = (request.headers.get('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (known.includes(etag)) return new Response(null, { status: 304, headers })
  const made = await make()
  const isText = typeof made === 'string'
  return new Response(isText ? made : JSON.stringify(made), {
    headers: { ...headers, 'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json' },
  })
}
