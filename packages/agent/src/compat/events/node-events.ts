/** The four events of a node: thinking, tool_call, tool_result and message, as a projection. */

import type { RunEvent } from '../../types/run-event.ts'
import { textOf } from '../../types/text-of.ts'
import type { ToolCall, ToolResult } from './agent-event.ts'
import { createProjection } from './projection.ts'

/** An event of a node. */
export type NodeEvent = {
  /** The id of the thread. */
  readonly thread: string
} & (
  | {
      readonly type: 'thinking' | 'message'
      /** What the model thought or said. */
      readonly text: string
    }
  | {
      readonly type: 'tool_call'
      /** The call that was started. */
      readonly toolCall: ToolCall
    }
  | {
      readonly type: 'tool_result'
      /** The result of a call. */
      readonly toolResult: ToolResult
    }
)

/** The node events of a stream. Thinking is the model's reasoning, and its text beside calls. */
export async function* nodeEvents(events: AsyncIterable<RunEvent>): AsyncGenerator<NodeEvent, void> {
  const project = createProjection()
  /** Threads whose reasoning was emitted piece by piece. */
  const reasoned = new Set<string>()
  for await (const event of events) {
    const { thread } = event
    for (const text of thoughtsOf(event, reasoned.has(thread))) if (text !== '') yield { thread, type: 'thinking', text }
    if (event.type === 'reasoning-delta') reasoned.add(thread)
    else if (event.type === 'model.requested' || event.type === 'model.replied') reasoned.delete(thread)
    for (const projected of project(event)) {
      if (projected.type === 'tool_execution_start') yield { thread, type: 'tool_call', toolCall: projected.toolCall }
      else if (projected.type === 'tool_result' || projected.type === 'tool_error')
        yield { thread, type: 'tool_result', toolResult: projected.toolResult }
      else if (projected.type === 'agent_finish') yield { thread, type: 'message', text: projected.content }
    }
  }
}

/** Reasoning as it comes, or from the reply when no piece of it was emitted. */
function thoughtsOf(event: RunEvent, isEmitted: boolean): readonly string[] {
  if (event.type === 'reasoning-delta') return [event.text]
  if (event.type !== 'model.replied') return []
  const { parts } = event.data
  const reasoning = isEmitted ? [] : parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []))
  return parts.some(({ type }) => type === 'call') ? [...reasoning, textOf(parts)] : reasoning
}
