/** Error bodies as the vendors send them. */
import type { Loose } from './loose.ts'
import type { Wire } from './wire.ts'

/** An error, before it gets the shape of its vendor. */
export interface VendorError {
  readonly status: number
  readonly message?: string | undefined
  /** OpenAI only. */
  readonly param?: string | undefined
  readonly code?: string | undefined
  /** How long the client is asked to wait: seconds, or a date. */
  readonly retryAfter?: number | string
  readonly retryAfterMs?: number
}

/** The types of a status at OpenAI, Anthropic and Google, and a message for all of them. */
interface DefaultError {
  readonly types: readonly [openai: string, anthropic: string, google: string]
  readonly message: string
  /** OpenAI only. */
  readonly code?: string
}

const invalid: DefaultError = { types: ['invalid_request_error', 'invalid_request_error', 'INVALID_ARGUMENT'], message: 'The request is invalid.' }
const broken: DefaultError = { types: ['server_error', 'api_error', 'INTERNAL'], message: 'The server had an error while processing your request.' }

const defaultErrors: Readonly<Record<number, DefaultError>> = {
  401: { types: ['invalid_request_error', 'authentication_error', 'UNAUTHENTICATED'], message: 'The key is wrong.', code: 'invalid_api_key' },
  403: { types: ['invalid_request_error', 'permission_error', 'PERMISSION_DENIED'], message: 'The key may not do this.', code: 'access_denied' },
  404: { types: ['invalid_request_error', 'not_found_error', 'NOT_FOUND'], message: 'There is no such model.', code: 'model_not_found' },
  408: { types: ['timeout', 'timeout_error', 'DEADLINE_EXCEEDED'], message: 'The request timed out.' },
  409: { types: ['conflict', 'conflict_error', 'ABORTED'], message: 'The request conflicts with another one.' },
  413: { types: ['invalid_request_error', 'request_too_large', 'INVALID_ARGUMENT'], message: 'The request is too large.', code: 'request_too_large' },
  429: { types: ['requests', 'rate_limit_error', 'RESOURCE_EXHAUSTED'], message: 'Rate limit reached.', code: 'rate_limit_exceeded' },
  503: { types: ['server_error', 'api_error', 'UNAVAILABLE'], message: 'The server is overloaded. Try again later.' },
  529: { types: ['server_error', 'overloaded_error', 'UNAVAILABLE'], message: 'Overloaded' },
}

/** The error of each vendor for a request that is longer than its model can read. */
export const overflows: Readonly<Record<Wire, VendorError>> = {
  'openai-chat': {
    status: 400,
    message: "This model's maximum context length is 128000 tokens. However, your messages resulted in 131072 tokens.",
    param: 'messages',
    code: 'context_length_exceeded',
  },
  'openai-compatible': {
    status: 400,
    message: "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens.",
  },
  'openai-responses': {
    status: 400,
    message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    param: 'input',
    code: 'context_length_exceeded',
  },
  anthropic: { status: 400, message: 'prompt is too long: 204802 tokens > 200000 maximum' },
  google: { status: 400, message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).' },
}

/** The error in the shape of its vendor; what it leaves open is filled with the vendor's defaults for this status. */
export function errorBody(wire: Wire, error: VendorError): Loose {
  const standard = defaultErrors[error.status] ?? (error.status < 500 ? invalid : broken)
  const [openai, anthropic, google] = standard.types
  const message = error.message ?? standard.message
  if (wire === 'anthropic') return { type: 'error', error: { type: anthropic, message }, request_id: 'req_wire' }
  if (wire === 'google') return { error: { code: error.status, message, status: google } }
  // A complaint about the request names its own code or none; the code of the status is for errors without a message of their own.
  const code = error.code ?? (error.message === undefined ? standard.code : undefined) ?? null
  return { error: { message, type: openai, param: error.param ?? null, code } }
}

/** The same error as an event in the middle of a stream. */
export function errorEvent(wire: Wire, error: VendorError, sequence: number): { readonly event?: string; readonly data: Loose } {
  const body = errorBody(wire, error)
  if (wire === 'anthropic') return { event: 'error', data: { type: 'error', error: body['error'] } }
  if (wire !== 'openai-responses') return { data: body }
  const { code, message, param } = body['error'] as Loose
  return { event: 'error', data: { type: 'error', sequence_number: sequence, code: code ?? 'server_error', message, param } }
}
