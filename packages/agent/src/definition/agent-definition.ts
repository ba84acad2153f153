/** From an agent to its definition. Users hold agents; what they are made of is known here and is no part of any public type. */
import { LoomError } from '@loom-agent/kernel'
import type { AnyAgent } from '../types/any-agent.ts'
import type { Definition } from './definition.ts'

const definitions = new WeakMap<AnyAgent, Definition>()

/** Remembers what an agent is made of. */
export function registerAgent<A extends AnyAgent>(agent: A, definition: Definition): A {
  definitions.set(agent, definition)
  return agent
}

/** What an agent is made of. Throws for what is no agent of this process. */
export function definitionOf(agent: AnyAgent): Definition {
  const definition = definitions.get(agent)
  if (definition) return definition
  const advice = 'Use the object that agent() returned, not a copy of it.'
  throw new LoomError('LOOM_TOOL_INVALID', `"${agent.name}" is no agent that agent() of this installation has made. ${advice}`, {
    context: { agent: agent.name },
  })
}
