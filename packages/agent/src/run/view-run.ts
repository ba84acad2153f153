/** The events of a run, for one viewer. */
import type { RunEvent } from '../types/run-event.ts'
import type { RunFollower } from './follower-state.ts'
import { createViewer } from './viewer.ts'

/** What a viewer wants to see. */
export interface ViewRequest {
  /** Resolves when the run has started, or could not. */
  readonly started: Promise<void>
  /** The first seq; undefined: where the handle began. */
  readonly from: number | undefined
  readonly nested: boolean
}

/** Events and signals of a run, from a seq on or from where the handle began. */
export function viewRun(follower: RunFollower, { started, from, nested }: ViewRequest): AsyncIterableIterator<RunEvent> {
  const { instance, request, viewers, settlement } = follower
  const { journal, bus } = instance.runtime
  let isDetached = false
  let unsubscribe = (): void => {}
  const viewer = createViewer(journal, request.thread, () => {
    isDetached = true
    unsubscribe()
    viewers.delete(viewer)
  })
  viewers.add(viewer)
  const begin = async (): Promise<void> => {
    const { incarnation } = follower
    viewer.start(from ?? follower.from ?? (await startOf(follower)), incarnation)
    if (!isDetached && incarnation !== undefined) unsubscribe = bus.view(incarnation, { nested, push: viewer.push, join: viewer.join })
    viewer.hint(follower.seen)
    if (settlement.isSettled()) viewer.end(follower.seen)
  }
  void started.then(begin).catch(viewer.fail)
  return viewer
}

async function startOf(follower: RunFollower): Promise<number> {
  // Loaded on use: most handles have started their run.
  const { findStart } = await import('./look-again.ts')
  return findStart(follower)
}
