/**
 * The limit on calls and tokens a minute: of the `rateLimit` hook, and of models that are throttled.
 *
 * RATE-1. In any sixty seconds at most `rpm` calls start, with at most `tpm` tokens. A call with more tokens starts when no other call counts.
 * RATE-2. Calls start in their order. An aborted one leaves the queue, and those behind it move up.
 */
import { type Clock, LoomError } from '@loom-agent/kernel'
import { createWaitQueue } from './wait-queue.ts'

/** The limits. */
export interface RateLimits {
  readonly rpm?: number | undefined
  readonly tpm?: number | undefined
  /** Milliseconds that a call may wait; a call that would wait longer fails at once. */
  readonly maxWait?: number | undefined
  readonly clock: Clock
}

/** A call: when it started, or would start as far as is known while it waits. Its tokens may be corrected when they are known. */
export interface LimitedCall {
  time: number
  tokens: number
}

/** Lets calls start. */
export interface RateLimiter {
  /** Resolves when a call with so many tokens may start. */
  enter(tokens: number, signal: AbortSignal | undefined): Promise<LimitedCall>
}

const minute = 60_000

/** A limiter without calls. */
export function createRateLimiter(limits: RateLimits): RateLimiter {
  const { rpm = Number.POSITIVE_INFINITY, tpm = Number.POSITIVE_INFINITY, maxWait = Number.POSITIVE_INFINITY, clock } = limits
  const isBounded = Number.isFinite(maxWait)
  const queue = createWaitQueue<LimitedCall, LimitedCall>()
  let started: LimitedCall[] = []
  let cancelAlarm: (() => void) | undefined

  /** The first moment at which a call with so many tokens may start behind these calls, which are in order. */
  const startBehind = (calls: readonly LimitedCall[], tokens: number): number => {
    const now = Math.max(clock.now(), calls.at(-1)?.time ?? 0)
    const counting = calls.slice(calls.findLastIndex(({ time }) => time <= now - minute) + 1)
    let left = counting.reduce((sum, call) => sum + call.tokens, 0)
    for (const [index, { time, tokens: freed }] of [{ time: now - minute, tokens: 0 }, ...counting].entries()) {
      left -= freed
      if (counting.length - index < rpm && (left + tokens <= tpm || index === counting.length)) return Math.max(now, time + minute)
    }
    return now
  }

  /** Starts the calls that may start, and sets an alarm for the next one. */
  const startCalls = (): void => {
    cancelAlarm?.()
    cancelAlarm = undefined
    const now = clock.now()
    started = started.filter(({ time }) => time > now - minute)
    for (let call = queue.first(); call; call = queue.first()) {
      call.time = startBehind(started, call.tokens)
      if (call.time > now) {
        cancelAlarm = clock.at(call.time, startCalls)
        return
      }
      started.push(call)
      queue.next(call)
    }
  }

  /** Those behind an aborted call move up. */
  const moveUp = (): void => {
    const calls = [...started]
    for (const call of queue.requests()) {
      call.time = startBehind(calls, call.tokens)
      calls.push(call)
    }
  }

  return {
    async enter(tokens, signal) {
      const call = { tokens, time: clock.now() }
      // When a waiting call will start matters only to a limit on waiting: else a long queue would be looked through with every call.
      if (isBounded) {
        call.time = startBehind([...started, ...queue.requests()], tokens)
        const wait = call.time - clock.now()
        if (wait > maxWait) throw limited({ rpm, tpm }, wait)
      }
      const start = queue.wait(call, signal)
      startCalls()
      return start.catch((error: unknown) => {
        if (isBounded) moveUp()
        startCalls()
        throw error
      })
    },
  }
}

function limited({ rpm, tpm }: { readonly rpm: number; readonly tpm: number }, wait: number): LoomError {
  const limits = [...(Number.isFinite(rpm) ? [`${rpm} requests`] : []), ...(Number.isFinite(tpm) ? [`${tpm} tokens`] : [])]
  const message = `The limit of ${limits.join(' and ')} a minute is used up for ${wait} ms. Try again later, or raise the limit.`
  return new LoomError('LOOM_RATE_LIMITED', message, { context: { retryAfterMs: wait } })
}
