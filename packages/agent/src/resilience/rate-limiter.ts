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

/** A call that has started. Its tokens may be corrected when they are known. */
export interface StartedCall {
  readonly time: number
  tokens: number
}

/** Lets calls start. */
export interface RateLimiter {
  /** Resolves when a call with so many tokens may start. */
  enter(tokens: number, signal: AbortSignal | undefined): Promise<StartedCall>
}

const minute = 60_000

/** A limiter without calls. */
export function createRateLimiter(limits: RateLimits): RateLimiter {
  const { rpm = Number.POSITIVE_INFINITY, tpm = Number.POSITIVE_INFINITY, maxWait = Number.POSITIVE_INFINITY, clock } = limits
  const queue = createWaitQueue<number, StartedCall>()
  let started: StartedCall[] = []
  let cancelAlarm: (() => void) | undefined

  /** The first moment from `now` on at which a call with so many tokens may start after these calls, which are in order. */
  const startAfter = (calls: readonly StartedCall[], now: number, tokens: number): number => {
    const counting = calls.filter(({ time }) => time > now - minute)
    let left = counting.reduce((sum, call) => sum + call.tokens, 0)
    for (const [index, { time, tokens: freed }] of [{ time: now - minute, tokens: 0 }, ...counting].entries()) {
      left -= freed
      if (counting.length - index < rpm && (left + tokens <= tpm || index === counting.length)) return Math.max(now, time + minute)
    }
    return now
  }

  /** How long a new call would wait, behind all that wait already. */
  const waitFor = (tokens: number): number => {
    const calls = [...started]
    let time = clock.now()
    for (const request of [...queue.requests(), tokens]) {
      time = startAfter(calls, time, request)
      calls.push({ time, tokens: request })
    }
    return time - clock.now()
  }

  /** Starts the calls that may start, and sets an alarm for the next one. */
  const startCalls = (): void => {
    cancelAlarm?.()
    cancelAlarm = undefined
    const now = clock.now()
    started = started.filter(({ time }) => time > now - minute)
    for (const tokens of queue.requests()) {
      const time = startAfter(started, now, tokens)
      if (time > now) {
        cancelAlarm = clock.at(time, startCalls)
        return
      }
      const call = { time, tokens }
      started.push(call)
      queue.next(call)
    }
  }

  return {
    async enter(tokens, signal) {
      const wait = maxWait === Number.POSITIVE_INFINITY ? 0 : waitFor(tokens)
      if (wait > maxWait) throw limited({ rpm, tpm }, wait)
      const start = queue.wait(tokens, signal)
      startCalls()
      return start.catch((error: unknown) => {
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
