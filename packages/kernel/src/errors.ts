/** The one error of Loom. Its code says what it is, `retry` what to do about it, its message what happened and what to do next. */
import type { Failure } from './event.ts'
import type { JsonObject } from './json.ts'

/** Every code, with what a caller may do: never try again as it is, try again safely, or try again later. */
export const errorCodes = {
  LOOM_OPTION_UNKNOWN: 'never',
  LOOM_OPTION_INVALID: 'never',
  LOOM_INPUT_EMPTY: 'never',
  LOOM_INPUT_INVALID: 'never',
  LOOM_MODEL_MISSING: 'never',
  LOOM_MODEL_INVALID: 'never',
  LOOM_MODEL_UNRESOLVED: 'never',
  LOOM_MODEL_FAILED: 'safe',
  LOOM_MODEL_RATE_LIMITED: 'later',
  LOOM_MODEL_CONTEXT_LENGTH: 'safe',
  LOOM_MODEL_TIMEOUT: 'safe',
  LOOM_MODEL_LOST: 'safe',
  LOOM_OUTPUT_INVALID: 'safe',
  LOOM_SCHEMA_UNSUPPORTED: 'never',
  LOOM_TOOL_INVALID: 'never',
  LOOM_TOOL_NAME_INVALID: 'never',
  LOOM_TOOL_DUPLICATE: 'never',
  LOOM_TOOL_NOT_FOUND: 'safe',
  LOOM_TOOL_UNAVAILABLE: 'later',
  LOOM_TOOL_INPUT_INVALID: 'safe',
  LOOM_TOOL_TIMEOUT: 'safe',
  LOOM_TOOL_FAILED: 'safe',
  LOOM_PERMISSION_DENIED: 'never',
  LOOM_STEP_DIVERGED: 'never',
  LOOM_STEP_FAILED: 'safe',
  LOOM_STEP_REJECTED: 'never',
  LOOM_HOOK_FAILED: 'safe',
  LOOM_DEPS_MISSING: 'safe',
  LOOM_DEPTH_EXCEEDED: 'never',
  LOOM_MEMORY_FAILED: 'safe',
  LOOM_COMPRESSION_FAILED: 'safe',
  LOOM_RATE_LIMITED: 'later',
  LOOM_CIRCUIT_OPEN: 'later',
  LOOM_ABORTED: 'never',
  LOOM_RUN_FAILED: 'safe',
  LOOM_THREAD_INVALID: 'never',
  LOOM_THREAD_NOT_FOUND: 'never',
  LOOM_THREAD_BUSY: 'later',
  LOOM_THREAD_IS_CHILD: 'never',
  LOOM_THREAD_UNREADABLE: 'never',
  LOOM_QUESTION_NOT_FOUND: 'never',
  LOOM_QUESTION_SETTLED: 'never',
  LOOM_ANSWER_INVALID: 'never',
  LOOM_JOURNAL_CONFLICT: 'later',
} as const

export type LoomErrorCode = keyof typeof errorCodes

/** An error of Loom. Test with `isLoomError`, never by message. */
export class LoomError extends Error {
  override readonly name: string = 'LoomError'
  readonly code: LoomErrorCode
  readonly context: JsonObject
  constructor(code: LoomErrorCode, message: string, options: { cause?: unknown; context?: JsonObject } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.context = options.context ?? {}
  }
}

/** Whether a value is an error of Loom, also one of another copy of this package. */
export function isLoomError(value: unknown): value is LoomError {
  return value instanceof Error && 'code' in value && typeof value.code === 'string' && value.code.startsWith('LOOM_')
}

/** Whether trying again can help. */
export function isRecoverable(code: string): boolean {
  return (errorCodes as { readonly [code: string]: string | undefined })[code] !== 'never'
}

/** An error as data, for an event. */
export function failureOf(error: LoomError): Failure {
  const { code, message, context } = error
  return { code, message, recoverable: isRecoverable(code), ...(Object.keys(context).length > 0 && { context }) }
}
