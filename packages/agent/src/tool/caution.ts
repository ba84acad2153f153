/** What people should know before they approve a call, besides its arguments: the words of the program, never of a model. */
import { type ErasedDefinition, redefineTool, type Tool, toolDefinitionOf } from './define.ts'

/** Returns what there is to know now; undefined where there is nothing. */
export type Caution = () => Promise<string | undefined>

/** A definition with such words. */
interface CautiousDefinition extends ErasedDefinition {
  readonly caution: Caution
}

/** The tool, with words for the question whether a call of it may run. */
export function withCaution<Deps>(given: Tool<Deps>, caution: Caution): Tool<Deps> {
  const cautious: CautiousDefinition = { ...toolDefinitionOf(given), caution }
  return redefineTool(given, cautious)
}

/** What there is to know of calls of a tool; undefined for most tools. */
export const cautionOf = (definition: ErasedDefinition): Caution | undefined =>
  'caution' in definition ? (definition as CautiousDefinition).caution : undefined
