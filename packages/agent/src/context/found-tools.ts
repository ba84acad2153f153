/** The list of tools in a context, where the model has to find some of them. */
import { at, type Entry, type Frame, type ToolSpec } from '@loom-agent/kernel'
import { modelId } from '../model/model.ts'
import type { AssemblySource } from './assembly.ts'
import { deferredSpecs, hasDeferredTools, namesFound } from './searched.ts'

/** The list of tools at the start of a run: those that were found before stay at its end, in their order (SEARCH-2). */
export function listedTools({ toolbox: { specs, searched }, model }: AssemblySource, frame: Frame): readonly ToolSpec[] {
  if (!searched) return specs
  const id = model ? modelId(model) : (frame.fork?.model ?? frame.run?.request.model ?? '')
  if (hasDeferredTools(id)) return [...specs, ...deferredSpecs(searched)]
  const kept = frame.context.tools.flatMap(({ name, deferred }) => (deferred ? [] : (searched.get(name) ?? [])))
  return [...specs, ...kept]
}

/** The list with the tools that were found since the last request; the list itself where there are none. */
export function withFound(listed: readonly ToolSpec[], { toolbox: { searched } }: AssemblySource, { history, context }: Frame): readonly ToolSpec[] {
  if (!searched) return listed
  const names = new Set(listed.map(({ name }) => name))
  const found: ToolSpec[] = []
  for (let index = context.covered; index < history.length; index += 1) {
    const { message } = at(history, index) as Entry
    for (const name of message.role === 'tool' ? message.results.flatMap(namesFound) : []) {
      const spec = names.has(name) ? undefined : searched.get(name)
      if (spec) found.push(spec)
      names.add(name)
    }
  }
  return found.length > 0 ? [...listed, ...found] : listed
}
