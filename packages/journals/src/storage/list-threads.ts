/** The thread table, page by page. */
import { setImmediate as pause } from 'node:timers/promises'
import type { Head, ThreadQuery } from '@loom-agent/kernel'

/** Threads that one page holds at most. */
const pageSize = 512

/** Lists page by page, with a pause after each, so that appends continue beside a long table. */
export async function listThreads(
  { limit = Number.POSITIVE_INFINITY, ...query }: ThreadQuery = {},
  list: (page: ThreadQuery & { readonly limit: number }) => Promise<readonly Head[]>,
): Promise<readonly Head[]> {
  const found: Head[] = []
  for (let next: ThreadQuery = query; ; ) {
    const page = await list({ ...next, limit: Math.min(pageSize, limit - found.length) })
    found.push(...page)
    const after = page.at(-1)?.thread
    if (after === undefined || page.length < pageSize) return found
    next = { ...query, after }
    await pause()
  }
}
