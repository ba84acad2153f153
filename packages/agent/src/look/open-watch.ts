/** Opens what is needed to watch a thread: its view or the views of its tree, and the look for its rest. */
import { rootSeq } from '../stream/cursor.ts'
import { type ViewSource, viewThread } from '../stream/thread-view.ts'
import { type TreeView, viewTree } from '../stream/tree-view.ts'
import type { RunEvent } from '../types/run-event.ts'
import { whenAtRest } from './at-rest.ts'
import type { WatchOptions } from './watch-options.ts'

/** What is open while a thread is watched. */
export interface Watching {
  next(): Promise<IteratorResult<RunEvent>>
  end(): void
}

/** Opens the views of a thread. They are open until `end` is called. */
export function openWatch(source: ViewSource, thread: string, { from: cursor, nested = false, until }: WatchOptions): Watching {
  const from = rootSeq(cursor, thread) ?? 1
  const view = viewThread(source, thread, { from })
  const views = nested ? viewTree(source, { thread, view, from, cursor }) : single(view)
  const stopLooking = until === undefined ? () => {} : whenAtRest(source, thread, { rests: views.end, failed: views.fail })
  return {
    next: views.next,
    end() {
      stopLooking()
      views.close()
    },
  }
}

/** A thread without its children. */
const single = ({ viewer, end }: ReturnType<typeof viewThread>): TreeView => ({
  next: viewer.next,
  end: (lastSeq) => void end(lastSeq),
  fail: viewer.fail,
  close: () => void viewer.return?.(),
})
