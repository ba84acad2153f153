/** Every thread of a journal, one by one. */
import type { Head, Journal, ThreadQuery } from '@loom-agent/kernel'

/** Every thread that matches a query, page by page, also while threads are being removed. */
export async function* allHeads(journal: Journal, query: Omit<ThreadQuery, 'after' | 'limit'> = {}): AsyncGenerator<Head, void> {
  for (let after: string | undefined; ; ) {
    const page = await journal.threads({ ...query, ...(after !== undefined && { after }), limit: 100 })
    yield* page
    after = page.at(-1)?.thread
    if (after === undefined) return
  }
}
