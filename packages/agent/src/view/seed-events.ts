/**
 * Seed events: the event stream of the founding documents as a projection of Loom's events and signals.
 *
 * SEED-1. The projection is pure: what is told depends on the view and on the event, on nothing else.
 * SEED-2. Starts and ends are paired: a phase, a turn or the calls of a turn that begin also end before the run does.
 * SEED-3. What a viewer without signals cannot see live it is told when it is a fact; only the progress of tools is live alone.
 */
import type { Frame, LoomEvent } from '@loom-agent/kernel'
import type { RunEvent } from '../agent-type.ts'
import { isSignal } from '../run/signal.ts'
import { callHandlers } from './seed-calls.ts'
import type { SeedEvent } from './seed-event.ts'
import { type FreshView, type SeedHandlers, type Tell, totalsOf } from './seed-tell.ts'
import { turnHandlers } from './seed-turns.ts'
import { emptyView, type SeedView, turnIdOf, viewOf } from './seed-view.ts'

const handlers: SeedHandlers<RunEvent['type']> = { ...turnHandlers, ...callHandlers }

/** What an event makes of a view, and what it tells. */
export interface Projected {
  readonly view: SeedView
  readonly events: readonly SeedEvent[]
}

/** Projects one event or signal of the view's thread. An event that the view has seen, and a type that nobody knows, tell nothing. */
export function projectSeed(view: SeedView, event: RunEvent): Projected {
  const handle = handlers[event.type] as ((view: FreshView, event: RunEvent, tell: Tell) => void) | undefined
  if (!handle || (!isSignal(event) && event.seq <= view.seq)) return { view, events: [] }
  const next: FreshView = { ...view }
  if (!isSignal(event)) moveOn(next, event)
  const events: SeedEvent[] = []
  const tell: Tell = (type, payload) => void events.push({ type, ...placeOf(next), ...payload } as SeedEvent)
  handle(next, event, tell)
  return { view: next, events }
}

/** Whoever joins in the middle of a run knows only what the event says of its place. */
function moveOn(view: FreshView, event: LoomEvent): void {
  view.seq = event.seq
  view.time = event.time
  if (event.run !== undefined && event.run !== view.run && event.type !== 'run.started') {
    Object.assign(view, { ...emptyView(view.thread), seq: event.seq, time: event.time, run: event.run, turn: event.turn ?? 0 })
  }
}

function placeOf(view: SeedView): Pick<SeedEvent, 'thread' | 'run' | 'timestamp' | 'iteration' | 'turnId'> {
  const { thread, run, time: timestamp, turn } = view
  return { thread, run, timestamp, iteration: totalsOf(view).iterations, turnId: turnIdOf(thread, turn) }
}

/** Projects the events of many threads. A run that is over is forgotten: memory does not grow with the stream. */
export function createSeedProjection(after?: Frame): (event: RunEvent) => readonly SeedEvent[] {
  const views = new Map<string, SeedView>(after ? [[after.thread, viewOf(after)]] : [])
  return (event) => {
    const { view, events } = projectSeed(views.get(event.thread) ?? emptyView(event.thread), event)
    if (isLast(event)) views.delete(event.thread)
    else views.set(event.thread, view)
    return events
  }
}

/** Whether nothing can follow in this run: one that failed or reached a limit may go on. */
function isLast(event: RunEvent): boolean {
  return event.type === 'run.finished' || (event.type === 'run.stopped' && (event.data.kind === 'cancelled' || event.data.kind === 'loop'))
}

/**
 * The seed events of a stream of events and signals, those of children included where the stream has them.
 *
 * Whoever joins a run in the middle gives the frame after which the stream begins; events up to it are passed over.
 *
 * @example
 * for await (const event of seedEvents(run.events())) if (event.type === seedEventTypes.LLM_DELTA) write(event.content)
 */
export async function* seedEvents(events: AsyncIterable<RunEvent>, options: { after?: Frame } = {}): AsyncGenerator<SeedEvent, void> {
  const project = createSeedProjection(options.after)
  for await (const event of events) yield* project(event)
}
