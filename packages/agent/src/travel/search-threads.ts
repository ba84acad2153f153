/** Searches the threads of a journal. */
import { isLoomError, type Journal, type ThreadQuery } from '@loom-agent/kernel'
import { threads } from '../look/threads.ts'
import { messageOf } from '../platform/normalize.ts'
import { requireJournal } from '../platform/require-journal.ts'
import { notify } from '../resilience/notify.ts'
import { isRemoved } from '../thread/thread-cache.ts'
import { type Found, placesOf, wordsToFind } from './travel.ts'

/** Which threads are searched. */
export type SearchQuery = ThreadQuery & {
  /** Called with the error of a thread that cannot be read; default: the log has it. */
  readonly onError?: (error: unknown) => void
}

/**
 * Every event whose data holds the words, in any letter case, in the threads that a query asks for and in its order. One page of events is in memory at
 * a time. A thread that is removed meanwhile is left out from there on, and so is one that is damaged, which is reported to `onError`.
 *
 * @example
 * for await (const { at, excerpt } of searchThreads(journal, 'order 4711', { sort: 'latest' })) console.log(at, excerpt)
 */
export async function* searchThreads(journal: Journal, words: string, query: SearchQuery = {}): AsyncGenerator<Found, void> {
  requireJournal('searchThreads', journal)
  const wanted = wordsToFind(words)
  const { onError = (error: unknown) => console.warn(`searchThreads: ${messageOf(error)}`), ...wantedThreads } = query
  for await (const { thread } of threads(journal, wantedThreads)) {
    try {
      yield* placesOf(journal, thread, wanted)
    } catch (error) {
      if (isRemoved(error)) continue
      if (!isUnreadable(error)) throw error
      notify(onError, error)
    }
  }
}

/** Whether an error is of one thread alone: the others can be read. */
const isUnreadable = (error: unknown): boolean =>
  isLoomError(error) && (error.code === 'LOOM_JOURNAL_DAMAGED' || error.code === 'LOOM_THREAD_UNREADABLE')
