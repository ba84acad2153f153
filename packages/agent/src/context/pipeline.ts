/** Strategies after each other. */
import { append, type ContextSummary, type Frame } from '@loom-agent/kernel'
import { callNamed } from '../platform/call-named.ts'
import { chain } from '../platform/chain.ts'
import { type Expected, expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { type ContextPlan, type ContextRequest, type ContextStrategy, expectedStrategy, strategyWords } from './strategy.ts'
import { wantedSegments } from './wanted-segments.ts'

const atLeastOne: Expected = { words: 'at least one strategy, or `everything`', fits: (value) => (value as readonly unknown[]).length > 0 }

/**
 * Asks strategies after each other: each sees the context as those before it left it, and what it wants of the history counts.
 *
 * @example
 * agent({ context: pipeline(compress(), reminders()) })
 */
export function pipeline(...strategies: readonly ContextStrategy[]): ContextStrategy {
  checkOptions('pipeline()', { strategies }, { strategies: atLeastOne })
  strategies.forEach((strategy, index) => {
    const place = `strategy ${index + 1}`
    checkOptions('pipeline()', { [place]: strategy }, { [place]: expected.required(expectedStrategy) })
  })
  const ask = (request: ContextRequest, plan: ContextPlan, index: number): ContextPlan | Promise<ContextPlan> => {
    const strategy = strategies[index]
    if (!strategy) return plan
    const seen: ContextRequest = index === 0 ? request : after(request, plan)
    return chain(
      callNamed(strategyWords(strategy), () => strategy.assemble(seen)),
      (next) => {
        checkOptions(`The context strategy "${strategy.name}"`, { plan: next }, { plan: expected.required(expected.object) })
        return ask(request, merge(plan, next), index + 1)
      },
    )
  }
  return { name: `pipeline(${strategies.map(({ name }) => name).join(', ')})`, assemble: (request) => ask(request, {}, 0) }
}

/** The request as the next strategy sees it. Its lazy fields stay lazy. */
function after(request: ContextRequest, plan: ContextPlan): ContextRequest {
  const frame = frameAfter(request.frame, plan)
  return Object.create(request, {
    frame: { value: frame },
    rebase: { value: plan.rebase?.reason ?? request.rebase },
  }) as ContextRequest
}

function frameAfter(frame: Frame, { rebase, compressed }: ContextPlan): Frame {
  const summaries = listOf(compressed).reduce((list, summary) => append(list, summary), frame.summaries)
  const segments = (rebase && wantedSegments(rebase, frame)) ?? frame.context.segments
  return { ...frame, summaries, compact: frame.compact && !rebase, context: { ...frame.context, segments } }
}

/** The summaries of a plan. */
const listOf = (compressed: ContextPlan['compressed']): readonly ContextSummary[] => (compressed === undefined ? [] : [compressed].flat())

/** What two plans after each other come to. */
function merge(one: ContextPlan, other: ContextPlan): ContextPlan {
  const rebase = other.rebase ? { ...one.rebase, ...other.rebase } : one.rebase
  const compressed = [...listOf(one.compressed), ...listOf(other.compressed)]
  const items = [...(one.items ?? []), ...(other.items ?? [])]
  const failed = other.compressionFailed ?? one.compressionFailed
  const retrieved = other.retrieved ?? one.retrieved
  return {
    ...(rebase && { rebase }),
    ...(compressed.length > 0 && { compressed }),
    ...(items.length > 0 && { items }),
    ...(failed && { compressionFailed: failed }),
    ...(retrieved && { retrieved }),
    ...((one.estimated || other.estimated) && { estimated: true }),
  }
}
