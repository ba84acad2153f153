/**
 * Filtering events.
 *
 * COMPAT-3. Batching joins adjacent pieces of text, and nothing else: the order of events does not change.
 */
import type { Clock } from '@loom-agent/kernel'
import { systemClock } from '../../platform/ports.ts'
import { type AgentEvent, type AgentEventOf, type AgentEventType, isLlmContent } from './agent-event.ts'

/** Which events are wanted, and how pieces of text are joined. */
export interface EventFilter {
  /** Only these; all when absent. */
  readonly allowed?: readonly AgentEventType[]
  /** None of these; default: none is left out. */
  readonly blocked?: readonly AgentEventType[]
  /** Joins up to `size` pieces of text (default 10), or as many as come within `ms` milliseconds (default 100). */
  readonly batch?: { readonly size?: number; readonly ms?: number; readonly clock?: Clock }
}

/** The wanted events of a stream, in order. */
export async function* filterEvents(events: AsyncIterable<AgentEvent>, filter: EventFilter): AsyncGenerator<AgentEvent, void> {
  const { allowed, blocked = [], batch } = filter
  const isWanted = ({ type }: AgentEvent): boolean => (allowed?.includes(type) ?? true) && !blocked.includes(type)
  if (batch) return yield* batched(wanted(events, isWanted), batch)
  yield* wanted(events, isWanted)
}

async function* wanted(events: AsyncIterable<AgentEvent>, isWanted: (event: AgentEvent) => boolean): AsyncGenerator<AgentEvent, void> {
  for await (const event of events) if (isWanted(event)) yield event
}

type Delta = AgentEventOf<'llm_delta'>

async function* batched(events: AsyncGenerator<AgentEvent, void>, batch: NonNullable<EventFilter['batch']>): AsyncGenerator<AgentEvent, void> {
  const { size = 10, ms = 100, clock = systemClock } = batch
  /** Text that is held back, how many pieces it has, and when it must be emitted. */
  let held: Delta | undefined
  let count = 0
  let due: Promise<'due'> | undefined
  let cancelTimer = (): void => {}
  const release = (): readonly Delta[] => {
    const released = held ? [held] : []
    cancelTimer()
    held = undefined
    due = undefined
    count = 0
    return released
  }
  // A failure that comes while the consumer is busy is thrown by the next pull; until then it is not an unhandled rejection.
  const pull = (): Promise<IteratorResult<AgentEvent, void>> => {
    const pulled = events.next()
    pulled.catch(() => {})
    return pulled
  }
  let coming = pull()
  try {
    for (;;) {
      const next = await (due ? Promise.race([coming, due]) : coming)
      if (next === 'due') {
        yield* release()
        continue
      }
      if (next.done) return yield* release()
      coming = pull()
      const event = next.value
      if (!isLlmContent(event)) {
        yield* release()
        yield event
        continue
      }
      if (held && !isContinued(held, event)) yield* release()
      due ??= new Promise((resolve) => (cancelTimer = clock.at(clock.now() + ms, () => resolve('due'))))
      held = { ...event, content: (held?.content ?? '') + event.content }
      count += 1
      if (count >= size) yield* release()
    }
  } finally {
    cancelTimer()
    // The source may be waiting for its next event, so its end is not waited for.
    void events.return()
  }
}

const isContinued = (held: Delta, next: Delta): boolean => next.thread === held.thread && next.run === held.run && next.iteration === held.iteration
