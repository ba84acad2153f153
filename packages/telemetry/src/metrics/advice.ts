/** Advice from figures: what is worth changing, and the figure that says so. */
import type { MetricsSummary } from './summary.ts'

/** One piece of advice. */
export interface Advice {
  /** Names the rule. */
  readonly rule: 'tokens' | 'tool-errors' | 'compression-good' | 'compression-poor' | 'errors' | 'parallel-none'
  /** Whether something is to be done, or all is well. */
  readonly kind: 'change' | 'fine'
  /** What was seen, with the figure, and what to do. */
  readonly text: string
}

/** From which figures on advice is given. */
export interface AdviceThresholds {
  /** Tokens in all; default 150,000. */
  readonly tokens?: number
  /** The part of calls that succeed; default 0.8. */
  readonly toolSuccess?: number
  /** Summaries up to this part of their originals are good; default 0.5. */
  readonly goodRatio?: number
  /** Summaries from this part of their originals on are poor; default 0.8. */
  readonly poorRatio?: number
  /** Errors over calls; default 0.1. */
  readonly errorRate?: number
}

const percent = (part: number): string => `${(part * 100).toFixed(1)} %`

/** What the figures suggest. The rules and their defaults are those of the original Python project. */
export function adviceFor(summary: MetricsSummary, thresholds: AdviceThresholds = {}): readonly Advice[] {
  const { tokens = 150_000, toolSuccess = 0.8, goodRatio = 0.5, poorRatio = 0.8, errorRate = 0.1 } = thresholds
  const { model, tools, compression, errors } = summary
  const advice: Advice[] = []
  const used = model.input + model.output
  if (used > tokens) {
    const text = `${used} tokens were used, more than ${tokens}. Compress earlier: give compress() a lower trigger, or the agent a smaller window.`
    advice.push({ rule: 'tokens', kind: 'change', text })
  }
  if (tools.successRate !== undefined && tools.successRate < toolSuccess) {
    const text = `${percent(tools.successRate)} of ${tools.calls} tool calls succeeded, less than ${percent(toolSuccess)}. Look at their schemas and at the errors that models read.`
    advice.push({ rule: 'tool-errors', kind: 'change', text })
  }
  // A ratio exists only where something was compressed.
  if (compression.meanRatio !== undefined && compression.meanRatio < goodRatio) {
    advice.push({
      rule: 'compression-good',
      kind: 'fine',
      text: `Summaries have ${percent(compression.meanRatio)} of the tokens of what they stand for.`,
    })
  } else if (compression.meanRatio !== undefined && compression.meanRatio > poorRatio) {
    const text = `Summaries have ${percent(compression.meanRatio)} of the tokens of what they stand for, more than ${percent(poorRatio)}. Use another prompt, model or strategy.`
    advice.push({ rule: 'compression-poor', kind: 'change', text })
  }
  if (errors.rate !== undefined && errors.rate > errorRate) {
    const [top] = Object.entries(errors.byKind).sort(([, a], [, b]) => b - a)
    const text = `${errors.total} errors in ${model.calls + tools.calls} calls are ${percent(errors.rate)}, more than ${percent(errorRate)}. The most frequent is ${top?.[0]} (${top?.[1]}).`
    advice.push({ rule: 'errors', kind: 'change', text })
  }
  if (tools.calls > 1 && tools.mostParallel <= 1) {
    const text = 'No two tool calls ran at once. Declare effect: "pure" or "read", or parallel: true, where calls do not disturb each other.'
    advice.push({ rule: 'parallel-none', kind: 'change', text })
  }
  return advice
}
