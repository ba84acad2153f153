/** Calls the body of a tool as a run would, and nothing around it. */
import type { Tool } from '@loom-agent/agent'
import { notesOf, toolDefinitionOf } from '@loom-agent/agent/kit'

/** What the model would be given: the value that the body returned, or the error that it returned or threw. */
export async function callTool(
  tool: Tool | undefined,
  input: object,
  options: { key?: string; signal?: AbortSignal; deps?: unknown } = {},
): Promise<unknown> {
  const { key = 'key', signal = new AbortController().signal, deps } = options
  if (!tool) throw new Error('There is no such tool.')
  try {
    const context = { thread: 't', call: '1.0', key, signal, deps, progress() {} }
    const returned: unknown = await toolDefinitionOf(tool).run(input, context as never)
    return notesOf(returned)?.value ?? returned
  } catch (error) {
    return error
  }
}
