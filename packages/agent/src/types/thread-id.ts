/** The ids of threads. */
import { LoomError } from '@loom-agent/kernel'
import { shown, toJson } from '../platform/normalize.ts'

/** Refuses what cannot name a thread: separators of ids, and characters that cannot be seen. */
export function checkThread(thread: string): void {
  if (typeof thread === 'string' && thread.length > 0 && thread.length <= 200 && !/[#@\p{Cc}\p{Cs}]/u.test(thread) && thread.trim() === thread) return
  const rule = 'Use 1 to 200 characters without #, @, control characters and outer blanks.'
  const given = typeof thread === 'string' ? thread.toWellFormed().slice(0, 80) : toJson(thread)
  throw new LoomError('LOOM_THREAD_INVALID', `${shown(given)} cannot be the id of a thread. ${rule}`, { context: { thread: given } })
}

const childForm = /^child-[0-9a-f]{32}$/

/** The id of a child: `digest` is a hash of the parent's incarnation, the call and the key. */
export const childIdOf = (digest: string): string => `child-${digest.slice(0, 32)}`

/** Whether an id is one that only children get. */
export const isChildId = (thread: string): boolean => childForm.test(thread)

/** The error for a user's thread under the id of a child. */
export function reservedId(thread: string): LoomError {
  const message = `${thread} is an id of the form that children get, child- and 32 hex digits. Give the thread another id.`
  return new LoomError('LOOM_THREAD_INVALID', message, { context: { thread } })
}

/** The error for a thread that is not there any more. */
export function threadRemoved(thread: string): LoomError {
  const message = `The thread ${thread} was removed. If its name is used again, that is another thread.`
  return new LoomError('LOOM_THREAD_NOT_FOUND', message, { context: { thread } })
}

/** The error for a thread that the journal does not have. */
export function threadNotFound(thread: string): LoomError {
  return new LoomError('LOOM_THREAD_NOT_FOUND', `There is no thread ${thread} in this journal.`, { context: { thread } })
}
