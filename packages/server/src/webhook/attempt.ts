/** What becomes of a delivery after an attempt: a pure decision. */

/** How an attempt ended: with a status, or without a response. */
export type Attempt = { readonly status: number; readonly retryAfter?: number | undefined } | { readonly problem: string; readonly isFinal?: boolean }

/** How often and for how long a delivery is tried. */
export interface RetryPolicy {
  /** Milliseconds before the second attempt; each further wait is twice as long. Default 1,000. */
  readonly first?: number | undefined
  /** Milliseconds between two attempts at most; default 300,000. */
  readonly longest?: number | undefined
  /** Attempts that a delivery has at least, if its receiver does not refuse it for good; default 3. */
  readonly least?: number | undefined
  /** Milliseconds after its event for which a delivery is tried again; default 24 hours. */
  readonly until?: number | undefined
}

/** What comes next. */
export type Next =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'again'; readonly in: number }
  | { readonly kind: 'dropped'; readonly problem: string }

/** Statuses that say "not now" although they blame the sender. */
const passing = new Set([408, 409, 423, 425, 429])

/** Decides about the attempt of a number, for an event of an age in milliseconds. */
export function nextAfter(
  attempt: Attempt,
  tried: { readonly attempts: number; readonly age: number; readonly random: number },
  policy: RetryPolicy = {},
): Next {
  const { first = 1000, longest = 300_000, least = 3, until = 86_400_000 } = policy
  if ('status' in attempt && attempt.status >= 200 && attempt.status < 300) return { kind: 'delivered' }
  const problem = 'status' in attempt ? `status ${attempt.status}` : attempt.problem
  // Who is asked in vain three times, and says that the delivery is wrong, will not take it.
  const isRefused = 'status' in attempt ? attempt.status < 500 && !passing.has(attempt.status) : attempt.isFinal === true
  const { attempts, age, random } = tried
  if (attempts >= least && (isRefused || age > until)) return { kind: 'dropped', problem }
  const wait = Math.min(longest, first * 2 ** Math.min(attempts - 1, 30)) * (0.5 + random / 2)
  const asked = 'status' in attempt ? (attempt.retryAfter ?? 0) : 0
  return { kind: 'again', in: Math.min(longest, Math.max(wait, asked)) }
}
