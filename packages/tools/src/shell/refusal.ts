/** Refusals of the shell: each says what is wrong and what to do instead, because a model reads it. */
import { isLoomError, LoomError, type LoomErrorCode } from '@loom-agent/kernel'

/** A refusal of a command. */
export const refusal = (code: LoomErrorCode, message: string): LoomError => new LoomError(code, message)

/** Returns the result of the work, or the refusal as a result, so that the model reads its message. An abort stays an abort. */
export async function orRefusal<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | LoomError> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    if (isLoomError(error)) return error
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown fault'
    return new LoomError('LOOM_TOOL_FAILED', `The command could not be run (${code}). Tell the user.`, { cause: error, context: { code } })
  }
}
