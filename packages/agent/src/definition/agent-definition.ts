/** From an agent to its definition, which is no part of any public type. */
import { LoomError } from '@loom-agent/kernel'
import type { AnyAgent } from '../types/any-agent.ts'
import type { Definition } from './definition.ts'

const definitions = new WeakMap<AnyAgent, Definition>()

/** Registers the definition of an agent. */
export function registerAgent<A extends AnyAgent>(agent: A, definition: Definition): A {
  definitions.set(agent, definition)
  return agent
}

/** The definition of an agent. Throws for a value that is no agent of this installation. */
export function definitionOf(agent: AnyAgent): Definition {
  const definition = definitions.get(agent)
  if (definition) return definition
  const advice = 'Use the object that agent() returned, not a copy of it.'
  throw new LoomError('LOOM_TOOL_INVALID', `"${agent.name}" is no agent that agent() of this installation has made. ${advice}`, {
    context: { agent: agent.name },
  })
}
