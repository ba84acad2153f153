/**
 * Watching a thread: its events from a seq on.
 *
 * LOOK-3. Watching appends nothing and acquires nothing: it does not drive, resume, retry, answer or wake a thread.
 * LOOK-4. Nothing is opened before the first item is asked for. After the last one, a return or an abort, no listener and no timer is left.
 */

import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { serialIterator } from '../platform/serial-iterator.ts'
import { expectedCursor } from '../stream/cursor.ts'
import type { ViewSource } from '../stream/thread-view.ts'
import type { RunEvent } from '../types/run-event.ts'
import { checkThread } from '../types/thread-id.ts'
import type { Watching } from './open-watch.ts'
import type { WatchOptions } from './watch-options.ts'

const watchShape: Shape & Record<keyof WatchOptions, Expected> = {
  from: expectedCursor,
  nested: expected.flag,
  until: expected.oneOf('rest'),
  signal: expected.signal,
}

/** The events of a thread, and its signals where the source has a bus. */
export function watchThread(source: ViewSource, thread: string, options: WatchOptions): AsyncIterableIterator<RunEvent> {
  checkThread(thread)
  checkOptions('watch', options, watchShape)
  const { signal } = options
  let opening: Promise<Watching> | undefined
  let isOver = false
  const close = (): void => {
    isOver = true
    signal?.removeEventListener('abort', close)
    opening?.then(
      (watching) => watching.end(),
      () => {
        // `next` has thrown why it could not be opened.
      },
    )
  }
  const open = async (): Promise<Watching> => {
    signal?.addEventListener('abort', close, { once: true })
    // Loaded on use: many programs never watch.
    const { openWatch } = await import('./open-watch.ts')
    return openWatch(source, thread, options)
  }
  const read = async (): Promise<IteratorResult<RunEvent>> => {
    if (isOver || signal?.aborted) return { done: true, value: undefined }
    opening ??= open()
    try {
      const item = await (await opening).next()
      if (item.done) close()
      return item
    } catch (error) {
      close()
      throw error
    }
  }
  return serialIterator(read, close)
}
