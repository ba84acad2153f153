/** What a model's failure means. Thrown before the stream, thrown while reading or sent as a part of it: it is judged alike. */
import { type Failure, isRecoverable, type JsonObject, type LoomErrorCode } from '@loom-agent/kernel'
import { messageOf } from '../platform/normalize.ts'
import { retryAfterOf } from '../resilience/retry-after.ts'

/** A failure, and whether another attempt may help. */
export interface ModelFailure {
  readonly failure: Failure
  readonly retryable: boolean
  /** Milliseconds that the provider asked to wait. */
  readonly retryAfter?: number | undefined
}

interface ApiError {
  readonly statusCode?: number
  readonly isRetryable?: boolean
  readonly message?: string
}

const overflow = /context.{0,20}(length|window)|prompt is too long|too many tokens|maximum.{0,20}tokens|input is too long/i

/** Judges whatever a model threw or sent as an error. */
export function judgeFailure(error: unknown, now: number): ModelFailure {
  const api = (typeof error === 'object' && error !== null ? error : {}) as ApiError
  const status = typeof api.statusCode === 'number' ? api.statusCode : undefined
  const message = messageOf(error)
  const code = codeOf(status, message)
  const retryable = code === 'LOOM_MODEL_CONTEXT_LENGTH' ? false : (api.isRetryable ?? isTransient(status, error))
  const context: JsonObject = status === undefined ? {} : { status }
  const failure: Failure = { code, message: `The model failed: ${message}`, recoverable: retryable || isRecoverable(code), context }
  return { failure, retryable, retryAfter: retryAfterOf(error, now) }
}

function codeOf(status: number | undefined, message: string): LoomErrorCode {
  if (status === 429) return 'LOOM_MODEL_RATE_LIMITED'
  if ((status === undefined || status === 400 || status === 413) && overflow.test(message)) return 'LOOM_MODEL_CONTEXT_LENGTH'
  return 'LOOM_MODEL_FAILED'
}

/** Without a word of the provider: connection faults and server faults pass, refusals do not. */
function isTransient(status: number | undefined, error: unknown): boolean {
  if (status !== undefined) return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
  const name = error instanceof Error ? error.name : ''
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return name === 'TypeError'
    ? /fetch|network|terminated/i.test(messageOf(error))
    : /^E(CONN|PIPE|TIMEDOUT|AI_AGAIN|HOSTUNREACH|NETUNREACH)/.test(code) || name === 'InterruptedStream'
}

/** A stream that ended without its last part. */
export class InterruptedStream extends Error {
  override readonly name: string = 'InterruptedStream'
  constructor() {
    super('the stream ended before the reply was complete')
  }
}
