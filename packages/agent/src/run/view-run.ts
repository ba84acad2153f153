/** The events of a run, for one viewer. */
import { serialIterator } from '../platform/serial-iterator.ts'
import { type Cursor, rootSeq } from '../stream/cursor.ts'
import { viewTree } from '../stream/tree-view.ts'
import { createViewer, type Viewer } from '../stream/viewer.ts'
import type { RunEvent } from '../types/run-event.ts'
import type { RunFollower, RunViewer } from './follower-state.ts'

/** What a viewer wants to see. */
export interface ViewRequest {
  /** Resolves when the run has started, or could not. */
  readonly started: Promise<void>
  /** Where to begin; undefined: where the handle began. */
  readonly from: Cursor | undefined
  /** Whether the events of children are shown too. */
  readonly nested?: boolean | undefined
}

/** Events and signals of a run, from a seq on or from where the handle began. */
export function viewRun(follower: RunFollower, request: ViewRequest): AsyncIterableIterator<RunEvent> {
  return request.nested ? viewTreeOfRun(follower, request) : openViewer(follower, request, (viewer) => viewer).viewer
}

/** Events and signals of a run and of its children. */
function viewTreeOfRun(follower: RunFollower, request: ViewRequest): AsyncIterableIterator<RunEvent> {
  const { instance } = follower
  const { thread } = follower.request
  const { viewer, from } = openViewer(follower, request, ({ push }) => ({
    push,
    end: (lastSeq) => tree.end(lastSeq),
    fail: (error) => tree.fail(error),
  }))
  const view = { viewer, begin: () => {}, end: async (lastSeq = follower.seen) => viewer.end(lastSeq) }
  const tree = viewTree(instance.runtime, { thread, view, from, cursor: request.from })
  return serialIterator(tree.next, tree.close)
}

/** The viewer of the run's thread, and where it begins. `list` makes what the follower of the run notifies. */
function openViewer(
  follower: RunFollower,
  { started, from: cursor }: ViewRequest,
  list: (viewer: Viewer) => RunViewer,
): { readonly viewer: Viewer; readonly from: Promise<number> } {
  const { instance, request, viewers, settlement } = follower
  const { journal, bus } = instance.runtime
  let isDetached = false
  let unsubscribe = (): void => {}
  const viewer = createViewer(journal, request.thread, () => {
    isDetached = true
    unsubscribe()
    viewers.delete(listed)
  })
  const listed = list(viewer)
  viewers.add(listed)
  const begin = async (): Promise<number> => {
    const { incarnation } = follower
    const from = rootSeq(cursor, request.thread) ?? follower.from ?? (await startOf(follower))
    viewer.start(from, incarnation)
    if (!isDetached && incarnation !== undefined) unsubscribe = bus.view(incarnation, viewer)
    viewer.hint(follower.seen)
    if (settlement.isSettled()) listed.end(follower.seen)
    return from
  }
  const from = started.then(begin)
  from.catch(listed.fail)
  return { viewer, from }
}

async function startOf(follower: RunFollower): Promise<number> {
  // Loaded on use: most handles have started their run.
  const { findStart } = await import('./look-again.ts')
  return findStart(follower)
}
