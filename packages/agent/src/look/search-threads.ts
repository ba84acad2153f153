/** Searches the events of one thread, or of many. */
import type { Journal } from '@loom-agent/kernel'
import type { Found, SearchQuery } from './find-words.ts'

/**
 * Every event whose data holds the words, in any letter case, in the threads that a query asks for and in its order. One page of events is in memory at
 * a time. A thread that is removed meanwhile is left out from there on, and so is one that is damaged, which is reported to `onError`.
 *
 * @example
 * for await (const { at, excerpt } of searchThreads(journal, 'order 4711', { sort: 'latest' })) console.log(at, excerpt)
 */
export async function* searchThreads(journal: Journal, words: string, query: SearchQuery = {}): AsyncGenerator<Found, void> {
  const { findInThreads } = await import('./find-words.ts')
  yield* findInThreads(journal, words, query)
}

/** Every event of a thread whose data holds the words, in any letter case. */
export async function searchThread(journal: Journal, thread: string, words: string): Promise<readonly Found[]> {
  const { findInThread } = await import('./find-words.ts')
  return findInThread(journal, thread, words)
}
