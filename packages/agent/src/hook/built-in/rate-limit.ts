/** A hook that limits model calls per minute, over all runs that share it (RATE-1, RATE-2). */
import type { Clock } from '@loom-agent/kernel'
import { expected } from '../../platform/expected.ts'
import { checkOptions } from '../../platform/options.ts'
import { systemClock } from '../../platform/ports.ts'
import { createRateLimiter } from '../../resilience/rate-limiter.ts'
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
  checkOptions('rateLimit', options, { perMinute: expected.required(expected.number(1)), maxWait: expected.number(0), clock: expected.clock })
  const { maxWait = 600_000, clock = systemClock } = options
  const limiter = createRateLimiter({ rpm: Math.floor(options.perMinute), maxWait, clock })
  return {
    name: 'rateLimit',
    async beforeModelCall({ signal }) {
      try {
        await limiter.enter(0, signal)
      } catch (error) {
        // A run that has been stopped makes no call any more.
        if (!signal.aborted) throw error
      }
    },
  }
}
