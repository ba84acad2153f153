/** A model with the protections for production. */
import type { BreakerOptions } from '@loom-agent/agent'
import { checkOptions, expected } from '@loom-agent/agent/kit'
import type { LanguageModelV4 } from '@loom-agent/agent/language-model'
import type { Clock } from '@loom-agent/kernel'
import { compose } from '../call/wrapper.ts'
import { breaker } from './breaker.ts'
import { type ThrottleOptions, throttle } from './throttle.ts'
import { type TimeoutOptions, timeouts } from './timeouts.ts'

/** Options that replace the defaults. */
export interface ProductionOptions {
  /** The rate limit; default: 60 requests a minute, a wait of at most 45,000 ms. */
  readonly rateLimit?: Omit<ThrottleOptions, 'clock'>
  /** The circuit breaker; default: opens for a minute when half of five or more calls failed. */
  readonly breaker?: Omit<BreakerOptions, 'clock'>
  /** The time-outs; default: those of `timeouts()`. */
  readonly timeouts?: Omit<TimeoutOptions, 'clock'>
  /** The clock of all three; default: the clock of the platform. */
  readonly clock?: Clock
}

/** The defaults: 60 requests a minute; a circuit that opens for a minute when half of five or more calls failed; the usual time-outs. */
export const productionDefaults = {
  /** A call that would wait longer fails, and the agent waits instead: its wait is in the journal, and survives the process. */
  rateLimit: { rpm: 60, maxWait: 45_000 },
  breaker: { failureRate: 0.5, minimum: 5, window: 60_000, openFor: 60_000 },
  timeouts: { firstToken: 60_000, idle: 60_000, total: 600_000 },
} as const

/**
 * A model with a circuit breaker, a rate limit and time-outs. It does not retry: the agent does, three times, and records it in the journal.
 *
 * @example
 * const model = productionModel(anthropic('claude-sonnet-5-5'), { rateLimit: { rpm: 500 } })
 */
export function productionModel(model: LanguageModelV4, options: ProductionOptions = {}): LanguageModelV4 {
  const { object } = expected
  checkOptions('productionModel', options, { rateLimit: object, breaker: object, timeouts: object, clock: expected.clock })
  const clock = options.clock && { clock: options.clock }
  return compose(
    breaker({ ...productionDefaults.breaker, ...options.breaker, ...clock }),
    throttle({ ...productionDefaults.rateLimit, ...options.rateLimit, ...clock }),
    timeouts({ ...productionDefaults.timeouts, ...options.timeouts, ...clock }),
  )(model)
}
