/** The gate for another strategy: what recorded threads would lose, and what their requests would take. */
import { type AnyReplayed, judgeStrategy, type ReplaySummary, type StrategyRules, type StrategyViolation, summarizeReplays } from '@loom-agent/agent'

/**
 * Throws when a strategy would break a rule on a thread: when a pinned entry or the last question is not shown, a thread cannot be replayed, or requests
 * have more tokens than they may. The message names every violation. Returns what the replays found.
 *
 * @example
 * await assertStrategy(worker.replayAll({}, { with: { context: window({ turns: 20 }) } }), { tokens: 5, lost: 0 })
 */
export async function assertStrategy(replays: AsyncIterable<AnyReplayed> | Iterable<AnyReplayed>, rules: StrategyRules = {}): Promise<ReplaySummary> {
  const summary = await summarizeReplays(replays)
  const { isPassed, violations } = judgeStrategy(summary, rules)
  if (isPassed) return summary
  throw new Error([`The strategy breaks rules (${violations.length}):`, ...violations.map(lineOf)].join('\n'))
}

function lineOf({ rule, thread, turn, message }: StrategyViolation): string {
  const place = [thread, turn === undefined ? undefined : `turn ${turn}`].filter((one) => one !== undefined).join(', ')
  return `  ${rule}${place === '' ? '' : ` (${place})`}: ${message}`
}
