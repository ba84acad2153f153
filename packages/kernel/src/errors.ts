/** The one error of Loom. Its code says what it is, `retry` what to do about it, its message what happened and what to do next. */
import type { Failure } from './event.ts'
import type { JsonObject } from './json.ts'

/** The codes without their LOOM_, by what a caller may do: never try again as it is, try again safely, or try again later. */
const codes = {
  never: [
    'OPTION_UNKNOWN OPTION_INVALID INPUT_EMPTY INPUT_INVALID MODEL_MISSING MODEL_INVALID MODEL_UNRESOLVED SCHEMA_UNSUPPORTED TOOL_INVALID',
    'TOOL_NAME_INVALID TOOL_DUPLICATE PERMISSION_DENIED STEP_DIVERGED STEP_REJECTED DEPTH_EXCEEDED ABORTED THREAD_INVALID THREAD_NOT_FOUND',
    'THREAD_IS_CHILD THREAD_UNREADABLE QUESTION_NOT_FOUND QUESTION_SETTLED ANSWER_INVALID JOURNAL_UNUSABLE JOURNAL_DAMAGED JOURNAL_CLOSED',
  ],
  safe: [
    'MODEL_FAILED MODEL_CONTEXT_LENGTH MODEL_TIMEOUT MODEL_LOST OUTPUT_INVALID TOOL_NOT_FOUND TOOL_INPUT_INVALID TOOL_TIMEOUT TOOL_FAILED',
    'STEP_FAILED HOOK_FAILED DEPS_MISSING MEMORY_FAILED COMPRESSION_FAILED RUN_FAILED',
  ],
  later: ['MODEL_RATE_LIMITED TOOL_UNAVAILABLE RATE_LIMITED CIRCUIT_OPEN THREAD_BUSY JOURNAL_CONFLICT JOURNAL_UNAVAILABLE'],
} as const

type Retry = keyof typeof codes
type Words<S extends string> = S extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : S
/** The code of an error, such as `LOOM_THREAD_BUSY`. */
export type LoomErrorCode = `LOOM_${Words<(typeof codes)[Retry][number]>}`

/** Every code, and what a caller may do. */
export const errorCodes: Readonly<Record<LoomErrorCode, Retry>> = Object.fromEntries(
  Object.entries(codes).flatMap(([retry, lines]) => lines.flatMap((line) => line.split(' ')).map((word) => [`LOOM_${word}`, retry])),
) as Readonly<Record<LoomErrorCode, Retry>>

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
    this.code = code
    this.context = options.context ?? {}
    this.retry = errorCodes[code]
    this.recoverable = isRecoverable(code)
  }
}

/** Whether a value is an error of Loom, also one of another copy of this package. */
export function isLoomError(value: unknown): value is LoomError {
  return value instanceof Error && 'code' in value && typeof value.code === 'string' && value.code.startsWith('LOOM_')
}

/** Whether trying again can help. */
export function isRecoverable(code: string): boolean {
  return (errorCodes as { readonly [code: string]: Retry | undefined })[code] !== 'never'
}

/** An error as data, for an event. */
export function failureOf({ code, message, context, recoverable }: LoomError): Failure {
  return { code, message, recoverable, ...(Object.keys(context).length > 0 && { context }) }
}
