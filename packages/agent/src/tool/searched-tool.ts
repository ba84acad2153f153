/** Tools that the model has to find before it is shown them. */
import { type ErasedDefinition, redefineTool, type Tool, toolDefinitionOf } from './define.ts'

/** The definition of such a tool: only Loom has this field (BAND-1). */
interface SearchedDefinition extends ErasedDefinition {
  readonly isSearched: true
}

/** Whether a tool is found by a search, and not shown before. */
export const isSearched = (definition: ErasedDefinition): boolean => 'isSearched' in definition

/** The tool as one that the model has to find. */
export function searchedTool<Deps>(given: Tool<Deps>): Tool<Deps> {
  const definition: SearchedDefinition = { ...toolDefinitionOf(given), isSearched: true }
  return redefineTool(given, definition)
}
