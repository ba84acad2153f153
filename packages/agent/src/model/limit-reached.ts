/** What is recorded of a limit that a run has reached, in words for people. */
import { type Draft, type Frame, leastGrant, type Reached } from '@loom-agent/kernel'

/** A limit, what is used of it, and whether the run asks whether to go on. */
export type LimitReached = Reached & { readonly asks: boolean }

/** The question whether a run goes on, or its end. */
export function limitReached(frame: Frame, reached: LimitReached): Draft {
  const { limit, used, max } = reached
  const isUngranted = isBudget(limit) && frame.run?.ungranted !== undefined
  const reason = isUngranted
    ? `This fork was made without limits and may spend nothing yet (used before the cut: ${amountOf(limit, used)}). Grant what the whole run may use, such as approve({ limits: { ${limit}: ${used + 100_000} } }); approve() alone grants the limits that its run had.`
    : `The limit of ${amountOf(limit, max)} is reached (${amountOf(limit, used)} used). ${limitAdvice(reached)}`
  return limitDraft(frame, reached, { reason, key: isUngranted ? 'budget' : limit })
}

/** The same with another reason; `key` is what an approval raises. */
export function limitDraft({ asked }: Frame, reached: LimitReached, { reason, key }: { readonly reason: string; readonly key: string }): Draft {
  const { limit, used, max, asks } = reached
  if (asks) return { type: 'question.asked', data: { id: `run:limit#${asked + 1}`, kind: 'limit', prompt: reason, key } }
  return { type: 'run.stopped', data: { kind: isBudget(limit) ? 'budget' : 'limit', reason, limit, used, max } }
}

const isBudget = (limit: Reached['limit']): boolean => limit === 'tokens' || limit === 'cost'

const sizes = { turns: 1, tokens: 1, 'money units': 1_000_000, hours: 3_600_000, minutes: 60_000, seconds: 1000 }

/** An amount of what a limit counts, in words. Time is in the largest unit that divides it. */
export function amountOf(limit: Reached['limit'], count: number): string {
  const span = (['hours', 'minutes'] as const).find((unit) => count > 0 && count % sizes[unit] === 0) ?? 'seconds'
  const unit = limit === 'time' ? span : limit === 'cost' ? 'money units' : limit
  return `${count / sizes[unit]} ${count === sizes[unit] ? unit.slice(0, -1) : unit}`
}

/** What to do about a limit that is reached: answer its question, or resume the run that it has stopped. */
export const limitAdvice = ({ limit, max, asks }: Omit<LimitReached, 'used'>): string =>
  asks
    ? `Approve to add ${max === 0 ? amountOf(limit, leastGrant) : 'as much again'}, or set it: approve({ limits: { ${limit} } }).`
    : `Raise limits.${limit} and resume the thread.`
