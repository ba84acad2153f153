/**
 * When a model is tried again.
 *
 * All attempts of a turn have one deadline. None is begun after it, and none is waited for that would be: who asks for more time than there is
 * left is told so, with the time that was asked for. How long an attempt itself may take is for `behaviour.modelIdle` and `timeouts` to say.
 */
import type { Failure, Run } from '@loom-agent/kernel'
import type { ModelFailure } from './failure.ts'

/** Milliseconds in which the attempts of a turn begin, from the first one on. */
const longestTry = 600_000

/** Full jitter: somewhere between nothing and a second, doubled by each attempt up to a minute. */
export const backOff = (attempt: number, random: number): number => Math.round(random * Math.min(60_000, 1000 * 2 ** (attempt - 1)))

/** When the first attempt of a turn began, as its failure says: another process may have made it. */
export function sinceOf({ error }: Run): number | undefined {
  const since = error?.context?.['since']
  return typeof since === 'number' ? since : undefined
}

/** A failure as it is recorded, and when the next attempt begins, if there is one. */
export function schedule(
  { failure, retryAfter }: ModelFailure,
  { again, retryAt, since }: { readonly again: boolean; readonly retryAt: number; readonly since: number },
): { readonly error: Failure; readonly retryAt?: number } {
  if (!again) return { error: failure }
  if (retryAt <= since + longestTry) return { error: { ...failure, context: { ...failure.context, since } }, retryAt }
  const asked = retryAfter === undefined ? '' : ` It asks to be tried again in ${retryAfter} ms.`
  const message = `${failure.message}${asked} Attempts of a turn begin within ${longestTry} ms. Resume the thread later, or use another model.`
  return { error: { ...failure, message, context: { ...failure.context, since, ...(retryAfter !== undefined && { retryAfterMs: retryAfter }) } } }
}
