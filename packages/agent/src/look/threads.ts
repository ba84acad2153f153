/** The threads of a journal. */
import type { Head, Journal, ThreadQuery } from '@loom-agent/kernel'
import { requireJournal } from '../platform/require-journal.ts'

/** Threads that are looked up at a time. */
const pageSize = 100

/**
 * The threads that a query asks for, in its order, page by page; `limit` is how many at most. A thread that begins or changes meanwhile may be left out.
 *
 * @example
 * for await (const { thread, summary } of threads(journal, { agent: 'clerk', status: 'waiting', sort: 'latest' })) console.log(thread, summary.labels)
 */
export async function* threads(journal: Journal, query: ThreadQuery = {}): AsyncGenerator<Head, void> {
  requireJournal('threads', journal)
  const { limit = Number.POSITIVE_INFINITY, ...wanted } = query
  let left = limit
  for (let next: ThreadQuery = wanted; left > 0; ) {
    const page = await journal.threads({ ...next, limit: Math.min(left, pageSize) })
    yield* page
    left -= page.length
    const after = page.at(-1)
    if (!after) return
    next = { ...wanted, after }
  }
}
