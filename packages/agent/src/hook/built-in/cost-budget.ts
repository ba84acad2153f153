/** A budget for each run. */
import { type Limits, LoomError } from '@loom-agent/kernel'
import { expected } from '../../platform/expected.ts'
import { checkOptions } from '../../platform/options.ts'
import { limitsShape } from '../../types/limits.ts'
import type { Hook } from '../hook.ts'

/** What a run may spend. */
export interface CostBudgetOptions {
  /** Integer micro-units, as `ports.price` counts them. A model without a known price is refused, unless the run's `limits.unpriced` allows it. */
  readonly cost?: number
  /** Tokens in and out. */
  readonly tokens?: number
  /** What reaching the budget does: end the run with what there is, or ask whether to go on. */
  readonly onReached: 'stop' | 'ask'
}

/**
 * Gives each run a budget, as limits that are journaled with it. A stricter limit of the run stays; one that is raised later is not lowered again.
 *
 * @example
 * agent({ model, hooks: [costBudget({ tokens: 50_000, onReached: 'ask' })] })
 */
export function costBudget(options: CostBudgetOptions): Hook {
  const onReachedShape = expected.required(expected.oneOf('stop', 'ask'))
  checkOptions('costBudget', options, { cost: limitsShape.cost, tokens: limitsShape.tokens, onReached: onReachedShape })
  const { cost, tokens, onReached } = options
  if (cost === undefined && tokens === undefined)
    throw new LoomError('LOOM_OPTION_INVALID', 'costBudget: there is nothing to keep to. Give cost, tokens or both.')
  return {
    name: 'costBudget',
    beforeIterationStart({ turn, frame: { run } }) {
      if (!run || turn !== run.firstTurn) return undefined
      const limits = {
        ...(isStricter(cost, run.limits.cost) && { cost }),
        ...(isStricter(tokens, run.limits.tokens) && { tokens }),
      } satisfies Limits
      return Object.keys(limits).length > 0 ? { limits: { ...limits, onReached } } : undefined
    },
  }
}

const isStricter = (own: number | undefined, given = Number.POSITIVE_INFINITY): own is number => own !== undefined && own < given
