/** `thread@seq`: the name of a moment. */
import { LoomError, type Seq } from '@loom-agent/kernel'
import { shown, toJson } from '../platform/normalize.ts'

/** A thread, and the last event that counts. */
export interface Moment {
  /** The id of the thread. */
  readonly thread: string
  /** The seq of the last event that has happened. */
  readonly seq: Seq
}

/** Reads `thread@seq`. The seq is what follows the last @: a thread's name may hold others. */
export function parseMoment(text: string): Moment {
  const at = typeof text === 'string' ? text.lastIndexOf('@') : -1
  const digits = String(text).slice(at + 1)
  if (at < 1 || !/^[1-9]\d{0,14}$/.test(digits)) {
    throw new LoomError('LOOM_THREAD_INVALID', `${shown(text)} is no moment. Write thread@seq, such as user-123@42; events are counted from 1.`, {
      context: { moment: toJson(text) },
    })
  }
  return { thread: text.slice(0, at), seq: Number(digits) }
}

/** The error for a moment after the last event of its thread. */
export function notThereYet({ thread, seq }: Moment, last: Seq): LoomError {
  const at = nameMoment({ thread, seq })
  const message = `${at} is not there yet; the thread ends at ${nameMoment({ thread, seq: last })}.`
  return new LoomError('LOOM_OPTION_INVALID', message, { context: { at, last } })
}

/** Writes `thread@seq`. */
export function nameMoment({ thread, seq }: Moment): string {
  return `${thread}@${seq}`
}
