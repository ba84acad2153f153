/** How a command ends, for scripts. */
import { isLoomError, type LoomErrorCode } from '@loom-agent/kernel'

/** The exit codes. They are part of what scripts rely on: a number never changes its meaning. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  config: 3,
  waiting: 4,
  limit: 5,
  checkFailed: 6,
  notFound: 7,
  conflict: 8,
  unavailable: 75,
} as const

/** The exit code of each error that is neither a failure of the work itself nor one that may be tried later. */
const byCode: Partial<Record<LoomErrorCode, number>> = {
  LOOM_OPTION_UNKNOWN: exitCodes.usage,
  LOOM_OPTION_INVALID: exitCodes.usage,
  LOOM_INPUT_INVALID: exitCodes.usage,
  LOOM_INPUT_EMPTY: exitCodes.usage,
  LOOM_THREAD_INVALID: exitCodes.usage,
  LOOM_ANSWER_INVALID: exitCodes.usage,
  LOOM_MODEL_MISSING: exitCodes.config,
  LOOM_PACKAGE_MISSING: exitCodes.config,
  LOOM_THREAD_NOT_FOUND: exitCodes.notFound,
  LOOM_QUESTION_NOT_FOUND: exitCodes.notFound,
  LOOM_QUESTION_SETTLED: exitCodes.conflict,
  LOOM_RUN_EXISTS: exitCodes.conflict,
  LOOM_JOURNAL_DAMAGED: exitCodes.checkFailed,
}

/** The exit code of what a command has thrown. */
export function exitCodeOf(error: unknown): number {
  if (!isLoomError(error)) return exitCodes.failed
  return byCode[error.code] ?? (error.retry === 'later' ? exitCodes.unavailable : exitCodes.failed)
}
