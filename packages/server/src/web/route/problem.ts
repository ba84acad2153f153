/** Errors as responses: problems as RFC 9457 has them, with the code of the error and a hint. */
import { isLoomError, type JsonObject, LoomError, type LoomErrorCode } from '@loom-agent/kernel'

/** What is sent of an error. */
export interface Problem {
  /** Names the kind of error. */
  readonly type: string
  /** The code in words. */
  readonly title: string
  /** The HTTP status. */
  readonly status: number
  /** What happened, and what to do. */
  readonly detail: string
  /** The code of the error, which [errors](docs/reference/errors.md) explains. */
  readonly code: LoomErrorCode
  /** Whether sending it again can help. */
  readonly hint: string
  /** The values that the detail names. */
  readonly context?: JsonObject
}

const hints = {
  never: 'Sending the same request again cannot help: change what the detail names.',
  safe: 'The same request may be sent again.',
  later: 'Nothing is wrong with the request: send it again later.',
}

const byRetry = { never: 400, safe: 500, later: 503 }

/** The status of codes for which the kind of retry says too little. */
const statuses: { readonly [Code in LoomErrorCode]?: number } = {
  LOOM_ACCESS_DENIED: 403,
  LOOM_PERMISSION_DENIED: 403,
  LOOM_ROUTE_NOT_FOUND: 404,
  LOOM_THREAD_NOT_FOUND: 404,
  LOOM_QUESTION_NOT_FOUND: 404,
  LOOM_RUN_EXISTS: 409,
  LOOM_QUESTION_SETTLED: 409,
  LOOM_THREAD_BUSY: 409,
  LOOM_THREAD_IS_CHILD: 409,
  LOOM_THREAD_PARTIAL: 409,
  LOOM_THREAD_QUARANTINED: 409,
  LOOM_THREAD_NOT_REPLAYABLE: 409,
  LOOM_AGENT_OTHER: 409,
  LOOM_WORKSPACE_MISSING: 409,
  LOOM_JOURNAL_CONFLICT: 409,
  LOOM_CURSOR_STALE: 410,
  LOOM_THREAD_DROPPED: 410,
  LOOM_RATE_LIMITED: 429,
  LOOM_MODEL_RATE_LIMITED: 429,
  LOOM_THREAD_UNREADABLE: 500,
  LOOM_JOURNAL_DAMAGED: 500,
  LOOM_JOURNAL_UNUSABLE: 500,
  LOOM_JOURNAL_CLOSED: 503,
  LOOM_MODEL_MISSING: 500,
  LOOM_MODEL_UNRESOLVED: 500,
}

/** The code of an error that is no error of Loom: its message is for who runs the server. */
const unknownError = (): LoomError => new LoomError('LOOM_RUN_FAILED', 'The server failed. What went wrong is in its log.')

/** An error as it is sent. One that is not of Loom is not described. */
export function problemOf(error: unknown): Problem {
  const { code, message, retry, context } = isLoomError(error) ? error : unknownError()
  const given = context['status']
  const status = typeof given === 'number' && given >= 400 && given < 600 ? given : (statuses[code] ?? byRetry[retry])
  const { status: _, ...named } = context
  return {
    type: `urn:loom:${code}`,
    title: code.slice(5).toLowerCase().replaceAll('_', ' '),
    status,
    detail: message,
    code,
    hint: hints[retry],
    ...(Object.keys(named).length > 0 && { context: named }),
  }
}

/** The response for an error. */
export function problemResponse(error: unknown): Response {
  const problem = problemOf(error)
  const { status, context } = problem
  const headers = new Headers({ 'content-type': 'application/problem+json' })
  if (status === 401) headers.set('www-authenticate', 'Bearer')
  if (status === 405 && typeof context?.['allowed'] === 'string') headers.set('allow', context['allowed'])
  if (status === 429 || status === 503) headers.set('retry-after', '1')
  return new Response(JSON.stringify(problem), { status, headers })
}
