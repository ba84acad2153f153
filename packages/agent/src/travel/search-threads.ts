/** Searches the threads of a journal. */
import type { Head, Journal, ThreadQuery } from '@loom-agent/kernel'
import { isRemoved } from '../thread/thread-cache.ts'
import { type Found, placesOf, wordsToFind } from './travel.ts'

/** Threads that are looked up at a time. */
const pageSize = 100

/**
 * Every event whose data holds the words, in any letter case, in the threads that a query asks for and in its order. One page of events is in memory at
 * a time. A thread that is removed meanwhile is left out from there on.
 *
 * @example
 * for await (const { at, excerpt } of searchThreads(journal, 'order 4711', { sort: 'latest' })) console.log(at, excerpt)
 */
export async function* searchThreads(journal: Journal, words: string, query: ThreadQuery = {}): AsyncGenerator<Found, void> {
  const wanted = wordsToFind(words)
  for await (const { thread } of headsOf(journal, query)) {
    try {
      yield* placesOf(journal, thread, wanted)
    } catch (error) {
      if (!isRemoved(error)) throw error
    }
  }
}

async function* headsOf(journal: Journal, { limit = Number.POSITIVE_INFINITY, ...query }: ThreadQuery): AsyncGenerator<Head, void> {
  let left = limit
  for (let next: ThreadQuery = query; left > 0; ) {
    const page = await journal.threads({ ...next, limit: Math.min(left, pageSize) })
    yield* page
    left -= page.length
    const after = page.at(-1)
    if (!after) return
    next = { ...query, after }
  }
}
