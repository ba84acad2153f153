/** Limits of a run, in words for people. */
import { leastGrant, type Reached } from '@loom-agent/kernel'

/** Why a run asks whether to go on, or stops: a limit is reached. `during` says what was in flight then. */
export const limitReason = (reached: Reached, asks: boolean, during = ''): string =>
  `The limit of ${amountOf(reached.limit, reached.max)} is reached (${amountOf(reached.limit, reached.used)} used)${during}. ${limitAdvice(reached, asks)}`

/** The same for a fork that may spend nothing yet. */
export const ungrantedReason = ({ limit, used }: Reached): string =>
  `This fork was made without limits and may spend nothing yet (used before the cut: ${amountOf(limit, used)}). Grant what the whole run may use, such as approve({ limits: { ${limit}: ${used + 100_000} } }); approve() alone grants the limits that its run had.`

const sizes = { turns: 1, calls: 1, tokens: 1, 'money units': 1_000_000, hours: 3_600_000, minutes: 60_000, seconds: 1000 }

/** An amount of what a limit counts. Time is in the largest unit that divides it. */
export function amountOf(limit: Reached['limit'], count: number): string {
  const span = (['hours', 'minutes'] as const).find((unit) => count > 0 && count % sizes[unit] === 0) ?? 'seconds'
  const unit = limit === 'time' ? span : limit === 'cost' ? 'money units' : limit
  return `${count / sizes[unit]} ${count === sizes[unit] ? unit.slice(0, -1) : unit}`
}

/** What to do about a limit that is reached: answer its question, or resume the run that it has stopped. */
export const limitAdvice = ({ limit, max }: Pick<Reached, 'limit' | 'max'>, asks: boolean): string =>
  asks
    ? `Approve to add ${max === 0 ? amountOf(limit, leastGrant) : 'as much again'}, or set it: approve({ limits: { ${limit} } }).`
    : `Raise limits.${limit} and resume the thread.`
