/** Tools that the model has to find before it is shown them, as contexts and requests see them. */
import type { CallResult, Json, JsonObject, ToolSpec } from '@loom-agent/kernel'

/** The name that models call the search by. */
export const toolSearchName = 'tool_search'

/** The names of the tools that the result of a search refers to; none for any other result. */
export function namesFound({ name, output }: Pick<CallResult, 'name' | 'output'>): readonly string[] {
  if (name !== toolSearchName || output.type !== 'json') return []
  const { tools } = asObject(output.value)
  return Array.isArray(tools) ? tools.flatMap((found: Json) => nameOf(asObject(found)['name'])) : []
}

const nameOf = (name: Json | undefined): readonly string[] => (typeof name === 'string' ? [name] : [])
const asObject = (value: Json): JsonObject => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {})

/** Models of providers that are sent all tools and show those that are deferred when a result refers to them. */
const defers = /^anthropic(?:\.messages)?\/claude-(?:opus|sonnet)-(?:[4-9]|\d\d)(?:-|$)/

/** Whether the provider of a model has deferred tools. */
export const hasDeferredTools = (model: string): boolean => defers.test(model)

const deferredLists = new WeakMap<ReadonlyMap<string, ToolSpec>, readonly ToolSpec[]>()

/** The tools that have to be found, as a provider is sent them that shows them when a result refers to them. */
export function deferredSpecs(searched: ReadonlyMap<string, ToolSpec>): readonly ToolSpec[] {
  const known = deferredLists.get(searched)
  if (known) return known
  const made = [...searched.values()].map((spec): ToolSpec => ({ ...spec, deferred: true }))
  deferredLists.set(searched, made)
  return made
}
