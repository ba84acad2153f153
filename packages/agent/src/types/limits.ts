/** The limits of a run, from an agent, a run, a hook or an answer. */
import { defaultLoop, type JsonObject, type Limits, type LoopLimits } from '@loom-agent/kernel'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { toJson } from '../platform/normalize.ts'
import { checkOptions } from '../platform/options.ts'

const loopWords = 'false, or how often: { warn, nudge, stop }'
const isLoop = (value: unknown): boolean =>
  value === false ||
  (expected.object.fits(value) && ['warn', 'nudge', 'stop'].every((key) => expected.whole(1).fits((value as LoopLimits)[key as 'stop'])))

/** What is computed from units of money, such as 0.09 * 1_000_000, may miss a whole number by what a number in memory cannot hold. */
const isAmount = (value: unknown): boolean => expected.finite(0).fits(value) && Math.abs(Number(value) - Math.round(Number(value))) < 1e-6

/** What limits must be. */
export const limitsShape: Shape & Record<keyof Limits, Expected> = {
  turns: expected.whole(0),
  tokens: expected.whole(0),
  // A fraction of a micro-unit is an amount in another unit.
  cost: { words: 'whole micro-units: 1_000_000 are one unit of money', fits: isAmount },
  unpriced: expected.oneOf('refuse', 'allow'),
  time: expected.finite(0),
  calls: expected.whole(0),
  children: expected.whole(0),
  depth: expected.whole(0),
  onReached: expected.oneOf('ask', 'stop'),
  loop: { words: loopWords, fits: isLoop },
}

/**
 * No default of the framework is without a bound.
 *
 * LIMIT-1. A model without a known price is refused where the run's record says so. Runs from before that was recorded keep the meaning that they had: such
 *          a model counts nothing.
 */
const defaultLimits = {
  turns: 50,
  calls: 10_000,
  children: 100,
  depth: 5,
  time: 24 * 60 * 60 * 1000,
  loop: defaultLoop,
  unpriced: 'refuse',
} as const satisfies Limits

/** Limits with every default filled in. Who asks for more turns than the default of calls means runs of that many calls. */
export function completeLimits(given: Limits = {}): Limits {
  return { ...defaultLimits, calls: Math.max(defaultLimits.calls, given.turns ?? 0), ...given }
}

/** Limits as they enter an event. JSON has no infinity: it becomes the largest safe integer. Throws what `agent()` would throw. */
export function toLimits(what: string, given: Limits): Limits & JsonObject {
  const entries = Object.entries(given ?? {}).map(([key, value]) => [key, value === Number.POSITIVE_INFINITY ? Number.MAX_SAFE_INTEGER : value])
  const limits = Object.fromEntries(entries) as Limits
  checkOptions(what, { limits: typeof given === 'object' ? limits : given }, { limits: expected.options(limitsShape) })
  return toJson(limits) as Limits & JsonObject
}
