/** The seven stream types of the original Python project's executor. */
import type { RunEvent } from '../../agent-type.ts'
import type { AgentEvent, ToolCall, ToolResult } from './agent-event.ts'
import { agentEvents } from './projection.ts'

/** The seven types. */
export const streamTypes = ['stream_start', 'text_delta', 'tool_calls_start', 'tool_result', 'agent_finish', 'aborted', 'error'] as const

/** An item of the executor's stream. */
export type AgentStreamResponse =
  | { readonly type: 'stream_start'; readonly thread: string; readonly run: string }
  | { readonly type: 'text_delta'; readonly content: string }
  | { readonly type: 'tool_calls_start'; readonly toolCalls: readonly ToolCall[] }
  | { readonly type: 'tool_result'; readonly result: ToolResult }
  | {
      readonly type: 'agent_finish'
      readonly content: string
      /** Why it ended before the model was done. */
      readonly reason?: string
      readonly iterations: number
      readonly maxIterations?: number
    }
  | { readonly type: 'aborted'; readonly reason: string; readonly interrupt: boolean }
  | { readonly type: 'error'; readonly code: string; readonly content: string }

/**
 * The stream of the original Python project's executor.
 *
 * @example
 * for await (const response of streamResponses(run.events())) if (response.type === 'text_delta') write(response.content)
 */
export async function* streamResponses(events: AsyncIterable<RunEvent>): AsyncGenerator<AgentStreamResponse, void> {
  let root: string | undefined
  let run: string | undefined
  for await (const event of agentEvents(events)) {
    root ??= event.thread
    // The text of a child is its parent's tool result.
    if (event.thread !== root) continue
    if (run !== event.run) yield { type: 'stream_start', thread: event.thread, run: event.run }
    run = event.run
    const response = responseOf(event)
    if (response) yield response
  }
}

function responseOf(event: AgentEvent): AgentStreamResponse | undefined {
  switch (event.type) {
    case 'llm_delta':
      return { type: 'text_delta', content: event.content }
    case 'tool_calls_start':
      return { type: 'tool_calls_start', toolCalls: event.toolCalls }
    case 'tool_result':
    case 'tool_error':
      return { type: 'tool_result', result: event.toolResult }
    case 'agent_finish':
      return { type: 'agent_finish', content: event.content, iterations: event.iterations }
    case 'max_iterations_reached': {
      const { content, reason, iterations, max } = event
      return { type: 'agent_finish', content, reason, iterations, maxIterations: max }
    }
    case 'recursion_terminated':
      return { type: 'agent_finish', content: event.content, reason: event.reason, iterations: event.iterations }
    case 'execution_cancelled':
      return { type: 'aborted', reason: event.reason, interrupt: event.interrupt }
    case 'error':
      return { type: 'error', code: event.error.code, content: event.error.message }
    default:
      return undefined
  }
}
