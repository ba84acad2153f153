/** The seven stream types of the first founding document, as a projection of seed events. */
import type { Frame } from '@loom-agent/kernel'
import type { RunEvent } from '../types/run-event.ts'
import type { SeedEvent, SeedToolCall, SeedToolResult } from './seed-event.ts'
import { seedEvents } from './seed-events.ts'

/** The seven types. */
export const streamTypes = ['stream_start', 'text_delta', 'tool_calls_start', 'tool_result', 'agent_finish', 'aborted', 'error'] as const

/** What a stream of the first founding document holds. */
export type StreamResponse =
  | { readonly type: 'stream_start'; readonly thread: string; readonly run: string }
  | { readonly type: 'text_delta'; readonly content: string }
  | { readonly type: 'tool_calls_start'; readonly toolCalls: readonly SeedToolCall[] }
  | { readonly type: 'tool_result'; readonly result: SeedToolResult }
  | {
      readonly type: 'agent_finish'
      readonly content: string
      /** Why it ended before the model had its last word. */
      readonly reason?: string
      readonly iterations: number
      readonly maxIterations?: number
    }
  | { readonly type: 'aborted'; readonly reason: string; readonly interrupt: boolean }
  | { readonly type: 'error'; readonly code: string; readonly content: string }

/**
 * The stream of the first founding document.
 *
 * @example
 * for await (const response of streamResponses(run.events())) if (response.type === 'text_delta') write(response.content)
 */
export async function* streamResponses(events: AsyncIterable<RunEvent>, options: { after?: Frame } = {}): AsyncGenerator<StreamResponse, void> {
  let root: string | undefined
  let run: string | undefined
  for await (const event of seedEvents(events, options)) {
    root ??= event.thread
    // A child's words are its parent's tool result.
    if (event.thread !== root) continue
    if (run !== event.run) yield { type: 'stream_start', thread: event.thread, run: event.run }
    run = event.run
    const response = responseOf(event)
    if (response) yield response
  }
}

function responseOf(event: SeedEvent): StreamResponse | undefined {
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
