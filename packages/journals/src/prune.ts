/** Retention: threads that have ended are removed after a time. */
import type { Head, Journal, Summary } from '@loom-agent/kernel'
import { allHeads } from './all-heads.ts'
import { isDamage } from './failure.ts'

/** Which threads are removed. */
export interface PruneOptions {
  /** Threads whose last event is from before this moment, in milliseconds. */
  readonly olderThan: number
  /** Statuses that count as ended; done, failed and stopped by default. */
  readonly status?: readonly Summary['status'][]
}

/**
 * Removes threads that ended before a moment, and answers which. What somebody drives, what has a child that has not ended, and what is damaged stays.
 *
 * @example
 * await prune(journal, { olderThan: Date.now() - 30 * 24 * 3600_000 })
 */
export async function prune(journal: Journal, { olderThan, status = ['done', 'failed', 'stopped'] }: PruneOptions): Promise<readonly string[]> {
  const removed: string[] = []
  for (const ended of status) {
    for await (const head of allHeads(journal, { status: ended })) {
      if (head.holder !== undefined || !(await isOlder(journal, head, olderThan)) || (await hasLivingChild(journal, head, status))) continue
      await journal.remove(head.thread)
      removed.push(head.thread)
    }
  }
  return removed
}

async function isOlder(journal: Journal, { thread, seq }: Head, moment: number): Promise<boolean> {
  try {
    const [last] = await journal.read(thread, { from: seq, limit: 1 })
    return last !== undefined && last.time < moment
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  }
}

async function hasLivingChild(journal: Journal, { thread }: Head, ended: readonly Summary['status'][]): Promise<boolean> {
  for await (const { summary } of allHeads(journal, { parent: thread })) if (!ended.includes(summary.status)) return true
  return false
}
