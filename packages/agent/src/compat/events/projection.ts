/**
 * The event stream of the original Python project, as a projection of Loom's events and signals.
 *
 * COMPAT-1. Starts and ends are paired: a phase, a turn or the calls of a turn that begin also end before the run does.
 * COMPAT-2. A stream without signals has the same events, from the facts; only the live progress of tools is missing.
 */
import { evolve, type Frame, type LoomEvent } from '@loom-agent/kernel'
import type { RunEvent } from '../../types/run-event.ts'
import { isSignal } from '../../types/signal.ts'
import type { AgentEvent } from './agent-event.ts'
import { callHandlers } from './call-handlers.ts'
import { joinedView, type ThreadView, viewOf } from './thread-view.ts'
import { type Handlers, turnHandlers } from './turn-handlers.ts'

const handlers: Handlers = { ...turnHandlers, ...callHandlers }

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
 * It keeps the frame of each thread that is under way. A run that can have no further event is forgotten: memory does not grow with the stream.
 */
export function createProjection(after?: Frame): (event: RunEvent) => readonly AgentEvent[] {
  const views = new Map<string, ThreadView>(after ? [[after.thread, viewOf(after)]] : [])
  return (event) => {
    const known = views.get(event.thread)
    if (isSignal(event)) return known ? project(known, event) : []
    if (known && event.seq <= known.frame.seq) return []
    const view = known && isKnownRun(known, event) ? known : joinedView(event)
    view.before = view.frame
    view.frame = evolve(view.frame, event)
    if (isLast(event) && view.frame.queue.length === 0) views.delete(event.thread)
    else views.set(event.thread, view)
    return project(view, event)
  }
}

/** What one event or signal emits; one without a counterpart emits nothing. */
function project(view: ThreadView, event: RunEvent): readonly AgentEvent[] {
  view.events = []
  view.turn = view.frame.turn
  const handle = handlers[event.type] as ((view: ThreadView, event: RunEvent) => void) | undefined
  handle?.(view, event)
  return view.events
}

const isKnownRun = ({ frame }: ThreadView, { run, type }: LoomEvent): boolean =>
  run === undefined || run === frame.run?.id || type === 'run.started' || type === 'run.queued'

/** Whether nothing can follow in this run: one that failed or reached a limit may go on. */
function isLast(event: LoomEvent): boolean {
  return event.type === 'run.finished' || (event.type === 'run.stopped' && event.data.kind !== 'limit' && event.data.kind !== 'budget')
}
