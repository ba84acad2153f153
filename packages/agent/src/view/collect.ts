/** Collecting seed events, and asking what came together. */
import { isTerminal, type SeedEvent, type SeedEventOf, type SeedEventType, type SeedToolResult } from './seed-event.ts'

/** Seed events that were collected. */
export interface SeedCollection {
  readonly events: readonly SeedEvent[]
  /** The events of one type. */
  filter<T extends SeedEventType>(type: T): readonly SeedEventOf<T>[]
  /** What the model said: every complete reply, and what there is of the one under way. Words of a failed attempt do not count. */
  llmContent(): string
  toolResults(): readonly SeedToolResult[]
  errors(): readonly SeedEventOf<'error' | 'tool_error'>[]
  /** The answer, or as much of it as there was when the run stopped; undefined while it has not ended. */
  finalResponse(): string | undefined
}

/**
 * Collects seed events to their end.
 *
 * @example
 * const seen = await collectEvents(seedEvents(run.events()))
 * console.log(seen.toolResults().length, seen.finalResponse())
 */
export async function collectEvents(events: AsyncIterable<SeedEvent> | Iterable<SeedEvent>): Promise<SeedCollection> {
  const collected: SeedEvent[] = []
  for await (const event of events) collected.push(event)
  const ofType = <T extends SeedEventType>(...types: readonly T[]): readonly SeedEventOf<T>[] =>
    collected.filter((event): event is SeedEvent & SeedEventOf<T> => types.includes(event.type as T))
  return {
    events: collected,
    filter: (type) => ofType(type),
    llmContent: () => contentOf(collected),
    toolResults: () => ofType('tool_result', 'tool_error').map(({ toolResult }) => toolResult),
    errors: () => ofType('error', 'tool_error'),
    finalResponse: () => finalResponseOf(collected),
  }
}

function contentOf(events: readonly SeedEvent[]): string {
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

function finalResponseOf(events: readonly SeedEvent[]): string | undefined {
  const last = events.findLast(isTerminal)
  return last && 'content' in last ? last.content : undefined
}
