/**
 * Budgets of model calls: what a call may take is reserved before it, and its reply settles it.
 *
 * A run may overshoot its budget by the one call that reaches it, so that small budgets end with an answer. A child may not: its siblings spend
 * from the same budget at the same time, and a call that would not fit is not made. A price that is not known is not guessed: whether such
 * a call is made at all is decided before (PRICE-1).
 */
import type { Draft, Frame, Run, Usage } from '@loom-agent/kernel'
import type { LanguageModelV4CallOptions } from '../language-model/index.ts'
import { boundedOutput, fewestTokens, leftOf, usedOf, usualTokens } from './budget.ts'
import { estimateTokens, type Weighed } from './estimate.ts'
import { amountOf, limitAdvice, limitReason } from './limit-words.ts'

/** What reserving needs. */
export interface Reservation {
  readonly frame: Frame
  readonly run: Run
  /** In integer micro-units; undefined when it is not known. */
  readonly price: (usage: Usage) => number | undefined
  /** The prompt that rendered the messages; undefined when a hook has changed them since. */
  readonly rendered: Weighed | undefined
}

/** A request within its budget and what it reserves, or the event that is recorded instead. */
export type Reserved =
  | { readonly request: LanguageModelV4CallOptions; readonly reserved?: { readonly tokens: number; readonly cost?: number } }
  | { readonly refusal: Draft }

/** Reserves what a request may take. A run without a budget reserves nothing. */
export function reserve({ frame, run, price, rendered }: Reservation, request: LanguageModelV4CallOptions): Reserved {
  const left = leftOf(run)
  if (left.tokens === undefined && left.cost === undefined) return { request }
  const input = estimateTokens(request, rendered)
  const isChild = frame.parent !== undefined
  const lacking = isChild ? lackOf(left, { input, least: price({ input, output: fewestTokens }) }) : undefined
  if (lacking) return { refusal: refusalOf(frame, run, lacking) }
  const room = isChild && left.tokens !== undefined ? left.tokens - input : undefined
  const asked = boundedOutput(request.maxOutputTokens, [room])
  const affordable = left.cost === undefined ? undefined : outputFor(left.cost, (output) => price({ input, output }))
  const most = boundedOutput(asked, [affordable])
  const output = asked ?? usualTokens
  // A budget that is smaller than one call cannot hold it: losing the call would use it up before there is a reply.
  const held = input + output <= (left.tokens ?? Number.POSITIVE_INFINITY) ? input : 0
  const cost = left.cost === undefined ? undefined : price({ input: held, output: most ?? output })
  return {
    request: most === undefined ? request : { ...request, maxOutputTokens: most },
    reserved: { tokens: held + output, ...(cost !== undefined && { cost: Math.min(cost, left.cost ?? cost) }) },
  }
}

interface Lack {
  readonly limit: 'tokens' | 'cost'
  /** What the smallest answer takes; undefined when its price is not known. */
  readonly need: number | undefined
  readonly left: number
}

/** The limit that is reached, or does not allow even the smallest answer. */
function lackOf({ tokens, cost }: ReturnType<typeof leftOf>, { input, least }: { input: number; least: number | undefined }): Lack | undefined {
  const need = input + fewestTokens
  if (tokens !== undefined && need > tokens) return { limit: 'tokens', need, left: tokens }
  if (cost !== undefined && (cost === 0 || (least ?? 0) > cost)) return { limit: 'cost', need: least, left: cost }
  return undefined
}

/** The longest answer that a sum pays for; undefined when it pays for any usual one, or when the price is not known. */
function outputFor(sum: number, price: (output: number) => number | undefined): number | undefined {
  const isPaid = (output: number): boolean => (price(output) ?? 0) <= sum
  if (isPaid(usualTokens)) return undefined
  let [low, high] = [0, usualTokens]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (isPaid(middle)) low = middle
    else high = middle
  }
  return low
}

/** The same as for a limit that is reached: a question, or the end where questions are not asked. */
function refusalOf(frame: Frame, run: Run, lack: Lack): Draft {
  const { limit, need, left } = lack
  const reached = { limit, used: usedOf(run, limit), max: run.limits[limit] ?? 0 }
  const asks = run.limits.onReached !== 'stop' && run.request.unattended !== 'deny'
  const reason = left === 0 || need === undefined ? limitReason(reached, asks) : lackReason(lack, reached.max, asks)
  if (!asks) return { type: 'run.stopped', data: { kind: 'budget', reason, ...reached } }
  const show = { ...(need !== undefined && { needed: need }), left }
  return { type: 'question.asked', data: { id: `run:limit#${frame.asked + 1}`, kind: 'limit', prompt: reason, show, key: limit } }
}

function lackReason({ limit, need = 0, left }: Lack, max: number, asks: boolean): string {
  const what = `The next call of the model may take ${amountOf(limit, need)}, more than the ${amountOf(limit, left)} left of the limit of ${amountOf(limit, max)}.`
  return `${what} ${limitAdvice({ limit, max }, asks)}`
}
