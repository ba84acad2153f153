/** The toolbox: the tools of a run, checked and ready. Compiled once per agent, not per turn. */

import { type EffectClass, type JsonObject, LoomError, type ToolSpec } from '@loom-agent/kernel'
import type { Brought } from '../context/brought.ts'
import { ignoreWithin } from '../platform/call-user.ts'
import { expected, longestList } from '../platform/expected.ts'
import { shown } from '../platform/normalize.ts'
import { isAgent } from '../types/any-agent.ts'
import { isHarmless } from '../types/effect-class.ts'
import { jsonSchemaOf } from '../types/schema.ts'
import { agentTool } from './agent-tool.ts'
import { broughtBy } from './bringing-tool.ts'
import { checkToolName, type ErasedDefinition, isTool, toolDefinitionOf } from './define.ts'
import { isSearched } from './searched-tool.ts'
import type { ToolSet } from './tool-set.ts'

/** A tool in a toolbox. */
export interface ReadyTool {
  readonly name: string
  readonly ruleName: string | undefined
  readonly definition: ErasedDefinition
  readonly effect: EffectClass
  readonly serial: boolean
  readonly spec: ToolSpec
}

/** Tools by name, in the order in which they were given. */
export interface Toolbox {
  readonly tools: ReadonlyMap<string, ReadyTool>
  /** What the model is shown: all but the tools that are never available, and those that it has to find. */
  readonly specs: readonly ToolSpec[]
  /** The tools that the model has to find, by name; absent where it is shown all. */
  readonly searched?: ReadonlyMap<string, ToolSpec>
  /** What tools bring into the context besides themselves; empty for most toolboxes. */
  readonly brought: readonly Brought[]
  /** Whether the model can read results again, with Loom's own tool for it. */
  readonly readsMore: boolean
}

/** Whether Loom's own tool for reading results again is listed: always, never, or beside other tools. */
export type ReadMoreListing = boolean | 'beside tools'

const anyObject: JsonObject = { type: 'object', properties: {} }

/** Names that every object has as properties. */
const refused = new Set(['__proto__', 'constructor', 'prototype', 'toString'])

/** Checks and compiles tools. */
export function compileTools(set: ToolSet<never> | undefined): Toolbox {
  try {
    return compiled(set)
  } catch (error) {
    ignoreWithin(set)
    throw error
  }
}

function compiled(set: ToolSet<never> | undefined): Toolbox {
  const tools = new Map<string, ReadyTool>()
  for (const [name, value] of entriesOf(set ?? [])) {
    checkToolName(name)
    if (refused.has(name))
      throw new LoomError('LOOM_TOOL_NAME_INVALID', `"${name}" cannot be the name of a tool. Choose another.`, { context: { name } })
    if (tools.has(name)) {
      throw new LoomError('LOOM_TOOL_DUPLICATE', `Two tools are called "${name}". Rename one, or give tools as a record.`, {
        context: { name },
      })
    }
    tools.set(name, readyTool(name, definitionOf(name, value)))
  }
  const offered = [...tools.values()].filter(({ definition }) => definition.available !== false)
  const searched = offered.filter(({ definition }) => isSearched(definition))
  return {
    tools,
    specs: offered.flatMap(({ spec, definition }) => (isSearched(definition) ? [] : [spec])),
    ...(searched.length > 0 && { searched: new Map(searched.map(({ name, spec }) => [name, spec])) }),
    brought: offered.flatMap(({ name, definition }) => broughtBy(name, definition) ?? []),
    readsMore: false,
  }
}

function entriesOf(set: ToolSet<never>): readonly (readonly [string, unknown])[] {
  if (!Array.isArray(set)) {
    if (expected.object.fits(set)) return Object.entries(set)
    throw new LoomError('LOOM_TOOL_INVALID', `The tools are ${shown(set)}. Give a record or a list of tools, agents and functions.`, {
      context: { tools: shown(set) },
    })
  }
  const { length } = set as readonly unknown[]
  if (length > longestList) throw notTool(`A list of ${length} values`)
  return (set as readonly unknown[]).map((value, index) => {
    if (typeof value !== 'function' && !expected.object.fits(value)) throw notTool(`tools[${index}] (${shown(value)})`)
    const { name = '' } = value as { name?: string }
    if (name === '')
      throw new LoomError('LOOM_TOOL_NAME_INVALID', `tools[${index}] has no name. Name it, or give tools as a record.`, { context: { index } })
    return [name, value] as const
  })
}

function definitionOf(name: string, value: unknown): ErasedDefinition {
  if (isTool(value)) return toolDefinitionOf(value)
  if (isAgent(value)) return agentTool(value)
  if (typeof value === 'function') return { run: value as ErasedDefinition['run'] }
  throw notTool(`"${name}"`)
}

/** The error for what is no tool. */
export function notTool(name: string): LoomError {
  return new LoomError('LOOM_TOOL_INVALID', `${name} is not a tool. Give tool(...), an agent or a function.`, { context: { name } })
}

/** A tool that is ready to be called. */
export function readyTool(name: string, definition: ErasedDefinition): ReadyTool {
  const { ruleName, description, input, effect: declared = 'unsafe', schedule } = definition
  // What a function says is known with the arguments: until then the call may do anything.
  const effect = typeof declared === 'function' ? 'unsafe' : declared
  const schema = input ? jsonSchemaOf(input, `tool ${name}`) : anyObject
  const spec: ToolSpec = { name, ...(description !== undefined && { description }), schema }
  return { name, ruleName, definition, effect, serial: !(schedule?.parallel ?? isHarmless(effect)), spec }
}
