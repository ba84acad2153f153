/** The thread table, page by page. */
import { setImmediate as pause } from 'node:timers/promises'
import { type Head, isDescribed, type ThreadQuery } from '@loom-agent/kernel'

/** Threads that one page holds at most. */
const pageSize = 512

/**
 * Lists page by page, with a pause after each, so that appends continue beside a long table. Labels are compared here: databases read JSON in
 * different ways.
 */
export async function listThreads(
  { limit = Number.POSITIVE_INFINITY, labels, ...query }: ThreadQuery = {},
  list: (page: ThreadQuery & { readonly limit: number }) => Promise<readonly Head[]>,
): Promise<readonly Head[]> {
  const found: Head[] = []
  for (let next: ThreadQuery = query; ; ) {
    const size = labels ? pageSize : Math.min(pageSize, limit - found.length)
    const page = await list({ ...next, limit: size })
    found.push(...(labels ? page.filter(({ summary }) => isDescribed(summary, { labels })) : page))
    const after = page.at(-1)
    if (after === undefined || page.length < size || found.length >= limit) return found.slice(0, limit)
    next = { ...query, after }
    await pause()
  }
}
