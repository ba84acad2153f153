/** From an agent to its definition, which is no part of any public type. */
import { LoomError } from '@loom-agent/kernel'
import { shown, toJson } from '../platform/normalize.ts'
import { type AnyAgent, isAgent } from '../types/any-agent.ts'
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
  const name = isAgent(agent) ? agent.name : agent
  const advice = 'Use the object that agent() returned, not a copy of it.'
  throw new LoomError('LOOM_TOOL_INVALID', `${shown(name)} is no agent that agent() of this installation has made. ${advice}`, {
    context: { agent: toJson(name) },
  })
}
