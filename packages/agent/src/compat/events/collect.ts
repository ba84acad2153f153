/** Collecting events, and reading the collection. */
import { type AgentEvent, type AgentEventOf, type AgentEventType, isTerminal, type ToolResult } from './agent-event.ts'

/** Events that were collected. */
export interface EventCollection {
  /** All events, in order. */
  readonly events: readonly AgentEvent[]
  /** The events of one type. */
  filter<T extends AgentEventType>(type: T): readonly AgentEventOf<T>[]
  /** The text of the model: every complete reply, and what there is of the one under way. Text of a failed attempt does not count. */
  llmContent(): string
  /** The results of all calls, errors included. */
  toolResults(): readonly ToolResult[]
  /** The errors of runs and of calls. */
  errors(): readonly AgentEventOf<'error' | 'tool_error'>[]
  /** The final text, or as much of it as there was when the run stopped; undefined while the run has not ended. */
  finalResponse(): string | undefined
}

/**
 * Collects the events of a stream until it ends.
 *
 * @example
 * const seen = await collectEvents(agentEvents(run.events()))
 * console.log(seen.toolResults().length, seen.finalResponse())
 */
export async function collectEvents(events: AsyncIterable<AgentEvent> | Iterable<AgentEvent>): Promise<EventCollection> {
  const collected: AgentEvent[] = []
  for await (const event of events) collected.push(event)
  const ofType = <T extends AgentEventType>(...types: readonly T[]): readonly AgentEventOf<T>[] =>
    collected.filter((event): event is AgentEvent & AgentEventOf<T> => types.includes(event.type as T))
  return {
    events: collected,
    filter: (type) => ofType(type),
    llmContent: () => contentOf(collected),
    toolResults: () => ofType('tool_result', 'tool_error').map(({ toolResult }) => toolResult),
    errors: () => ofType('error', 'tool_error'),
    finalResponse: () => finalResponseOf(collected),
  }
}

function contentOf(events: readonly AgentEvent[]): string {
  let complete = ''
  let current = ''
  for (const event of events) {
    if (event.type === 'llm_start') current = ''
    else if (event.type === 'llm_delta') current += event.content
    else if (event.type === 'llm_complete') {
      complete += event.content
      current = ''
    }
  }
  return complete + current
}

function finalResponseOf(events: readonly AgentEvent[]): string | undefined {
  const last = events.findLast(isTerminal)
  return last && 'content' in last ? last.content : undefined
}
