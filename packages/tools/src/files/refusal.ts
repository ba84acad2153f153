/** Refusals of the file tools: each says what is wrong and what to do instead, because a model reads it. */
import { isLoomError, LoomError, type LoomErrorCode } from '@loom-agent/kernel'

/** A refusal, for the path as it was given. */
export function refusal(code: LoomErrorCode, path: string, message: string): LoomError {
  return new LoomError(code, message, { context: { path: path.slice(0, 200) } })
}

/** A path that may not be used, whatever is there. */
export const forbidden = (path: string, message: string): LoomError => refusal('LOOM_PERMISSION_DENIED', path, message)

/** The messages for errors of the file system. */
const systemErrors: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `There is no ${path}. List its folder to see what is there.`,
  ENOTDIR: (path) => `A part of ${path} is a file, not a folder. Give another path.`,
  EACCES: (path) => `${path} may not be opened: the operating system denies it. Use another file.`,
  EPERM: (path) => `${path} may not be changed: the operating system denies it. Use another file.`,
  EISDIR: (path) => `${path} is a folder. Use list for folders.`,
  EROFS: (path) => `${path} is on a disk that cannot be written to. Nothing was written.`,
  ENOSPC: () => 'The disk is full. Nothing was written.',
  ENAMETOOLONG: (path) => `The name ${path.slice(0, 40)}... is too long. Give a shorter one.`,
  EMFILE: () => 'Too many files are open. Try again later.',
}

/** Anything that was thrown, as a refusal that a model can read. */
export function refusalOf(error: unknown, path: string): LoomError {
  if (isLoomError(error)) return error
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  const message = systemErrors[code]?.(path) ?? `${path} could not be used (${code === '' ? 'unknown fault' : code}). Try another path.`
  return new LoomError('LOOM_TOOL_FAILED', message, { cause: error, context: { path: path.slice(0, 200), code } })
}

/** Whether an error of the file system has this code. */
export const hasCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code

/** Returns the result of the work, or the refusal as a result, so that the model reads its message. An abort stays an abort. */
export async function orRefusal<T>(path: string, signal: AbortSignal, work: () => Promise<T>): Promise<T | LoomError> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    return refusalOf(error, path)
  }
}
