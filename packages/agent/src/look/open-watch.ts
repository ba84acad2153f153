/** Opens what is needed to watch a thread: the views of its tree, and the look for its rest. */
import { openChildren } from '../question/questions.ts'
import type { RunEvent } from '../types/run-event.ts'
import { whenAtRest } from './at-rest.ts'
import type { LookSource } from './thread-view.ts'
import { type TreeView, viewTree } from './tree-view.ts'
import type { WatchOptions } from './watch-options.ts'

/** What is open while a thread is watched. */
export interface Watching {
  next(): Promise<IteratorResult<RunEvent>>
  end(): void
}

/** Opens the views of a thread. They are open until `end` is called. */
export function openWatch(source: LookSource, thread: string, { from = 1, nested = false, until }: WatchOptions): Watching {
  const tree = viewTree(source, thread, { from, nested })
  let isEnded = false
  let stopLooking = (): void => {}
  const start = async (): Promise<void> => {
    if (nested && from > 1) await addOpenChildren(source, thread, tree)
    if (until !== undefined && !isEnded) stopLooking = whenAtRest(source, thread, { rests: tree.end, failed: tree.fail })
  }
  const started = start()
  return {
    async next() {
      await started
      return tree.next()
    },
    end() {
      isEnded = true
      stopLooking()
      tree.close()
    },
  }
}

/** Children that were started before the first seq and are at work are shown from their beginning. */
async function addOpenChildren({ threads }: LookSource, thread: string, tree: TreeView): Promise<void> {
  try {
    const { frame } = await threads.load(thread)
    for (const child of openChildren(frame)) tree.add(child, thread)
  } catch (error) {
    tree.fail(error)
  }
}
