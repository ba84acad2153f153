/** What a model's failure means: the same whether it was thrown before the stream, thrown while reading, or sent as a part of it. */
import { errorCodes, type Failure, isLoomError, type JsonObject, type LoomErrorCode } from '@loom-agent/kernel'
import { failureOf } from '../platform/failure-of.ts'
import { messageOf } from '../platform/normalize.ts'
import { retryAfterOf } from '../resilience/retry-after.ts'
import { SentError } from './stream-errors.ts'

/** A failure, and whether another attempt may help. */
export interface ModelFailure {
  readonly failure: Failure
  readonly retryable: boolean
  /** Milliseconds that the provider asked to wait. */
  readonly retryAfter?: number | undefined
}

interface ApiError {
  readonly statusCode?: unknown
  readonly isRetryable?: unknown
  readonly type?: unknown
  readonly code?: unknown
  readonly status?: unknown
  readonly functionality?: unknown
  readonly data?: { readonly error?: { readonly code?: unknown } | null } | null
}

/** How the message of a failure of the model begins. Recorded tests read it back. */
export const modelFailedWords = 'The model failed: '

const overflow = /context[ _](length|window|limit|size)|prompt is too long|too many tokens|maximum.{0,20}tokens|input is too long/i

/** Judges what a model threw or sent as an error. An error that cannot even be looked at is a failure of the model like any other. */
export function judgeFailure(thrown: unknown, now: number): ModelFailure {
  try {
    return judge(thrown, now)
  } catch {
    const failure: Failure = { code: 'LOOM_MODEL_FAILED', message: 'The model failed with an error that cannot be read.', recoverable: true }
    return { failure, retryable: true }
  }
}

function judge(thrown: unknown, now: number): ModelFailure {
  if (isLoomError(thrown)) {
    const retryable = thrown.retry !== 'never' && thrown.code !== 'LOOM_MODEL_CONTEXT_LENGTH'
    return { failure: failureOf(thrown), retryable, retryAfter: retryAfterOf(thrown, now) }
  }
  const isSent = thrown instanceof SentError
  const error = isSent ? thrown.cause : thrown
  const api = (typeof error === 'object' && error !== null ? error : {}) as ApiError
  const status = typeof api.statusCode === 'number' ? api.statusCode : undefined
  const message = shortened(messageOf(error))
  const code = codeOf(api, status, message)
  const retryable = code !== 'LOOM_MODEL_CONTEXT_LENGTH' && isTransient(error, { api, status, isSent })
  const context: JsonObject = status === undefined ? {} : { status }
  const failure: Failure = { code, message: `${modelFailedWords}${message}`, recoverable: retryable || errorCodes[code] !== 'never', context }
  return { failure, retryable, retryAfter: retryAfterOf(error, now) }
}

/** Characters of an error message that are read and stored: a server may send anything. */
const longestMessage = 10_000

const shortened = (message: string): string =>
  message.length > longestMessage ? `${message.slice(0, longestMessage).toWellFormed()}... (${message.length} characters)` : message

function codeOf({ code, data, functionality }: ApiError, status: number | undefined, message: string): LoomErrorCode {
  if (status === 429) return 'LOOM_MODEL_RATE_LIMITED'
  const said = [code, data?.error?.code, message].join(' ')
  if ((status === undefined || status === 400 || status === 413) && overflow.test(said)) return 'LOOM_MODEL_CONTEXT_LENGTH'
  // The provider's package has refused the request without sending it.
  return /media type|file/i.test(String(functionality ?? '')) ? 'LOOM_INPUT_INVALID' : 'LOOM_MODEL_FAILED'
}

/** Errors of a reply that cannot be read: another attempt may get one that can. */
const unreadable = /^AI_(InvalidResponseData|JSONParse|TypeValidation|EmptyResponseBody|NoContentGenerated)Error$/
/** Words of vendors for requests that are refused every time. */
const refusals = /invalid|authenticat|permission|not_found|billing|quota|too_large|unsupported|content|polic|safety/i

interface Symptoms {
  readonly api: ApiError
  readonly status: number | undefined
  readonly isSent: boolean
}

/** Connection faults, server faults and replies that cannot be read pass; refusals do not. */
function isTransient(error: unknown, { api, status, isSent }: Symptoms): boolean {
  // The status is a success: only the reply could not be read.
  if (status !== undefined && status >= 200 && status < 300) return true
  // 425 (too early) may be tried again; packages of providers do not know it.
  if (typeof api.isRetryable === 'boolean' && status !== 425) return api.isRetryable
  if (status !== undefined) return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
  const name = error instanceof Error ? error.name : ''
  const code = String(api.code ?? '')
  if (unreadable.test(name) || name === 'InterruptedStream') return true
  if (isSent && name !== 'AbortError') return !refusals.test([api.type, code, api.status].join(' '))
  return name === 'TypeError'
    ? /fetch|network|terminated/i.test(messageOf(error))
    : /^E(CONN|PIPE|TIMEDOUT|AI_AGAIN|HOSTUNREACH|NETUNREACH)/.test(code)
}
