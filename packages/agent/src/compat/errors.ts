/** The names of errors in the original Python project, for Loom's codes and for the error types of tool results. */
import type { LoomErrorCode } from '@loom-agent/kernel'

/** The names of all errors in the original Python project. */
export const errorNames = [
  'LoomException',
  'ToolException',
  'ToolNotFoundError',
  'ToolUnavailableError',
  'ToolValidationError',
  'ToolExecutionTimeout',
  'PermissionDeniedError',
  'LLMException',
  'LLMRateLimitError',
  'LLMContextLengthError',
  'MemoryException',
  'CompressionFailedError',
  'ExecutionAbortedError',
  'CircuitBreakerOpenError',
] as const

/** The name of an error in the original Python project. */
export type ErrorName = (typeof errorNames)[number]

const ofCode: { readonly [C in LoomErrorCode]?: ErrorName } = {
  LOOM_TOOL_INVALID: 'ToolException',
  LOOM_TOOL_NAME_INVALID: 'ToolException',
  LOOM_TOOL_DUPLICATE: 'ToolException',
  LOOM_TOOL_FAILED: 'ToolException',
  LOOM_TOOL_NOT_FOUND: 'ToolNotFoundError',
  LOOM_TOOL_UNAVAILABLE: 'ToolUnavailableError',
  LOOM_TOOL_INPUT_INVALID: 'ToolValidationError',
  LOOM_TOOL_TIMEOUT: 'ToolExecutionTimeout',
  LOOM_PERMISSION_DENIED: 'PermissionDeniedError',
  LOOM_MODEL_MISSING: 'LLMException',
  LOOM_MODEL_INVALID: 'LLMException',
  LOOM_MODEL_UNRESOLVED: 'LLMException',
  LOOM_MODEL_FAILED: 'LLMException',
  LOOM_MODEL_TIMEOUT: 'LLMException',
  LOOM_MODEL_LOST: 'LLMException',
  LOOM_MODEL_RATE_LIMITED: 'LLMRateLimitError',
  LOOM_MODEL_CONTEXT_LENGTH: 'LLMContextLengthError',
  LOOM_MEMORY_FAILED: 'MemoryException',
  LOOM_COMPRESSION_FAILED: 'CompressionFailedError',
  LOOM_ABORTED: 'ExecutionAbortedError',
  LOOM_CIRCUIT_OPEN: 'CircuitBreakerOpenError',
}

const ofType: { readonly [errorType: string]: ErrorName } = {
  'not-found': 'ToolNotFoundError',
  unavailable: 'ToolUnavailableError',
  validation: 'ToolValidationError',
  timeout: 'ToolExecutionTimeout',
  permission: 'PermissionDeniedError',
  rejected: 'PermissionDeniedError',
  cancelled: 'ExecutionAbortedError',
  failed: 'ToolException',
  hook: 'ToolException',
  skipped: 'ToolException',
  'outcome-unknown': 'ToolException',
}

/** The name of an error in the original Python project, by its code or by the error type of a tool result. */
export function errorNameOf(code: string): ErrorName {
  return ofCode[code as LoomErrorCode] ?? ofType[code] ?? 'LoomException'
}
