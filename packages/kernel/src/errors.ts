/** The one error of Loom. Its code says what it is, `retry` what to do about it, its message what happened and what to do next. */
import type { JsonObject } from './json.ts'

/** Every code, and what a caller may do: never try again as it is, try again safely, or try again later. */
export const errorCodes = {
  LOOM_OPTION_UNKNOWN: 'never',
  LOOM_OPTION_INVALID: 'never',
  LOOM_INPUT_EMPTY: 'never',
  LOOM_INPUT_INVALID: 'never',
  LOOM_MODEL_MISSING: 'never',
  LOOM_MODEL_INVALID: 'never',
  LOOM_MODEL_UNRESOLVED: 'never',
  LOOM_PRICE_UNKNOWN: 'never',
  LOOM_SCHEMA_UNSUPPORTED: 'never',
  LOOM_PACKAGE_MISSING: 'never',
  LOOM_TOOL_INVALID: 'never',
  LOOM_TOOL_NAME_INVALID: 'never',
  LOOM_TOOL_DUPLICATE: 'never',
  LOOM_PERMISSION_DENIED: 'never',
  LOOM_STEP_DIVERGED: 'never',
  LOOM_STEP_REJECTED: 'never',
  LOOM_DEPTH_EXCEEDED: 'never',
  LOOM_CHILDREN_EXCEEDED: 'never',
  LOOM_REPLY_LIMIT: 'never',
  LOOM_ABORTED: 'never',
  LOOM_THREAD_INVALID: 'never',
  LOOM_THREAD_NOT_FOUND: 'never',
  LOOM_THREAD_DROPPED: 'never',
  LOOM_THREAD_IS_CHILD: 'never',
  LOOM_AGENT_OTHER: 'never',
  LOOM_THREAD_UNREADABLE: 'never',
  LOOM_THREAD_PARTIAL: 'never',
  LOOM_THREAD_QUARANTINED: 'never',
  LOOM_THREAD_NOT_REPLAYABLE: 'never',
  LOOM_RUN_EXISTS: 'never',
  LOOM_RUN_NOT_DONE: 'never',
  LOOM_SIGNAL_INVALID: 'never',
  LOOM_QUESTION_NOT_FOUND: 'never',
  LOOM_QUESTION_SETTLED: 'never',
  LOOM_ANSWER_INVALID: 'never',
  LOOM_JOURNAL_UNUSABLE: 'never',
  LOOM_JOURNAL_DAMAGED: 'never',
  LOOM_JOURNAL_CLOSED: 'never',
  LOOM_CURSOR_STALE: 'never',
  LOOM_REQUEST_INVALID: 'never',
  LOOM_ROUTE_NOT_FOUND: 'never',
  LOOM_ACCESS_DENIED: 'never',
  LOOM_SCHEDULE_INVALID: 'never',
  LOOM_MODEL_FAILED: 'safe',
  LOOM_MODEL_CONTEXT_LENGTH: 'safe',
  LOOM_MODEL_TIMEOUT: 'safe',
  LOOM_MODEL_LOST: 'safe',
  LOOM_OUTPUT_INVALID: 'safe',
  LOOM_TOOL_NOT_FOUND: 'safe',
  LOOM_TOOL_INPUT_INVALID: 'safe',
  LOOM_TOOL_TIMEOUT: 'safe',
  LOOM_TOOL_FAILED: 'safe',
  LOOM_STEP_FAILED: 'safe',
  LOOM_HOOK_FAILED: 'safe',
  LOOM_DEPS_MISSING: 'safe',
  LOOM_WORKSPACE_MISSING: 'safe',
  LOOM_MEMORY_FAILED: 'safe',
  LOOM_COMPRESSION_FAILED: 'safe',
  LOOM_RUN_FAILED: 'safe',
  LOOM_MODEL_RATE_LIMITED: 'later',
  LOOM_TOOL_UNAVAILABLE: 'later',
  LOOM_SANDBOX_UNAVAILABLE: 'later',
  LOOM_RATE_LIMITED: 'later',
  LOOM_CIRCUIT_OPEN: 'later',
  LOOM_THREAD_BUSY: 'later',
  LOOM_DRAINING: 'later',
  LOOM_SERVER_BUSY: 'later',
  LOOM_JOURNAL_CONFLICT: 'later',
  LOOM_JOURNAL_UNAVAILABLE: 'later',
} as const

/** The code of an error of Loom. */
export type LoomErrorCode = keyof typeof errorCodes
type Retry = (typeof errorCodes)[LoomErrorCode]

/** What other programs put on errors, such as the fields of a response, cannot look like it: JSON has no symbols. */
const brand = Symbol.for('loom.error')

/** An error of Loom. Test with `isLoomError`, never by message. */
export class LoomError extends Error {
  /** Always `LoomError`. */
  override readonly name: string = 'LoomError'
  /** What went wrong, for programs. */
  readonly code: LoomErrorCode
  /** The values that the message names. */
  readonly context: JsonObject
  /** Whether trying again can help, and when. */
  readonly retry: Retry
  /** Whether resuming or trying again can help. */
  readonly recoverable: boolean
  constructor(code: LoomErrorCode, message: string, options: { cause?: unknown; context?: JsonObject } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    Object.defineProperty(this, brand, { value: true })
    this.code = code
    this.context = options.context ?? {}
    this.retry = errorCodes[code]
    this.recoverable = this.retry !== 'never'
  }
}

/** Whether a value is an error of Loom, also one of another copy of this package. A value that cannot be looked at is none. */
export function isLoomError(value: unknown): value is LoomError {
  try {
    return value instanceof Error && brand in value
  } catch {
    return false
  }
}
