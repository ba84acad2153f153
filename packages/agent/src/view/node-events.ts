/** The four events of a node: thinking, tool_call, tool_result and message, as a projection. */
import { textOf } from '@loom-agent/kernel'
import type { RunEvent } from '../types/run-event.ts'
import type { SeedToolCall, SeedToolResult } from './seed-event.ts'
import { createSeedProjection } from './seed-events.ts'

/** What a node lets others see of its work. */
export type NodeEvent = { readonly thread: string } & (
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'tool_call'; readonly toolCall: SeedToolCall }
  | { readonly type: 'tool_result'; readonly toolResult: SeedToolResult }
  | { readonly type: 'message'; readonly text: string }
)

/** The node events of a stream. Thinking is the model's reasoning, and what it says beside its calls. */
export async function* nodeEvents(events: AsyncIterable<RunEvent>): AsyncGenerator<NodeEvent, void> {
  const project = createSeedProjection()
  /** Threads whose reasoning was told as it came. */
  const reasoned = new Set<string>()
  for await (const event of events) {
    const { thread } = event
    for (const text of thoughtsOf(event, reasoned.has(thread))) if (text !== '') yield { thread, type: 'thinking', text }
    if (event.type === 'reasoning-delta') reasoned.add(thread)
    else if (event.type === 'model.requested' || event.type === 'model.replied') reasoned.delete(thread)
    for (const told of project(event)) {
      if (told.type === 'tool_execution_start') yield { thread, type: 'tool_call', toolCall: told.toolCall }
      else if (told.type === 'tool_result' || told.type === 'tool_error') yield { thread, type: 'tool_result', toolResult: told.toolResult }
      else if (told.type === 'agent_finish') yield { thread, type: 'message', text: told.content }
    }
  }
}

/** Reasoning as it comes, or from the reply when nothing of it was told. */
function thoughtsOf(event: RunEvent, isTold: boolean): readonly string[] {
  if (event.type === 'reasoning-delta') return [event.text]
  if (event.type !== 'model.replied') return []
  const { parts } = event.data
  const reasoning = isTold ? [] : parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []))
  return parts.some(({ type }) => type === 'call') ? [...reasoning, textOf(parts)] : reasoning
}
