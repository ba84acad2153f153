/**
 * What is to be done with the due times that have come: a pure decision.
 *
 * DUE-4. A due time is decided about once: the decision names the due times that start a run, and covers every other one up to now.
 * DUE-5. A due time is missed when it is further back than the grace time. Others are started, whatever is done with those that were missed.
 */
import type { DueTimes } from './due-times.ts'

/** What happens to due times that were missed, because nobody was there to start them: none of them is made up for, the last one, or all. */
export type Missed = 'skip' | 'once' | 'all'

/** How due times are decided about. */
export interface DuePolicy {
  readonly missed: Missed
  /** With `all`: how many of those that were missed are started at most, the latest ones. */
  readonly most: number
  /** Milliseconds after which a due time counts as missed. */
  readonly grace: number
}

/** What was decided. */
export interface DuePlan {
  /** The due times that start a run, the oldest first. */
  readonly starts: readonly number[]
  /** The first and the last of the due times that start none. */
  readonly skipped?: { readonly from: number; readonly to: number }
  /** The next due time; undefined when there is none any more. */
  readonly next: number | undefined
}

/** Due times that are started at once though they were not missed: of a schedule for every second, those of the grace time. */
const mostOnTime = 1000

const mostOf = { skip: () => 0, once: () => 1, all: ({ most }: DuePolicy) => most }

/** Decides about the due times after the last one that was decided about, up to now. Undefined when none has come. */
export function planDue(times: DueTimes, policy: DuePolicy, { after, now }: { readonly after: number; readonly now: number }): DuePlan | undefined {
  const first = times.next(after)
  if (first === undefined || first > now) return undefined
  const since = Math.max(after, now - policy.grace)
  const onTime = times.latest({ after: since, to: now, most: mostOnTime })
  const most = mostOf[policy.missed](policy)
  const made = most > 0 ? times.latest({ after, to: since, most }) : []
  const to = lastSkipped(times, { first, since, made, onTime })
  return { starts: [...made, ...onTime], ...(to !== undefined && { skipped: { from: first, to } }), next: times.next(now) }
}

/** The last due time that starts nothing; undefined when every one starts a run. */
function lastSkipped(
  times: DueTimes,
  { first, since, made, onTime }: { readonly first: number; readonly since: number } & Readonly<Record<'made' | 'onTime', readonly number[]>>,
): number | undefined {
  const [started] = made.length > 0 ? made : onTime
  if (started === first) return undefined
  const to = made.length > 0 ? (started ?? since) - 1 : since
  return times.latest({ after: first - 1, to, most: 1 })[0]
}
