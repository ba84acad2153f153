/**
 * Filtering seed events.
 *
 * STREAM-3. Batching joins pieces of text that stand next to each other, and nothing else: what comes after a piece is told after it.
 */
import type { Clock } from '@loom-agent/kernel'
import { systemClock } from '../platform/ports.ts'
import { isLlmContent, type SeedEvent, type SeedEventOf, type SeedEventType } from './seed-event.ts'

/** Which seed events are wanted, and how pieces of text are joined. */
export interface SeedFilter {
  /** Only these; all when absent. */
  readonly allowed?: readonly SeedEventType[]
  readonly blocked?: readonly SeedEventType[]
  /** Joins up to `size` pieces of text (default 10), or as many as come within `ms` milliseconds (default 100). */
  readonly batch?: { readonly size?: number; readonly ms?: number; readonly clock?: Clock }
}

/** The wanted events of a stream, in order. */
export async function* filterEvents(events: AsyncIterable<SeedEvent>, filter: SeedFilter): AsyncGenerator<SeedEvent, void> {
  const { allowed, blocked = [], batch } = filter
  const isWanted = ({ type }: SeedEvent): boolean => (allowed?.includes(type) ?? true) && !blocked.includes(type)
  if (batch) return yield* batched(wanted(events, isWanted), batch)
  yield* wanted(events, isWanted)
}

async function* wanted(events: AsyncIterable<SeedEvent>, isWanted: (event: SeedEvent) => boolean): AsyncGenerator<SeedEvent, void> {
  for await (const event of events) if (isWanted(event)) yield event
}

type Delta = SeedEventOf<'llm_delta'>

/** Text that is held back: how many pieces it has, and when it must be told. */
interface Held {
  readonly delta: Delta
  readonly count: number
  readonly due: number
}

async function* batched(events: AsyncGenerator<SeedEvent, void>, batch: NonNullable<SeedFilter['batch']>): AsyncGenerator<SeedEvent, void> {
  const { size = 10, ms = 100, clock = systemClock } = batch
  // A failure that comes while the consumer is busy is told at the next turn of the loop, not to the process.
  const pull = (): Promise<IteratorResult<SeedEvent, void>> => {
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
      yield* admitted.told
    }
  } finally {
    // The source may be waiting for its next event: it is told to end, not waited for.
    void events.return()
  }
}

/** What is told when an event comes, and what is held back. */
function admit(
  held: Held | undefined,
  event: SeedEvent,
  rule: { size: number; due: number },
): { readonly told: readonly SeedEvent[]; readonly held: Held | undefined } {
  if (!isLlmContent(event)) return { told: held ? [held.delta, event] : [event], held: undefined }
  const joins = held !== undefined && isContinued(held.delta, event)
  const before = held && !joins ? [held.delta] : []
  const content = joins ? held.delta.content + event.content : event.content
  const grown: Held = { delta: { ...event, content }, count: joins ? held.count + 1 : 1, due: joins ? held.due : rule.due }
  return grown.count < rule.size ? { told: before, held: grown } : { told: [...before, grown.delta], held: undefined }
}

const isContinued = (held: Delta, next: Delta): boolean => next.thread === held.thread && next.run === held.run && next.iteration === held.iteration

/** What comes, or `due` when its time has come first. */
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
