/** A circuit breaker for a model: stops calling a model that keeps failing, and tests with one call whether it works again. */
import type { BreakerOptions } from '@loom-agent/agent'
import { createCircuit, modelId } from '@loom-agent/agent/kit'
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
    const circuit = createCircuit('breaker', { name: modelId(model), ...options })
    const gated = gateModel(model, () => {
      const pass = circuit.enter()
      return (ending) => {
        if (ending.kind === 'finished') pass.succeeded()
        else if (ending.kind === 'failed') pass.failed(ending.error)
        else pass.wasInconclusive()
      }
    })
    return Object.defineProperty(gated, 'status', { enumerable: true, get: () => circuit.status() }) as LanguageModelV4 as BrokenModel
  }
}
