/** Retention: removes threads that ended some time ago. */
import { type Head, isLoomError, type Journal, type Summary } from '@loom-agent/kernel'
import { allHeads } from '../storage/all-heads.ts'
import { isDamage } from '../storage/failure.ts'

/** Which threads are removed. */
export interface PruneOptions {
  /** Threads whose last event is from before this time, in milliseconds since 1970. */
  readonly olderThan: number
  /** Statuses that count as ended; default: done, failed and stopped. */
  readonly status?: readonly Summary['status'][]
}

/** The worker that holds a thread while it is removed. */
const worker = 'prune'

/**
 * Removes threads that ended before a time, and returns their ids. A thread stays when it has a holder, a child that has not ended or a fork that stays,
 * when it is damaged, or when it was appended to meanwhile.
 *
 * @example
 * await prune(journal, { olderThan: Date.now() - 30 * 24 * 3600_000 })
 */
export async function prune(journal: Journal, options: PruneOptions): Promise<readonly string[]> {
  /** What was seen of the threads that are held, under the epoch of the lease. */
  const held = new Map<string, Head>()
  try {
    for await (const head of endedBefore(journal, options)) {
      const { thread, incarnation, epoch } = head
      const claim = await journal.acquire(thread, { worker, incarnation, seen: epoch })
      if (claim.kind === 'acquired') held.set(thread, { ...head, epoch: claim.epoch })
    }
    return await removeUnread(journal, held)
  } finally {
    for (const { thread, epoch } of held.values()) await journal.release(thread, epoch).catch(() => {})
  }
}

async function* endedBefore(journal: Journal, { olderThan, status = ['done', 'failed', 'stopped'] }: PruneOptions): AsyncGenerator<Head, void> {
  for (const ended of status) {
    for await (const head of allHeads(journal, { status: ended })) {
      if (head.holder === undefined && (await isOlder(journal, head, olderThan)) && !(await hasLivingChild(journal, head, status))) yield head
    }
  }
}

/** Removes what no fork reads, and then what was read only by forks that are removed now. */
async function removeUnread(journal: Journal, held: Map<string, Head>): Promise<readonly string[]> {
  const removed: string[] = []
  for (let before = -1; before !== removed.length; ) {
    before = removed.length
    for (const head of [...held.values()]) {
      if (!(await isRemoved(journal, head))) continue
      held.delete(head.thread)
      removed.push(head.thread)
    }
  }
  return removed
}

/** Removes a thread, unless a contributor has appended to it (JOURNAL-14) or a fork reads it. */
async function isRemoved(journal: Journal, { thread, incarnation, seq }: Head): Promise<boolean> {
  try {
    return (await journal.remove(thread, { expected: { incarnation, seq } })) === 'removed'
  } catch (error) {
    if (isLoomError(error) && error.code === 'LOOM_THREAD_BUSY') return false
    throw error
  }
}

async function isOlder(journal: Journal, { thread, incarnation, seq }: Head, moment: number): Promise<boolean> {
  try {
    const [last] = await journal.read(thread, { from: seq, limit: 1, incarnation })
    return last !== undefined && last.time < moment
  } catch (error) {
    if (isDamage(error) || (isLoomError(error) && error.code === 'LOOM_THREAD_NOT_FOUND')) return false
    throw error
  }
}

async function hasLivingChild(journal: Journal, { thread }: Head, ended: readonly Summary['status'][]): Promise<boolean> {
  for await (const { summary } of allHeads(journal, { parent: thread })) if (!ended.includes(summary.status)) return true
  return false
}
