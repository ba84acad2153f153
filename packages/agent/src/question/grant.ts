/**
 * Approvals of a question about a limit.
 *
 * GRANT-1. An approval moves the run on. A budget that it names must be more than what is used and what the next call needs: the run would ask the same
 *     again. One that it does not name is raised until it is. Every question about a budget of a child says what its next call needs, if that is known.
 */
import { type Answer, type Draft, type JsonObject, type Limits, leastGrant, type OpenQuestion, type Run } from '@loom-agent/kernel'
import { usedOf } from '../model/budget.ts'
import { amountOf } from '../model/limit-words.ts'

type Budget = 'tokens' | 'cost'

const budgets: readonly Budget[] = ['tokens', 'cost']

/** An approval of a question about a limit: why it cannot be used, or what is appended with it. */
export function grantOf(run: Run, question: OpenQuestion, { limits = {} }: Extract<Answer, { kind: 'approve' }>): string | readonly Draft[] {
  for (const budget of budgets) {
    const given = limits[budget]
    if (given !== undefined && !suffices(run, question, { budget, given })) return tooLittle(run, question, { budget, given })
  }
  const reached = budgets.find((budget) => budget === question.key)
  if (reached === undefined || limits[reached] !== undefined) return []
  const grant = grantIn(run.request.limits, reached)
  const isEnough = suffices(run, question, { budget: reached, given: (run.limits[reached] ?? 0) + grant })
  return isEnough ? [] : [{ type: 'limit.raised', data: { limits: { [reached]: leastFor(run, question, reached) + grant } } }]
}

/** What `approve()` adds: as much again as the run was started with, or a first amount where that was nothing. */
const grantIn = (limits: Limits, budget: Budget): number => limits[budget] || leastGrant

/** A budget as an approval sets it. */
interface Given {
  readonly budget: Budget
  readonly given: number
}

function suffices(run: Run, question: OpenQuestion, { budget, given }: Given): boolean {
  const isMore = question.key !== budget || given > (run.limits[budget] ?? 0)
  return isMore && given > usedOf(run, budget) && given >= leastFor(run, question, budget)
}

/** What is used, and what the next call needs where the question says so. */
function leastFor(run: Run, { key, show }: OpenQuestion, budget: Budget): number {
  const needed = key === budget ? (show as JsonObject | undefined)?.['needed'] : undefined
  return usedOf(run, budget) + (typeof needed === 'number' ? needed : 0)
}

function tooLittle(run: Run, question: OpenQuestion, { budget, given }: Given): string {
  const used = usedOf(run, budget)
  const least = leastFor(run, question, budget)
  const needed = least > used ? `, and the next call of the model may take ${amountOf(budget, least - used)}` : ''
  const enough = Math.max(least, run.limits[budget] ?? 0) + grantIn(run.request.limits, budget)
  return `A limit of ${amountOf(budget, given)} is too low to go on: ${amountOf(budget, used)} used${needed}. Give more, such as approve({ limits: { ${budget}: ${enough} } }).`
}
