/** What the handlers of the projection share: the steps that keep starts and ends paired. */
import type { RunEvent } from '../../agent-type.ts'
import type { AgentEventPayloads, AgentEventType, EventPhase, RunTotals } from './agent-event.ts'
import type { ThreadView } from './thread-view.ts'

/** Emits an event about the thread of the view. */
export type Emit = <T extends AgentEventType>(type: T, payload: AgentEventPayloads[T]) => void
/** Handlers for some types of events and signals. A handler changes the view. */
export type Handlers<T extends RunEvent['type']> = {
  readonly [K in T]: (view: ThreadView, event: Extract<RunEvent, { type: K }>, emit: Emit) => void
}

/** Handles events and signals that have no counterpart. */
export function ignore(): void {}

/** Begins a phase, and ends the one before. */
export function openPhase(view: ThreadView, phase: EventPhase, emit: Emit): void {
  if (view.phase === phase) return
  closePhase(view, emit)
  view.phase = phase
  emit('phase_start', { phase })
  if (phase === 'context_assembly') emit('context_assembly_start', {})
  // After a wait the calls of the turn go on: their start was emitted before.
  const isNew = view.calls.length > 0 && view.calls.every(({ isStarted, isSettled }) => !isStarted && !isSettled)
  if (phase === 'tool_execution' && isNew) emit('tool_calls_start', { toolCalls: view.calls.map(({ call }) => call) })
}

/** Ends the phase that is open. */
export function closePhase(view: ThreadView, emit: Emit): void {
  if (view.phase) emit('phase_end', { phase: view.phase })
  view.phase = undefined
}

/** Ends the phase and the turn that are open. */
export function closeTurn(view: ThreadView, emit: Emit): void {
  closePhase(view, emit)
  if (view.isTurnOpen) emit('iteration_end', {})
  view.isTurnOpen = false
}

/** The counts of the run so far. */
export function totalsOf({ turn, firstTurn, toolCalls, errors }: ThreadView): RunTotals {
  return { iterations: Math.max(0, turn - firstTurn + 1), toolCalls, errors }
}
