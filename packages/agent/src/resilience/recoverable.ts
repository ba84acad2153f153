/** Which errors can be recovered from: one judgement for retry, fallback and circuit breaker. */
import { isLoomError } from '@loom-agent/kernel'

interface HttpError {
  readonly isRetryable?: unknown
  readonly statusCode?: unknown
  readonly status?: unknown
}

/** Refusals that may pass with time: timeout, conflict, too early, too many requests. */
const passing = new Set([408, 409, 425, 429])

/**
 * Whether another attempt may help after this error.
 *
 * Aborts, codes of Loom that say `never`, and refusals by HTTP status are final. An error that says nothing about itself may be recovered from.
 */
export function mayRecover(error: unknown): boolean {
  if (error instanceof Error && error.name === 'AbortError') return false
  if (isLoomError(error)) return error.retry !== 'never'
  const { isRetryable, statusCode, status } = (typeof error === 'object' && error !== null ? error : {}) as HttpError
  if (typeof isRetryable === 'boolean') return isRetryable
  const code = typeof statusCode === 'number' ? statusCode : status
  return typeof code !== 'number' || code < 400 || code >= 500 || passing.has(code)
}
