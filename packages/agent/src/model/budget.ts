/** What a run may still spend, and how long an answer may be for it. */
import type { Run } from '@loom-agent/kernel'

/** Fewer tokens than this are no answer that a vendor would begin: asking for them is refused. */
export const fewestTokens = 16

/** What is left of the budgets of a run; undefined where there is none. What attempts took that never ended counts as spent. */
export function leftOf({ limits, usage, lost, cost }: Run): { readonly tokens: number | undefined; readonly cost: number | undefined } {
  return {
    tokens: limits.tokens === undefined ? undefined : Math.max(0, limits.tokens - usage.input - usage.output - lost.tokens),
    cost: limits.cost === undefined ? undefined : Math.max(0, limits.cost - cost - lost.cost),
  }
}

/** Without a setting an answer is taken to have at most so many tokens; not every model lets itself be asked for more. */
export const usualTokens = 16_384

/** The most tokens that an answer may have; undefined when nothing limits it. A bound of nobody's choice that a model might refuse is not said. */
export function boundedOutput(setting: number | undefined, bounds: readonly (number | undefined)[]): number | undefined {
  const known = bounds.filter((bound) => bound !== undefined)
  const bound = Math.max(fewestTokens, Math.min(...known))
  return setting === undefined && bound > usualTokens ? undefined : Math.min(setting ?? bound, bound)
}
