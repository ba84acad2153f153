/** Tools that bring something into the context besides themselves. */
import type { Brought } from '../context/brought.ts'
import { callUserNow } from '../platform/call-user.ts'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import type { Infer, Schema } from '../types/schema.ts'
import { type ErasedDefinition, redefineTool, type Tool, tool, toolDefinitionOf } from './define.ts'

/** The definition of such a tool. What it brings names the tool as the agent has it. */
interface BringingDefinition extends ErasedDefinition {
  readonly brings: (name: string) => Brought
}

/** What a tool brings; undefined for most tools. */
export function broughtBy(name: string, definition: ErasedDefinition): Brought | undefined {
  return 'brings' in definition ? (definition as BringingDefinition).brings(name) : undefined
}

/** What such a tool is made of. Its calls change nothing outside of the thread, so they may run again. */
interface Bringing<S extends Schema> {
  readonly name: string
  readonly description: string
  readonly input: S
  run(input: Infer<S>): string
  readonly brings: BringingDefinition['brings']
}

/** Makes such a tool. */
export function bringingTool<S extends Schema>({ brings, ...definition }: Bringing<S>): Tool {
  const made = tool({ ...definition, effect: 'pure' })
  const bringing: BringingDefinition = { ...toolDefinitionOf(made), brings }
  return redefineTool(made, bringing)
}

/** The text that a function of the user returns; `what` names the tool. */
export function textBy(what: string, show: () => string): string {
  const text = callUserNow(show)
  checkOptions(what, { 'the text that show returned': text }, { 'the text that show returned': expected.required(expected.name) })
  return text
}
