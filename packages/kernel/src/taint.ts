/**
 * What was read that others wrote, or that is private.
 *
 * TAINT-1. A thread that has read something has read it for good: of each label the first item stays, whatever leaves the context, and a fork has what the
 *     past that it shares has read. So do the summaries that are made of it.
 */
import type { Taint, TaintedBy } from './run-request.ts'

/** What was read before, and what was read now in the given place; the first item of each label stays. */
export function addTaint(earlier: Taint | undefined, later: Taint | undefined, place: Omit<TaintedBy, 'what'> = {}): Taint | undefined {
  if (!later || (earlier?.untrusted && earlier.private)) return earlier
  const untrusted = earlier?.untrusted ?? (later.untrusted && { ...place, ...later.untrusted })
  const secret = earlier?.private ?? (later.private && { ...place, ...later.private })
  return { ...(untrusted && { untrusted }), ...(secret && { private: secret }) }
}
