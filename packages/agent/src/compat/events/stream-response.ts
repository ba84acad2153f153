/** The seven stream types of the original Python project's executor. */
import type { RunEvent } from '../../types/run-event.ts'
import type { AgentEvent, ToolCall, ToolResult } from './agent-event.ts'
import { agentEvents } from './projection.ts'

/** The seven types. */
export const streamTypes = ['stream_start', 'text_delta', 'tool_calls_start', 'tool_result', 'agent_finish', 'aborted', 'error'] as const

/** An item of the executor's stream. */
export type AgentStreamResponse =
  | {
      readonly type: 'stream_start'
      /** The id of the thread. */
      readonly thread: string
      /** The id of the run on its thread. */
      readonly run: string
    }
  | {
      readonly type: 'text_delta'
      /** The next piece of text, the final text, or what went wrong. */
      readonly content: string
    }
  | {
      readonly type: 'tool_calls_start'
      /** The calls of the turn. */
      readonly toolCalls: readonly ToolCall[]
    }
  | {
      readonly type: 'tool_result'
      /** The result of one call. */
      readonly result: ToolResult
    }
  | {
      readonly type: 'agent_finish'
      readonly content: string
      /** Why it ended before the model was done, or was aborted. */
      readonly reason?: string
      /** Turns that the run took. */
      readonly iterations: number
      /** The limit of turns, where it was reached. */
      readonly maxIterations?: number
    }
  | {
      readonly type: 'aborted'
      readonly reason: string
      /** Whether the run only waits. */
      readonly interrupt: boolean
    }
  | {
      readonly type: 'error'
      /** The code of the error. */
      readonly code: string
      readonly content: string
    }

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
    case 'recursion_terminated':
    case 'max_iterations_reached': {
      const ended = { type: 'agent_finish', content: event.content, iterations: event.iterations } as const
      if (event.type === 'agent_finish') return ended
      return { ...ended, reason: event.reason, ...('max' in event && { maxIterations: event.max }) }
    }
    case 'execution_cancelled':
      return { type: 'aborted', reason: event.reason, interrupt: event.interrupt }
    case 'error':
      return { type: 'error', code: event.error.code, content: event.error.message }
    default:
      return undefined
  }
}
