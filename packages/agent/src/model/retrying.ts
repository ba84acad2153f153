/**
 * When a model is tried again.
 *
 * All attempts of a turn have one deadline. None is begun after it, and none is waited for that would be: a vendor that asks for more time than there is
 * left makes the attempt fail, and the failure names the time that was asked for. `behaviour.modelIdle` and `timeouts` limit how long an attempt itself may take.
 */
import type { Failure } from '@loom-agent/kernel'
import type { ModelFailure } from './failure.ts'

/** Milliseconds in which the attempts of a turn begin, from the first one on. */
const longestTry = 600_000

/** Full jitter: somewhere between nothing and a second, doubled by each attempt up to a minute. */
export const backOff = (attempt: number, random: number): number => Math.round(random * Math.min(60_000, 1000 * 2 ** (attempt - 1)))

/** A failure as it is recorded, and when the next attempt begins, if there is one. */
export interface ScheduledFailure {
  readonly error: Failure
  readonly retryAt?: number
}

/** A failure as it is recorded, and when the next attempt begins, if there is one; `since` is when the first one of the turn did. */
export function schedule(
  { failure, retryAfter }: ModelFailure,
  { again, retryAt, since }: { readonly again: boolean; readonly retryAt: number; readonly since: number },
): ScheduledFailure {
  if (!again) return { error: failure }
  if (retryAt <= since + longestTry) return { error: failure, retryAt }
  const asked = retryAfter === undefined ? '' : ` It asks to be tried again in ${retryAfter} ms.`
  const message = `${failure.message}${asked} Attempts of a turn begin within ${longestTry} ms. Resume the thread later, or use another model.`
  return { error: { ...failure, message, context: { ...failure.context, ...(retryAfter !== undefined && { retryAfterMs: retryAfter }) } } }
}
