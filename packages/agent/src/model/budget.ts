/** What a run may still spend, and how long an answer may be for it. */
import type { Run } from '@loom-agent/kernel'

/** Vendors refuse requests for fewer output tokens than this. */
export const fewestTokens = 16

/** What a run has used of a budget. What lost attempts had reserved counts as used. */
export const usedOf = ({ usage, cost, lost }: Run, budget: 'tokens' | 'cost'): number =>
  budget === 'tokens' ? usage.input + usage.output + lost.tokens : cost + lost.cost

/** What is left of the budgets of a run; undefined where there is none. */
export function leftOf(run: Run): { readonly tokens: number | undefined; readonly cost: number | undefined } {
  const { tokens, cost } = run.limits
  return {
    tokens: tokens === undefined ? undefined : Math.max(0, tokens - usedOf(run, 'tokens')),
    cost: cost === undefined ? undefined : Math.max(0, cost - usedOf(run, 'cost')),
  }
}

/** Whether anything limits what a run spends. */
export function isBudgeted({ limits }: Run): boolean {
  return limits.tokens !== undefined || limits.cost !== undefined
}

/** The most output tokens that are assumed without a setting; not every model accepts a higher bound. */
export const usualTokens = 16_384

/** The most tokens that an answer may have; undefined when nothing limits it. A bound that no setting asks for, and that a model might refuse, is not sent. */
export function boundedOutput(setting: number | undefined, bounds: readonly (number | undefined)[]): number | undefined {
  const known = bounds.filter((bound) => bound !== undefined)
  const bound = Math.max(fewestTokens, Math.min(...known))
  return setting === undefined && bound > usualTokens ? undefined : Math.min(setting ?? bound, bound)
}
