/** What the handlers of the projection share: a fresh view to change, a way to tell, and the few moves that keep starts and ends paired. */
import type { LoomEvent } from '@loom-agent/kernel'
import type { RunEvent } from '../types/run-event.ts'
import type { SeedEventType, SeedPayloads, SeedPhase, SeedTotals } from './seed-event.ts'
import { plainCall, type SeedView } from './seed-view.ts'

/** A fresh copy of a view that a handler may change. */
export type FreshView = { -readonly [K in keyof SeedView]: SeedView[K] }
/** Tells viewers of a seed event. */
export type Tell = <T extends SeedEventType>(type: T, payload: SeedPayloads[T]) => void
/** Handlers for some types of events and signals. */
export type SeedHandlers<T extends RunEvent['type']> = {
  readonly [K in T]: (view: FreshView, event: Extract<RunEvent, { type: K }>, tell: Tell) => void
}

/** An event or signal that no seed event stands for. */
export function nothing(): void {}

/** Begins a phase, and ends the one before. */
export function openPhase(view: FreshView, phase: SeedPhase, tell: Tell): void {
  if (view.phase === phase) return
  closePhase(view, tell)
  view.phase = phase
  tell('phase_start', { phase })
  if (phase === 'context_assembly') tell('context_assembly_start', {})
  // After a wait the calls of the turn go on; they were told.
  const isNew = view.calls.length > 0 && view.calls.every((call) => !call.isStarted && !call.isSettled)
  if (phase === 'tool_execution' && isNew) tell('tool_calls_start', { toolCalls: view.calls.map(plainCall) })
}

/** Ends the phase that is open. */
export function closePhase(view: FreshView, tell: Tell): void {
  if (view.phase) tell('phase_end', { phase: view.phase })
  view.phase = undefined
}

/** Ends the phase and the turn that are open, before the run's own end is told. */
export function closeTurn(view: FreshView, tell: Tell): void {
  closePhase(view, tell)
  if (view.isTurnOpen) tell('iteration_end', {})
  view.isTurnOpen = false
}

/** How the run is doing. */
export function totalsOf({ turn, firstTurn, toolCalls, errors }: SeedView): SeedTotals {
  return { iterations: Math.max(0, turn - firstTurn + 1), toolCalls, errors }
}

/** The moment of an event. */
export function momentOf({ thread, seq }: LoomEvent): string {
  return `${thread}@${seq}`
}
