/**
 * The strategy that keeps a conversation within the window of its model: near the limit, what is old becomes a summary.
 *
 * COMPRESS-1. It looks at two numbers a turn; the rest is loaded and done when the trigger is reached, or when somebody asks for it.
 */
import { checkModel } from '../model/model.ts'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { budgetOf } from './budget.ts'
import type { CompleteCompressOptions, CompressOptions } from './compress-options.ts'
import { type ContextPlan, type ContextRequest, type ContextStrategy, extend } from './strategy.ts'

/** Compresses early and far: for windows that are small, or dear. */
export const aggressive: CompressOptions = { trigger: 0.8, warn: 0.7, target: 0.5, perSection: 256 }

const defaults = { trigger: 0.92, warn: 0.8, target: 0.75, perSection: 512 }

/** The share of a trigger that is aimed at, where only the trigger is given and is low. */
const belowTrigger = 0.85

const share = expected.number(0.05, 1)
const zoneShare = expected.number(0, 1)
const isCounts = (value: unknown): boolean => expected.object.fits(value) && Object.values(value as object).every(expected.whole(0).fits)

/**
 * Keeps a conversation within the window of its model. Without a window that is known, and without `max`, it compresses when somebody asks for
 * it, and after a request that was too long.
 *
 * @example
 * agent({ model: 'openai/gpt-5.4', context: compress({ model: 'openai/gpt-5.4-mini' }) })
 */
export function compress(given: CompressOptions = {}): ContextStrategy {
  checkOptions('compress()', given, {
    trigger: share,
    warn: share,
    target: share,
    perSection: expected.whole(16),
    max: expected.whole(1),
    reserve: expected.whole(0),
    ephemeral: { words: 'numbers of results by the names of tools, such as { read_file: 3 }', fits: isCounts },
    shares: expected.options({ skills: zoneShare, memory: zoneShare, reminders: zoneShare, history: share }),
    model: expected.anything,
  })
  if (given.model !== undefined) checkModel(given.model)
  const { trigger = defaults.trigger, target = Math.min(defaults.target, trigger * belowTrigger) } = given
  const belowIt = { words: `a number below the trigger, which is ${trigger}`, fits: (value: unknown): boolean => Number(value) < trigger }
  checkOptions('compress()', { target }, { target: belowIt })
  const options: CompleteCompressOptions = { ...defaults, ...given, target }
  return { name: 'compress', assemble: (request) => assembleCompressed(request, options) }
}

function assembleCompressed(request: ContextRequest, options: CompleteCompressOptions): ContextPlan | Promise<ContextPlan> {
  const { frame, rebase, model, tokens } = request
  const isAsked = frame.compact || rebase === 'overflow'
  // Who asks for room gets it also where nobody knows how much there is: what is shown now is the measure.
  const max = budgetOf(model, options) ?? (isAsked ? tokens.shown() : undefined)
  if (max === undefined) return extend
  const share = isAsked ? 1 : tokens.shown() / max
  if (!isAsked && share < (rebase === undefined ? options.trigger : options.warn)) {
    const { shares } = options
    return shares && rebase !== undefined ? import('./zones.ts').then(({ planZones }) => planZones(request, shares, max)) : extend
  }
  return import('./plan-compression.ts').then(({ planCompression }) => planCompression(request, options, max))
}
