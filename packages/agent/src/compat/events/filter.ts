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

/** Text that is held back: how many pieces it has, and when it must be emitted. */
interface Held {
  readonly delta: Delta
  readonly count: number
  readonly due: number
}

async function* batched(events: AsyncGenerator<AgentEvent, void>, batch: NonNullable<EventFilter['batch']>): AsyncGenerator<AgentEvent, void> {
  const { size = 10, ms = 100, clock = systemClock } = batch
  // A failure that comes while the consumer is busy is thrown by the next pull; until then it is not an unhandled rejection.
  const pull = (): Promise<IteratorResult<AgentEvent, void>> => {
    const pulled = events.next()
    pulled.catch(() => {})
    return pulled
  }
  let held: Held | undefined
  let coming = pull()
  try {
    for (;;) {
      const next = await (held ? beforeTime(coming, held.due, clock) : coming)
      if (next === 'due' || next.done) {
        const last = held
        held = undefined
        if (last) yield last.delta
        if (next === 'due') continue
        return
      }
      coming = pull()
      const admitted = admit(held, next.value, { size, due: clock.now() + ms })
      held = admitted.held
      yield* admitted.emitted
    }
  } finally {
    // The source may be waiting for its next event, so its end is not waited for.
    void events.return()
  }
}

/** What is emitted when an event comes, and what is held back. */
function admit(
  held: Held | undefined,
  event: AgentEvent,
  rule: { size: number; due: number },
): { readonly emitted: readonly AgentEvent[]; readonly held: Held | undefined } {
  if (!isLlmContent(event)) return { emitted: held ? [held.delta, event] : [event], held: undefined }
  const joins = held !== undefined && isContinued(held.delta, event)
  const before = held && !joins ? [held.delta] : []
  const content = joins ? held.delta.content + event.content : event.content
  const grown: Held = { delta: { ...event, content }, count: joins ? held.count + 1 : 1, due: joins ? held.due : rule.due }
  return grown.count < rule.size ? { emitted: before, held: grown } : { emitted: [...before, grown.delta], held: undefined }
}

const isContinued = (held: Delta, next: Delta): boolean => next.thread === held.thread && next.run === held.run && next.iteration === held.iteration

/** The next event, or `due` when the time comes first. */
function beforeTime<T>(coming: Promise<T>, due: number, clock: Clock): Promise<T | 'due'> {
  return new Promise((resolve, reject) => {
    const cancel = clock.at(due, () => resolve('due'))
    coming.then(
      (value) => {
        cancel()
        resolve(value)
      },
      (error: unknown) => {
        cancel()
        reject(error)
      },
    )
  })
}
