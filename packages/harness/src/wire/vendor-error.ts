/** Error bodies as the vendors send them. */
import type { Loose } from './loose.ts'
import type { Wire } from './wire.ts'

/** An error, before it gets the shape of its vendor. */
export interface VendorError {
  readonly status: number
  readonly message?: string | undefined
  readonly type?: string | undefined
  /** OpenAI only. */
  readonly param?: string | undefined
  readonly code?: string | undefined
}

interface DefaultError {
  readonly type: string
  readonly message: string
  readonly code?: string
}

type DefaultErrors = Readonly<Record<number, DefaultError>>

const openai: DefaultErrors = {
  400: { type: 'invalid_request_error', message: 'The request is invalid.' },
  401: { type: 'invalid_request_error', message: 'Incorrect API key provided.', code: 'invalid_api_key' },
  403: { type: 'invalid_request_error', message: 'You do not have access to this resource.', code: 'access_denied' },
  404: { type: 'invalid_request_error', message: 'The model does not exist or you do not have access to it.', code: 'model_not_found' },
  408: { type: 'timeout', message: 'The request timed out.' },
  409: { type: 'conflict', message: 'The resource was updated by another request.' },
  413: { type: 'invalid_request_error', message: 'The request is too large.', code: 'request_too_large' },
  429: { type: 'requests', message: 'Rate limit reached. Please try again later.', code: 'rate_limit_exceeded' },
  500: { type: 'server_error', message: 'The server had an error while processing your request. Sorry about that!' },
  503: { type: 'server_error', message: 'The engine is currently overloaded, please try again later.' },
}

const anthropic: DefaultErrors = {
  400: { type: 'invalid_request_error', message: 'The request is invalid.' },
  401: { type: 'authentication_error', message: 'invalid x-api-key' },
  403: { type: 'permission_error', message: 'Your API key does not have permission to use the specified resource.' },
  404: { type: 'not_found_error', message: 'The requested resource could not be found.' },
  408: { type: 'timeout_error', message: 'The request timed out.' },
  409: { type: 'conflict_error', message: 'The request conflicts with another one.' },
  413: { type: 'request_too_large', message: 'Request exceeds the maximum size' },
  429: { type: 'rate_limit_error', message: 'This request would exceed your rate limit.' },
  500: { type: 'api_error', message: 'Internal server error' },
  503: { type: 'api_error', message: 'Service unavailable' },
  529: { type: 'overloaded_error', message: 'Overloaded' },
}

const google: DefaultErrors = {
  400: { type: 'INVALID_ARGUMENT', message: 'Request contains an invalid argument.' },
  401: { type: 'UNAUTHENTICATED', message: 'Request had invalid authentication credentials.' },
  403: { type: 'PERMISSION_DENIED', message: 'The caller does not have permission' },
  404: { type: 'NOT_FOUND', message: 'Requested entity was not found.' },
  408: { type: 'DEADLINE_EXCEEDED', message: 'Deadline expired before operation could complete.' },
  409: { type: 'ABORTED', message: 'The operation was aborted.' },
  413: { type: 'INVALID_ARGUMENT', message: 'Request payload size exceeds the limit.' },
  429: { type: 'RESOURCE_EXHAUSTED', message: 'Resource has been exhausted (e.g. check quota).' },
  500: { type: 'INTERNAL', message: 'An internal error has occurred.' },
  503: { type: 'UNAVAILABLE', message: 'The model is overloaded. Please try again later.' },
}

const defaultErrors: Readonly<Record<Wire, DefaultErrors>> = {
  'openai-chat': openai,
  'openai-compatible': openai,
  'openai-responses': openai,
  anthropic,
  google,
}

const overflows: Readonly<Record<Wire, VendorError>> = {
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

/** The error of each vendor for a request that is longer than its model can read. */
export const overflowOf = (wire: Wire): VendorError => overflows[wire]

/** The error in the shape of its vendor; what it leaves open is filled with the vendor's defaults for this status. */
export function errorBody(wire: Wire, error: VendorError): Loose {
  const standard = defaultErrors[wire][error.status] ?? defaultErrors[wire][error.status < 500 ? 400 : 500]
  const message = error.message ?? standard?.message ?? ''
  const type = error.type ?? standard?.type ?? ''
  if (wire === 'anthropic') return { type: 'error', error: { type, message }, request_id: 'req_wire' }
  if (wire === 'google') return { error: { code: error.status, message, status: type } }
  // A complaint about the request names its own code or none; the code of the status is for errors without a message of their own.
  const code = error.code ?? (error.message === undefined ? standard?.code : undefined) ?? null
  return { error: { message, type, param: error.param ?? null, code } }
}

/** The same error as an event in the middle of a stream. */
export function errorEvent(wire: Wire, error: VendorError, sequence: number): { readonly event?: string; readonly data: Loose } {
  const body = errorBody(wire, error)
  if (wire === 'anthropic') return { event: 'error', data: { type: 'error', error: body['error'] } }
  if (wire !== 'openai-responses') return { data: body }
  const { code, message, param } = body['error'] as Loose
  return { event: 'error', data: { type: 'error', sequence_number: sequence, code: code ?? 'server_error', message, param } }
}
