/**
 * The event stream of the original Python project, as a projection of Loom's events and signals.
 *
 * COMPAT-1. Starts and ends are paired: a phase, a turn or the calls of a turn that begin also end before the run does.
 * COMPAT-2. A stream without signals has the same events, from the facts; only the live progress of tools is missing.
 */
import type { Frame, LoomEvent } from '@loom-agent/kernel'
import type { RunEvent } from '../../agent-type.ts'
import { isSignal } from '../../run/signal.ts'
import type { AgentEvent, EventOrigin } from './agent-event.ts'
import { callHandlers } from './call-handlers.ts'
import { type Emit, type Handlers, totalsOf } from './phases.ts'
import { emptyView, type ThreadView, turnIdOf, viewOf } from './thread-view.ts'
import { turnHandlers } from './turn-handlers.ts'

const handlers: Handlers<RunEvent['type']> = { ...turnHandlers, ...callHandlers }

/**
 * The events of the original Python project for a stream of events and signals, those of children included where the stream has them.
 *
 * To join a run in the middle, give the frame after which the stream begins; events up to it are passed over.
 *
 * @example
 * for await (const event of agentEvents(run.events())) if (event.type === AgentEventType.LLM_DELTA) write(event.content)
 */
export async function* agentEvents(events: AsyncIterable<RunEvent>, options: { after?: Frame } = {}): AsyncGenerator<AgentEvent, void> {
  const project = createProjection(options.after)
  for await (const event of events) yield* project(event)
}

/**
 * Creates a projection of the events of many threads, one event at a time.
 *
 * A run that can have no further event is forgotten: memory does not grow with the stream.
 */
export function createProjection(after?: Frame): (event: RunEvent) => readonly AgentEvent[] {
  const views = new Map<string, ThreadView>(after ? [[after.thread, viewOf(after)]] : [])
  return (event) => {
    const view = views.get(event.thread) ?? emptyView(event.thread)
    views.set(event.thread, view)
    const emitted = project(view, event)
    if (isLast(event)) views.delete(event.thread)
    return emitted
  }
}

/** Projects one event or signal. An event that the view has seen, or of an unknown type, emits nothing. */
function project(view: ThreadView, event: RunEvent): readonly AgentEvent[] {
  const handle = handlers[event.type] as ((view: ThreadView, event: RunEvent, emit: Emit) => void) | undefined
  if (!handle || (!isSignal(event) && event.seq <= view.seq)) return []
  if (!isSignal(event)) advance(view, event)
  const events: AgentEvent[] = []
  handle(view, event, (type, payload) => void events.push({ type, ...originOf(view), ...payload } as AgentEvent))
  return events
}

/** Moves the view on to the event. Of a run that is joined in the middle only what the event itself says is known. */
function advance(view: ThreadView, { seq, time, run, turn = 0, type }: LoomEvent): void {
  if (run !== undefined && run !== view.run && type !== 'run.started') Object.assign(view, emptyView(view.thread), { run, turn })
  view.seq = seq
  view.time = time
}

function originOf(view: ThreadView): EventOrigin {
  const { thread, run, time: timestamp, turn } = view
  return { thread, run, timestamp, iteration: totalsOf(view).iterations, turnId: turnIdOf(thread, turn) }
}

/** Whether nothing can follow in this run: one that failed or reached a limit may go on. */
function isLast(event: RunEvent): boolean {
  return event.type === 'run.finished' || (event.type === 'run.stopped' && (event.data.kind === 'cancelled' || event.data.kind === 'loop'))
}
