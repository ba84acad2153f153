/** Refusals of the network tools: each says what is wrong and what to do instead, because a model reads it. */
import { isLoomError, LoomError, type LoomErrorCode } from '@loom-agent/kernel'

/** A refusal, for the address as it was given. */
export function refusal(code: LoomErrorCode, url: string, message: string): LoomError {
  return new LoomError(code, message, { context: { url: url.slice(0, 200) } })
}

/** An address that cannot be used as it is written. */
export const malformed = (url: string, message: string): LoomError => refusal('LOOM_TOOL_INPUT_INVALID', url, message)

/** An address that may not be reached, whatever is there. */
export const forbidden = (url: string, message: string): LoomError => refusal('LOOM_PERMISSION_DENIED', url, message)

/** A request that did not come to a reply. */
export const failed = (url: string, message: string): LoomError => refusal('LOOM_TOOL_FAILED', url, message)

/** What the errors of connections mean, by their codes. */
const meanings: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no host of this name. Check the spelling',
  EAI_AGAIN: 'the name cannot be looked up now. Try later',
  ECONNREFUSED: 'nothing listens there. Check the port',
  ECONNRESET: 'the server closed the connection. Try later',
  EPIPE: 'the server closed the connection. Try later',
  ETIMEDOUT: 'the server cannot be reached. Try later',
  EHOSTUNREACH: 'the server cannot be reached. Try later',
  ENETUNREACH: 'the network of the server cannot be reached. Try later',
  HPE_HEADER_OVERFLOW: 'the headers of its reply are too large. Use another address',
  ERR_STREAM_PREMATURE_CLOSE: 'the reply ended before it was whole. Try later',
  Z_BUF_ERROR: 'the reply ended before it was whole. Try later',
  Z_DATA_ERROR: 'the compressed reply is damaged. Use another address',
  CERT_HAS_EXPIRED: 'its certificate has expired. Use another address',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not signed by a known authority. Use another address',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by a known authority. Use another address',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by a known authority. Use another address',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host. Use another address',
}

/** Anything that was thrown while a request was under way, as a refusal that a model can read. */
export function refusalOf(error: unknown, url: string): LoomError {
  if (isLoomError(error)) return error
  const code = codeOf(error)
  const meaning =
    meanings[code] ?? (code.startsWith('HPE_') ? 'its reply is not HTTP. Use another address' : `it failed (${code || 'unknown fault'})`)
  return new LoomError('LOOM_TOOL_FAILED', `${url} was not reached: ${meaning}.`, { cause: error, context: { url: url.slice(0, 200), code } })
}

/** The code of a system error; of several at once, as when each address of a host was tried, that of the first. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
