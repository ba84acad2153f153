/** A limit on calls and tokens a minute. */
import { systemClock } from '@loom-agent/agent'
import { checkNumbers, checkOptions } from '@loom-agent/agent/kit'
import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4Usage } from '@loom-agent/agent/language-model'
import { type Clock, LoomError } from '@loom-agent/kernel'
import { gateModel, type Wrapper } from '../call/wrapper.ts'
import { createWaitQueue } from './wait-queue.ts'

/** The limits of a vendor. */
export interface RateLimitOptions {
  /** Requests a minute; default: no limit. */
  readonly rpm?: number
  /** Tokens a minute, of requests and replies: estimated when a call starts, corrected by what the vendor counted; default: no limit. */
  readonly tpm?: number
  /** Milliseconds that a call may wait; default: no limit. A call that would wait longer fails with `LOOM_RATE_LIMITED` at once. */
  readonly maxWait?: number
  /** The clock; default: the clock of the platform. */
  readonly clock?: Clock
}

const minute = 60_000
const optionKeys = ['rpm', 'tpm', 'maxWait', 'clock']

/** One call in the last minute. */
interface Spent {
  readonly time: number
  tokens: number
}

/**
 * Makes calls wait until the vendor would accept them: first come first served, and an abort ends the wait.
 *
 * All models that the wrapper is given share the limit, as all models of an account do.
 *
 * @example
 * const limit = rateLimit({ rpm: 60, tpm: 100_000 })
 */
export function rateLimit(options: RateLimitOptions): Wrapper {
  checkOptions('rateLimit', options, optionKeys)
  checkNumbers('rateLimit', options, { rpm: { min: 1 }, tpm: { min: 1 }, maxWait: { min: 0 } })
  const limiter = createLimiter(options)
  return (model) =>
    gateModel(model, async (call) => {
      const spent = await limiter.enter(options.tpm === undefined ? 0 : estimate(call), call.abortSignal)
      return (ending) => {
        if (ending.kind === 'finished') spent.tokens = countOf(ending.usage) ?? spent.tokens
      }
    })
}

interface Limiter {
  enter(tokens: number, signal: AbortSignal | undefined): Promise<Spent>
}

function createLimiter({ rpm = Number.POSITIVE_INFINITY, tpm = Number.POSITIVE_INFINITY, maxWait, clock = systemClock }: RateLimitOptions): Limiter {
  let recent: Spent[] = []
  const queue = createWaitQueue()
  /** Whether a call waits at the head of the queue. */
  let hasHead = false

  /** When a call with this many tokens may start. A call that is bigger than the limit may start when no other call counts any more. */
  const timeFor = (tokens: number): number => {
    const now = clock.now()
    recent = recent.filter(({ time }) => time > now - minute)
    let left = recent.reduce((sum, spent) => sum + spent.tokens, 0)
    for (const [index, { time, tokens: freed }] of [{ time: now - minute, tokens: 0 }, ...recent].entries()) {
      left -= freed
      if (recent.length - index < rpm && (left + tokens <= tpm || index === recent.length)) return Math.max(now, time + minute)
    }
    return now
  }

  const refuse = (wait: number): never => {
    const reason = `The limit of ${describe({ rpm, tpm })} is used up for ${wait} ms.`
    throw new LoomError('LOOM_RATE_LIMITED', `${reason} Try again later, or raise the limit.`, { context: { retryAfterMs: wait } })
  }

  /** Waits at the head of the queue until the call may start. */
  const waitAtHead = async (tokens: number, signal: AbortSignal | undefined): Promise<Spent> => {
    const alarm = createWaitQueue()
    for (let time = timeFor(tokens); time > clock.now(); time = timeFor(tokens)) {
      if (maxWait !== undefined && time - clock.now() > maxWait) refuse(time - clock.now())
      const cancel = clock.at(time, () => alarm.next())
      await alarm.wait(signal).finally(cancel)
    }
    const spent = { time: clock.now(), tokens }
    recent.push(spent)
    return spent
  }

  return {
    async enter(tokens, signal) {
      const wait = timeFor(tokens) - clock.now()
      if (maxWait !== undefined && wait > maxWait) refuse(wait)
      if (hasHead) await queue.wait(signal)
      hasHead = true
      try {
        return await waitAtHead(tokens, signal)
      } finally {
        // The next call becomes the head at once, so that no new call overtakes it.
        hasHead = queue.length > 0
        queue.next()
      }
    },
  }
}

const describe = ({ rpm, tpm }: { rpm: number; tpm: number }): string =>
  [...(Number.isFinite(rpm) ? [`${rpm} requests`] : []), ...(Number.isFinite(tpm) ? [`${tpm} tokens`] : [])].join(' and ').concat(' a minute')

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
