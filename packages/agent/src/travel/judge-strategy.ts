/** Judges whether a strategy may take the place of the one that threads were recorded with. */
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { ReplaySummary, ThreadReplay } from './sum-replays.ts'

/** What a strategy must keep to. Pins and last questions must be shown, and every thread must be replayed, whatever the rules are. */
export interface StrategyRules {
  /** By how many percent the requests of a thread may have more tokens than recorded; default 10. */
  readonly tokens?: number
  /** By how many percent the requests of a thread may cost more than recorded; a cost that is not known breaks it. Default: not judged. */
  readonly cost?: number
  /** How many entries a thread may lose that the record showed; default: any number. */
  readonly lost?: number
  /** Whether summaries may stand in for what a model would have written; default true. */
  readonly estimated?: boolean
}

/** Where a strategy breaks a rule. */
export interface StrategyViolation {
  /** The rule: an option of the rules, or `pin`, `question`, `failed`, or `empty` when no thread was replayed. */
  readonly rule: keyof StrategyRules | 'pin' | 'question' | 'failed' | 'empty'
  /** The thread; absent when there is none. */
  readonly thread?: string
  /** The first turn, where there is one. */
  readonly turn?: number
  /** What is wrong, with the values. */
  readonly message: string
}

/** What a judge says about a strategy. */
export interface StrategyVerdict {
  /** Whether there is no violation. */
  readonly isPassed: boolean
  /** Every violation, thread by thread. */
  readonly violations: readonly StrategyViolation[]
}

type Replayed = ThreadReplay & { readonly status: 'replayed' }

const percent = expected.finite(0)

/**
 * Judges a strategy by what replays of recorded threads found.
 *
 * @example
 * const { isPassed, violations } = judgeStrategy(await summarizeReplays(worker.replayAll({}, { with: { context } })), { tokens: 5 })
 */
export function judgeStrategy(summary: ReplaySummary, rules: StrategyRules = {}): StrategyVerdict {
  checkOptions('judgeStrategy', rules, { tokens: percent, cost: percent, lost: expected.whole(0), estimated: expected.flag })
  const found = summary.threads.flatMap((thread) => violationsOf(thread, rules))
  const none: StrategyViolation = { rule: 'empty', message: 'No thread was replayed: there is nothing to judge by.' }
  const violations = summary.threads.length === 0 ? [none] : found
  return { isPassed: violations.length === 0, violations }
}

function violationsOf(thread: ThreadReplay, rules: StrategyRules): readonly StrategyViolation[] {
  if (thread.status === 'failed') return [{ rule: 'failed', thread: thread.thread, message: `It could not be replayed: ${thread.error}` }]
  return [...essentialsOf(thread), ...sizesOf(thread, rules), ...lossesOf(thread, rules)]
}

function essentialsOf({ thread, essentials }: Replayed): readonly StrategyViolation[] {
  return essentials.map(({ kind, turn, seq, text, as, rule }) => {
    const what = kind === 'pin' ? 'A pinned entry' : 'The last question'
    return { rule: kind, thread, turn, message: `${what} is not shown: "${text}" of event ${seq} (${as}, rule "${rule}").` }
  })
}

function sizesOf({ thread, totals }: Replayed, { tokens = 10, cost }: StrategyRules): readonly StrategyViolation[] {
  const { recorded, replayed } = totals.tokens
  const found: StrategyViolation[] = []
  if (replayed > recorded * (1 + tokens / 100))
    found.push({ rule: 'tokens', thread, message: `Its requests have ${replayed} tokens instead of ${recorded}, and may have ${tokens} % more.` })
  if (cost === undefined) return found
  const { cost: paid, saved } = totals
  if (paid === undefined || saved.cost === undefined)
    found.push({ rule: 'cost', thread, message: `What its requests cost is not known, and they may cost ${cost} % more.` })
  else if (-saved.cost > (paid * cost) / 100)
    found.push({
      rule: 'cost',
      thread,
      message: `Its requests cost ${paid - saved.cost} micro-units instead of ${paid}, and may cost ${cost} % more.`,
    })
  return found
}

function lossesOf({ thread, totals, lost }: Replayed, { lost: most, estimated = true }: StrategyRules): readonly StrategyViolation[] {
  const found: StrategyViolation[] = []
  const [first] = lost.listed
  if (most !== undefined && lost.entries > most)
    found.push({
      rule: 'lost',
      thread,
      ...(first && { turn: first.turn }),
      message: `It loses ${lost.entries} entries (${lost.by.map(({ rule, entries }) => `${entries} by "${rule}"`).join(', ')}), and may lose ${most}.`,
    })
  if (!estimated && totals.summaries.estimated > 0)
    found.push({ rule: 'estimated', thread, message: `A model would have written ${totals.summaries.estimated} of its summaries.` })
  return found
}
