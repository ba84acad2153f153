/**
 * Watching a thread: its events from a seq on.
 *
 * LOOK-3. Watching appends nothing and acquires nothing: it does not drive, resume, retry, answer or wake a thread.
 * LOOK-4. Nothing is opened before the first item is asked for. After the last one, a return or an abort, no listener and no timer is left.
 */
import type { Journal, LoomEvent } from '@loom-agent/kernel'
import { checkJournal } from '../platform/check-journal.ts'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { systemClock } from '../platform/ports.ts'
import { openChildren } from '../question/questions.ts'
import { createThreadCache } from '../thread/thread-cache.ts'
import type { RunEvent } from '../types/run-event.ts'
import { checkThread } from '../types/thread-id.ts'
import { whenAtRest } from './at-rest.ts'
import type { LookSource } from './thread-view.ts'
import { type TreeView, viewTree } from './tree-view.ts'
import type { WatchOptions } from './watch-options.ts'

const watchShape: Shape & Record<keyof WatchOptions, Expected> = {
  from: expected.whole(1),
  nested: expected.flag,
  until: expected.oneOf('rest'),
  signal: expected.signal,
}

/**
 * The events of a thread, whatever process drives it. Needs the journal alone, and never drives, resumes, retries or answers anything. Signals are
 * emitted by the process that drives the thread: there, `agent.watch` has them too.
 *
 * @example
 * for await (const event of watch(journal, 'user-123', { from: 42, until: 'rest' })) console.log(event.seq, event.type)
 */
export function watch(journal: Journal, thread: string, options: WatchOptions = {}): AsyncIterableIterator<LoomEvent> {
  checkJournal('watch', journal)
  const source: LookSource = { journal, clock: systemClock, threads: createThreadCache(journal) }
  // Without a bus there are no signals.
  return watchThread(source, thread, options) as AsyncIterableIterator<LoomEvent>
}

/** What is open while a thread is watched. */
interface Watching {
  next(): Promise<IteratorResult<RunEvent>>
  end(): void
}

/** The events of a thread, and its signals where the source has a bus. */
export function watchThread(source: LookSource, thread: string, options: WatchOptions): AsyncIterableIterator<RunEvent> {
  checkThread(thread)
  checkOptions('watch', options, watchShape)
  const { signal } = options
  let watching: Watching | undefined
  let isOver = false
  const close = (): void => {
    isOver = true
    signal?.removeEventListener('abort', close)
    watching?.end()
  }
  const open = (): Watching => {
    signal?.addEventListener('abort', close, { once: true })
    return openWatch(source, thread, options)
  }
  return {
    async next() {
      if (isOver || signal?.aborted) return { done: true, value: undefined }
      watching ??= open()
      try {
        const item = await watching.next()
        if (item.done) close()
        return item
      } catch (error) {
        close()
        throw error
      }
    },
    async return() {
      close()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

function openWatch(source: LookSource, thread: string, { from = 1, nested = false, until }: WatchOptions): Watching {
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
