/** Views of threads: folds over events that take one event at a time. */
import type { LoomEvent } from '@loom-agent/kernel'

/**
 * A view of one thread, as a fold.
 *
 * VIEW-1. A view is a function of the events alone: folding them at once, one by one, or on from a stored state gives the same.
 * VIEW-2. A state is plain JSON. A stored state of another version is not used, so a change of the fold is a new version.
 */
export interface Projection<State, View> {
  /** Names the projection; part of the key under which its states are stored. */
  readonly name: string
  /** The version of the fold: states of another version are folded anew. */
  readonly version: number
  /** The state before the first event. */
  start(): State
  /** Takes the next event into the state, which it changes in place. It must not throw, whatever order events come in, and must keep no event. */
  apply(state: State, event: LoomEvent): void
  /** What people look at. It must not change the state. It may share parts of it, which change with the next event: who keeps a view copies it. */
  view(state: State): View
}

/** The view of the given events, all of one thread. */
export function viewOf<State, View>(projection: Projection<State, View>, events: Iterable<LoomEvent>): View {
  const state = projection.start()
  for (const event of events) projection.apply(state, event)
  return projection.view(state)
}
