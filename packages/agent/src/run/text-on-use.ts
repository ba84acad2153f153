/** The text of a run, read by code that is loaded on use: the view of its events has begun, and what comes meanwhile waits in it. */
import type { RunEvent } from '../types/run-event.ts'
import type { TextSource } from './texts.ts'

/** The pieces of text in a stream of events. A consumer may leave at any time, also while it waits. */
export function textOnUse(events: AsyncIterableIterator<RunEvent>, source: TextSource): AsyncIterableIterator<string> {
  let texts: Promise<AsyncIterableIterator<string>> | undefined
  let isOver = false
  const load = async (): Promise<AsyncIterableIterator<string>> => (await import('./texts.ts')).textsOf(events, source)
  const open = (): Promise<AsyncIterableIterator<string>> => {
    texts ??= load()
    return texts
  }
  return {
    next: async () => (isOver ? { done: true, value: undefined } : (await open()).next()),
    async return() {
      isOver = true
      await events.return?.()
      await (await texts)?.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
