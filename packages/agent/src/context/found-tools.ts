/** The list of tools in a context, where the model has to find some of them. */
import { at, type Entry, type Frame, type ToolSpec } from '@loom-agent/kernel'
import { modelId } from '../model/model.ts'
import type { AssemblySource } from './assembly.ts'
import { deferredSpecs, hasDeferredTools, namesFound } from './searched.ts'

/**
 * The list of tools at the start of a run: those that were found before stay, in their order (SEARCH-2). Where the provider is another one than before, that
 * holds as well: what is listed by itself stays so, and what was deferred is found again in the results of the searches.
 */
export function listedTools({ toolbox: { specs, searched }, model }: AssemblySource, frame: Frame): readonly ToolSpec[] {
  if (!searched) return specs
  const id = model ? modelId(model) : (frame.fork?.model ?? frame.run?.request.model ?? '')
  const before = frame.context.tools
  const kept = before.flatMap(({ name, deferred }) => (deferred ? [] : (searched.get(name) ?? [])))
  if (hasDeferredTools(id)) {
    const all = deferredSpecs(searched)
    return kept.length === 0 ? [...specs, ...all] : [...specs, ...kept, ...all.filter(({ name }) => !kept.some((one) => one.name === name))]
  }
  const listed = [...specs, ...kept]
  return before.some(({ deferred }) => deferred) ? withNames(listed, searched, foundIn(frame.history, 0)) : listed
}

/** The names of tools that searches have found, from an entry of the history on. */
function foundIn(history: Frame['history'], from: number): readonly string[] {
  const names: string[] = []
  for (let index = from; index < history.length; index += 1) {
    const { message } = at(history, index) as Entry
    if (message.role === 'tool') names.push(...message.results.flatMap(namesFound))
  }
  return names
}

/** The list with the tools of these names at its end; the list itself where it has them all. */
function withNames(listed: readonly ToolSpec[], searched: ReadonlyMap<string, ToolSpec>, found: readonly string[]): readonly ToolSpec[] {
  const names = new Set(listed.map(({ name }) => name))
  const added = found.flatMap((name) => {
    const spec = names.has(name) ? undefined : searched.get(name)
    names.add(name)
    return spec ?? []
  })
  return added.length > 0 ? [...listed, ...added] : listed
}

/** The list with the tools that were found since the last request; the list itself where there are none. */
export function withFound(listed: readonly ToolSpec[], { toolbox: { searched } }: AssemblySource, { history, context }: Frame): readonly ToolSpec[] {
  if (!searched) return listed
  return withNames(listed, searched, foundIn(history, context.covered))
}
