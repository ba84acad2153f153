/** The events of a run, viewed by code that is loaded on use: a run whose result alone is awaited needs none of it. */
import type { RunEvent } from '../types/run-event.ts'
import type { RunFollower } from './follower-state.ts'
import type { ViewRequest } from './view-run.ts'

/** Events and signals of a run. The run waits for the code before it is driven or refused: what views it from the start misses nothing. */
export function eventsOf(follower: RunFollower, request: ViewRequest): AsyncIterableIterator<RunEvent> {
  let view: AsyncIterableIterator<RunEvent> | undefined
  const opening = import('./view-run.ts').then(({ viewRun }) => {
    view = viewRun(follower, request)
    return view
  })
  follower.opening = opening
  // What cannot be loaded is reported to the consumer, and to no other caller.
  opening.catch(() => {})
  return {
    next: () => (view ? view.next() : opening.then((opened) => opened.next())),
    async return() {
      await (view ?? (await opening)).return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
