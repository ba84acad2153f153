/**
 * A limit on model calls per minute.
 *
 * RATE-1. In any sixty seconds at most `perMinute` calls begin, over all runs that share the hook: each call takes the first moment that keeps this.
 * RATE-2. An aborted wait gives its moment back; later waits keep theirs, so RATE-1 holds and none of them has to be woken.
 */
import { type Clock, LoomError } from '@loom-agent/kernel'
import { checkOptions } from '../../platform/options.ts'
import { systemClock } from '../../platform/ports.ts'
import { checkNumbers } from '../../resilience/number-option.ts'
import { sleepUntil } from '../../resilience/sleep.ts'
import type { Hook } from '../hook.ts'

/** How many calls, and how long to wait. */
export interface RateLimitOptions {
  /** Model calls that may begin in any sixty seconds. */
  readonly perMinute: number
  /** Milliseconds that a call may have to wait; default 600,000. A longer wait fails the run at once; it can be resumed. */
  readonly maxWait?: number
  /** Replaces the platform's clock. */
  readonly clock?: Clock
}

const minute = 60_000

/**
 * Lets a turn wait before its model call until the rate allows it. A stop ends the wait.
 *
 * One hook is one limit: give the same hook to every agent that shares it. A hook that is called again for the same turn counts again, which is
 * the safe side; attempts that Loom makes after a failed one are not seen by hooks and wait by their own rule.
 *
 * @example
 * const limit = rateLimit({ perMinute: 60 })
 * agent({ model, hooks: [limit] })
 */
export function rateLimit(options: RateLimitOptions): Hook {
  checkOptions('rateLimit', options, ['perMinute', 'maxWait', 'clock'])
  checkNumbers('rateLimit', options, { perMinute: { min: 1, required: true }, maxWait: { min: 0 } })
  const { maxWait = 10 * minute, clock = systemClock } = options
  const perMinute = Math.floor(options.perMinute)
  /** When calls began or will begin, in order. */
  let moments: number[] = []

  const nextMoment = (now: number): number => {
    moments = moments.filter((moment) => moment > now - minute)
    const former = moments.at(-perMinute)
    return former === undefined ? now : Math.max(now, former + minute)
  }

  return {
    name: 'rateLimit',
    async beforeModelCall({ signal }) {
      const now = clock.now()
      const moment = nextMoment(now)
      if (moment - now > maxWait) throw tooMany(perMinute, moment - now)
      moments = [...moments, moment].sort((a, b) => a - b)
      if (moment === now) return
      try {
        await sleepUntil(moment, { clock, signal })
      } catch {
        // The run has been stopped: there is no call any more.
        moments.splice(moments.indexOf(moment), 1)
      }
    },
  }
}

function tooMany(perMinute: number, wait: number): LoomError {
  const message = `More than ${perMinute} model calls a minute are asked for; the next one could begin in ${wait} ms. Resume the thread later.`
  return new LoomError('LOOM_RATE_LIMITED', message, { context: { retryAfterMs: wait } })
}
