/** Searches the threads of a journal. */
import type { Journal, ThreadQuery } from '@loom-agent/kernel'
import { threads } from '../look/threads.ts'
import { requireJournal } from '../platform/require-journal.ts'
import { isRemoved } from '../thread/thread-cache.ts'
import { type Found, placesOf, wordsToFind } from './travel.ts'

/**
 * Every event whose data holds the words, in any letter case, in the threads that a query asks for and in its order. One page of events is in memory at
 * a time. A thread that is removed meanwhile is left out from there on.
 *
 * @example
 * for await (const { at, excerpt } of searchThreads(journal, 'order 4711', { sort: 'latest' })) console.log(at, excerpt)
 */
export async function* searchThreads(journal: Journal, words: string, query: ThreadQuery = {}): AsyncGenerator<Found, void> {
  requireJournal('searchThreads', journal)
  const wanted = wordsToFind(words)
  for await (const { thread } of threads(journal, query)) {
    try {
      yield* placesOf(journal, thread, wanted)
    } catch (error) {
      if (!isRemoved(error)) throw error
    }
  }
}
