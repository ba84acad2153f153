/** A circuit breaker for a model: stops calling what keeps failing, and finds out with one call whether it works again. */
import { type BreakerOptions, circuitBreaker } from '@loom-agent/agent'
import { modelId } from '@loom-agent/agent/kit'
import type { LanguageModelV4 } from '@loom-agent/agent/language-model'
import { gateModel } from '../call/wrapper.ts'

/** A model behind a circuit. */
export type BrokenModel = LanguageModelV4 & { readonly status: 'closed' | 'open' | 'half-open' }

/**
 * Puts a circuit in front of a model. A call has failed when its stream has, also in the middle; aborts, readers who leave and refusals tell
 * nothing. While the circuit is open, calls fail at once with `LOOM_CIRCUIT_OPEN`, which says when to try again.
 *
 * Every model that the wrapper is given has a circuit of its own.
 *
 * @example
 * const careful = breaker({ failureRate: 0.5, minimum: 5 })(model)
 */
export function breaker(options: BreakerOptions = {}): (model: LanguageModelV4) => BrokenModel {
  return (model) => {
    const guarded = circuitBreaker((enter: () => Promise<void>) => enter(), { name: modelId(model), ...options })
    const gated = gateModel(model, async () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      let isIn = false
      const outcome = guarded(() => {
        isIn = true
        return promise
      })
      // The circuit lets a call in at once or refuses it.
      if (!isIn) await outcome
      outcome.catch(() => {})
      return (ending) => {
        if (ending.kind === 'finished') resolve()
        else reject(ending.kind === 'failed' ? ending.error : leftEarly())
      }
    })
    return Object.defineProperty(gated, 'status', { enumerable: true, get: () => guarded.status }) as LanguageModelV4 as BrokenModel
  }
}

const leftEarly = (): Error => Object.assign(new Error('nobody read the reply to its end'), { name: 'AbortError' })
