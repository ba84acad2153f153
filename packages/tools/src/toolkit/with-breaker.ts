/** A circuit breaker around a tool: what keeps failing is not called for a while. */
import type { BreakerOptions, Tool } from '@loom-agent/agent'
import { createCircuit, mayRecover, noted, notesOf } from '@loom-agent/agent/kit'
import { isLoomError } from '@loom-agent/kernel'
import { aroundBody } from './around-body.ts'

/**
 * Whether an error says that the tool does not work. What was wrong with the arguments says nothing about it, nor does a refusal.
 */
const isFault = (error: unknown): boolean => !(isLoomError(error) && error.code === 'LOOM_TOOL_INPUT_INVALID') && mayRecover(error)

/**
 * A tool that is not called while it keeps failing: the model reads that, and when it can try again. The result's `meta.circuit` says `open` or
 * `half-open` where the circuit was not closed. The circuit lives in this process; what it did is recorded with each call.
 *
 * @example
 * const search = withBreaker(webTools({ search: findPages }).web_search, { minimum: 3, openFor: 30_000 })
 */
export function withBreaker<Deps>(tool: Tool<Deps>, options: BreakerOptions = {}): Tool<Deps> {
  const circuit = createCircuit('withBreaker', { name: tool.name || 'the tool', isFailure: isFault, ...options })
  return aroundBody(tool, 'withBreaker', async (enter) => {
    const before = circuit.status()
    const note = (value: unknown): unknown => (before === 'closed' ? value : noted(value, { circuit: before }))
    const entered = passThrough(circuit)
    if ('error' in entered) return noted(entered.error, { circuit: before })
    const { pass } = entered
    try {
      const value = await enter()
      const error = notesOf(value)?.value ?? value
      if (error instanceof Error) pass.failed(error)
      else pass.succeeded()
      return note(value)
    } catch (error) {
      pass.failed(notesOf(error)?.value ?? error)
      throw error
    }
  })
}

type Circuit = ReturnType<typeof createCircuit>

/** Permission to call; the refusal where the circuit is open. */
function passThrough(circuit: Circuit): { readonly pass: ReturnType<Circuit['enter']> } | { readonly error: unknown } {
  try {
    return { pass: circuit.enter() }
  } catch (error) {
    return { error }
  }
}
