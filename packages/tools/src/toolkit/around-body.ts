/** Work around the body of a tool, whether it returns at once, later, or as a generator. */

import type { Tool, ToolContext } from '@loom-agent/agent'
import { callUser, type ErasedDefinition, redefineTool, toolDefinitionOf } from '@loom-agent/agent/kit'
import { LoomError } from '@loom-agent/kernel'

/** A body of which only the end is of interest. */
export type EnterBody = () => Promise<unknown>

/** What is done around a body; returns the result of the call. */
export type Around = (enter: EnterBody, call: { readonly input: unknown; readonly context: ToolContext }) => Promise<unknown>

/** A tool whose body is entered by other code. A durable body cannot be: it is entered again and again until it ends. */
export function aroundBody<Deps>(given: Tool<Deps>, what: string, around: Around): Tool<Deps> {
  const definition = toolDefinitionOf(given)
  if (definition.durable) {
    const message = `${what}: ${given.name || 'the tool'} is durable: its body is entered again whenever it has waited. Put ${what} around the functions that it calls.`
    throw new LoomError('LOOM_TOOL_INVALID', message, { context: { what, tool: given.name } })
  }
  const run: ErasedDefinition['run'] = (input, context) => around(() => endOf(definition.run, input, context), { input, context })
  return redefineTool(given, { ...definition, run })
}

/** The result of a body; the yields of a generator are reported as progress. */
async function endOf(run: ErasedDefinition['run'], input: unknown, context: Parameters<ErasedDefinition['run']>[1]): Promise<unknown> {
  const returned = await callUser(() => run(input, context))
  if (!isGenerator(returned)) return returned
  for (;;) {
    const { done, value } = await callUser(() => returned.next())
    if (done) return value
    if (context.signal.aborted) return callUser(() => returned.return(undefined))
    context.progress(value)
  }
}

const isGenerator = (value: unknown): value is AsyncGenerator<unknown, unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value
