/** A circuit breaker for a model: stops calling a model that keeps failing, and tests with one call whether it works again. */
import { type BreakerOptions, circuitBreaker } from '@loom-agent/agent'
import { modelId } from '@loom-agent/agent/kit'
import type { LanguageModelV4 } from '@loom-agent/agent/language-model'
import { gateModel } from '../call/wrapper.ts'

/** A model behind a circuit breaker, with the state of the circuit. */
export type BrokenModel = LanguageModelV4 & { readonly status: 'closed' | 'open' | 'half-open' }

/**
 * Puts a circuit breaker in front of a model. A call has failed when its stream has, also in the middle; aborts, cancelled streams and refusals do not
 * count. While the circuit is open, calls fail at once with `LOOM_CIRCUIT_OPEN`, which says when to try again.
 *
 * Each wrapped model has its own circuit.
 *
 * @example
 * const careful = breaker({ failureRate: 0.5, minimum: 5 })(model)
 */
export function breaker(options: BreakerOptions = {}): (model: LanguageModelV4) => BrokenModel {
  return (model) => {
    const guarded = circuitBreaker((enter: () => Promise<void>) => enter(), { name: modelId(model), ...options })
    const gated = gateModel(model, async () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      let isStarted = false
      const outcome = guarded(() => {
        isStarted = true
        return promise
      })
      // The circuit starts a call at once or refuses it.
      if (!isStarted) await outcome
      outcome.catch(() => {})
      return (ending) => {
        if (ending.kind === 'finished') resolve()
        else reject(ending.kind === 'failed' ? ending.error : cancelled())
      }
    })
    return Object.defineProperty(gated, 'status', { enumerable: true, get: () => guarded.status }) as LanguageModelV4 as BrokenModel
  }
}

const cancelled = (): Error => Object.assign(new Error('the reply was not read to its end'), { name: 'AbortError' })
