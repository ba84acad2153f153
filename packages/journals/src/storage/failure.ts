/** The errors of journals: each says what happened, with values, and what to do next. */
import { isLoomError, type JsonObject, LoomError, type LoomErrorCode } from '@loom-agent/kernel'

/**
 * `unusable`: this cannot be opened or used as a journal. `unavailable`: it cannot be written or read now (busy, full, a disk error); nothing was
 * stored. `damaged`: what is stored is not what was appended. `closed`: the journal was closed before.
 */
export type JournalFailure = 'unusable' | 'unavailable' | 'damaged' | 'closed'

const codes: Readonly<Record<JournalFailure, LoomErrorCode>> = {
  unusable: 'LOOM_JOURNAL_UNUSABLE',
  unavailable: 'LOOM_JOURNAL_UNAVAILABLE',
  damaged: 'LOOM_JOURNAL_DAMAGED',
  closed: 'LOOM_JOURNAL_CLOSED',
}

/** The error of a journal; the message says what happened and what to do. */
export function journalError(failure: JournalFailure, message: string, options: { cause?: unknown; context?: JsonObject } = {}): LoomError {
  return new LoomError(codes[failure], message, { ...options, context: { failure, ...options.context } })
}

/** Damage found in a thread; `seq` is the first event that cannot be trusted. */
export function damage(thread: string, seq: number, what: string): LoomError {
  const advice =
    'It can be read up to there, and not be written or copied. Restore the journal from a copy, or keep what readEvents returns until then and remove the thread.'
  return journalError('damaged', `The thread ${thread} is damaged at seq ${seq}: ${what}. ${advice}`, { context: { thread, seq } })
}

/** Whether an error says that what is stored is not what was appended. */
export function isDamage(error: unknown): error is LoomError {
  return isLoomError(error) && error.context['failure'] === 'damaged'
}
