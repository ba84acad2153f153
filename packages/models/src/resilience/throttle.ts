/** A limit on the calls and tokens of models a minute. */
import { systemClock } from '@loom-agent/agent'
import { checkOptions, createRateLimiter, expected, type Shape } from '@loom-agent/agent/kit'
import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4Usage } from '@loom-agent/agent/language-model'
import type { Clock } from '@loom-agent/kernel'
import { gateModel, type Wrapper } from '../call/wrapper.ts'

/** The limits of a vendor. */
export interface ThrottleOptions {
  /** Requests a minute; default: no limit. */
  readonly rpm?: number
  /** Tokens a minute, of requests and replies: estimated when a call starts, corrected by what the vendor counted; default: no limit. */
  readonly tpm?: number
  /** Milliseconds that a call may wait; default: no limit. A call that would wait longer fails with `LOOM_RATE_LIMITED` at once. */
  readonly maxWait?: number
  /** The clock; default: the clock of the platform. */
  readonly clock?: Clock
}

const shape: Shape = { rpm: expected.number(1), tpm: expected.number(1), maxWait: expected.number(0), clock: expected.clock }

/**
 * Makes calls wait until the vendor would accept them: first come first served, and an abort ends the wait.
 *
 * All models that the wrapper is given share the limit, as all models of an account do.
 *
 * @example
 * const limit = throttle({ rpm: 60, tpm: 100_000 })
 */
export function throttle(options: ThrottleOptions): Wrapper {
  checkOptions('throttle', options, shape)
  const limiter = createRateLimiter({ clock: systemClock, ...options })
  return (model) =>
    gateModel(model, async (call) => {
      const started = await limiter.enter(options.tpm === undefined ? 0 : estimate(call), call.abortSignal)
      return (ending) => {
        if (ending.kind === 'finished') started.tokens = countOf(ending.usage) ?? started.tokens
      }
    })
}

const countOf = ({ inputTokens, outputTokens }: LanguageModelV4Usage): number | undefined =>
  inputTokens.total === undefined && outputTokens.total === undefined ? undefined : (inputTokens.total ?? 0) + (outputTokens.total ?? 0)

/** Characters that make about one token. */
const charactersPerToken = 4
const lengths = new WeakMap<LanguageModelV4Message, number>()

/** About how many tokens a call takes. Messages are measured once: the agent passes the same objects again. */
function estimate({ prompt, maxOutputTokens = 0 }: LanguageModelV4CallOptions): number {
  const characters = prompt.reduce((sum, message) => {
    const known = lengths.get(message) ?? JSON.stringify(message.content).length
    lengths.set(message, known)
    return sum + known
  }, 0)
  return Math.ceil(characters / charactersPerToken) + maxOutputTokens
}
