/** The one error of Loom. Its code says what it is, `retry` what to do about it, its message what happened and what to do next. */
import type { Failure } from './event.ts'
import type { JsonObject } from './json.ts'

/** Every code, with what a caller may do: never try again as it is, try again safely, or try again later. */
export const errorCodes = {
  LOOM_OPTION_UNKNOWN: 'never',
  LOOM_OPTION_INVALID: 'never',
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
