/** What goes wrong with servers, in words that a model or a person can act on. */
import { redactText } from '@loom-agent/agent/kit'
import { isLoomError, LoomError, type LoomErrorCode } from '@loom-agent/kernel'
import { cut, visible } from './plain-text.ts'

/** An error about a server. */
export function failure(server: string, code: LoomErrorCode, message: string): LoomError {
  return new LoomError(code, message, { context: { server } })
}

/** What a server, or the SDK, says is wrong: bounded, without secrets, with everything hidden written out. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return redactText(cut(visible(message).text, 600)).replace(/[.\s]+$/, '')
}

const codeOf = (error: unknown): unknown => (typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined)

/** Whether the connection ended before there was a reply: nobody knows what the server has done. */
export const isLost = (error: unknown): boolean => {
  const code = codeOf(error)
  return code === 'CONNECTION_CLOSED' || code === 'SEND_FAILED' || code === 'NOT_CONNECTED' || error instanceof TypeError
}

/** Whether the server itself has refused the request: an error of JSON-RPC. */
export const isRefused = (error: unknown): boolean => typeof codeOf(error) === 'number'

/** Why a server could not be used. */
export function unavailable(server: string, error: unknown, printed = ''): LoomError {
  if (isLoomError(error)) return error
  const said = printed.trim() === '' ? '' : ` It printed: ${reasonOf(printed.trim().slice(-400))}.`
  const isMissing = codeOf(error) === 'ENOENT'
  const why = isMissing ? 'its program was not found' : reasonOf(error)
  const advice = isMissing ? 'Tell the user to check its command and to install it.' : 'Do without its tools, or try later.'
  const message = `The MCP server ${server} cannot be used: ${why}.${said} ${advice}`
  return new LoomError('LOOM_TOOL_UNAVAILABLE', message, { cause: error, context: { server } })
}
