/** What a client gets for a run: the result of the tool, or the answer of the agent. */
import type { Result, StepCall } from '@loom-agent/agent'
import type { Json, JsonObject } from '@loom-agent/kernel'

/** A result of MCP. */
export interface ToolResult {
  readonly [key: string]: unknown
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: JsonObject
  readonly isError?: true
}

const text = (words: string): ToolResult['content'] => [{ type: 'text', text: words }]

/** An error that the client's model can read. */
export const errorResult = (words: string): ToolResult => ({ content: text(words), isError: true })

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The result of a served tool: of the one call of its run. */
export function toolResult(result: Result<unknown>): ToolResult {
  const call = result.steps.flatMap(({ calls }) => calls)[0]
  if (!call || call.status === 'open') return errorResult(`The call did not end: the run is ${result.status}.`)
  return call.status === 'error' ? errorResult(call.output) : outputResult(call)
}

function outputResult({ output }: Extract<StepCall, { status: 'success' | 'warning' }>): ToolResult {
  if (typeof output === 'string') return { content: text(output) }
  if (!Array.isArray(output)) return { content: text(JSON.stringify(output)), ...(isObject(output) && { structuredContent: output }) }
  return {
    content: output.map((part: Json) => ({
      type: 'text',
      text: isObject(part) && typeof part['text'] === 'string' ? part['text'] : JSON.stringify(part),
    })),
  }
}

/** The result of a served agent. `thread` is the name by which the client goes on with the conversation. */
export function agentResult(result: Result<unknown>, thread: string): ToolResult {
  const { status } = result
  if (status === 'failed') return errorResult(result.error.message)
  if (status === 'stopped')
    return errorResult(`The run was stopped: ${result.reason}${result.text === '' ? '' : `\n\nIts text so far: ${result.text}`}`)
  return { content: text(result.text), structuredContent: { thread, status, text: result.text } }
}
