/** Retention: removes threads that ended some time ago. */
import { type Epoch, type Head, isLoomError, type Journal, type Summary } from '@loom-agent/kernel'
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
 * or when it is damaged.
 *
 * @example
 * await prune(journal, { olderThan: Date.now() - 30 * 24 * 3600_000 })
 */
export async function prune(journal: Journal, options: PruneOptions): Promise<readonly string[]> {
  const held = new Map<string, Epoch>()
  try {
    for await (const { thread, incarnation, epoch, seq } of endedBefore(journal, options)) {
      const claim = await journal.acquire(thread, { worker, incarnation, seen: epoch })
      if (claim.kind !== 'acquired') continue
      held.set(thread, claim.epoch)
      // Contributors need no epoch, and may have appended since the thread was listed.
      if (claim.head.seq !== seq) await release(journal, held, thread)
    }
    return await removeUnread(journal, held)
  } finally {
    for (const thread of [...held.keys()]) await release(journal, held, thread).catch(() => {})
  }
}

async function release(journal: Journal, held: Map<string, Epoch>, thread: string): Promise<void> {
  const epoch = held.get(thread)
  held.delete(thread)
  if (epoch !== undefined) await journal.release(thread, epoch)
}

async function* endedBefore(journal: Journal, { olderThan, status = ['done', 'failed', 'stopped'] }: PruneOptions): AsyncGenerator<Head, void> {
  for (const ended of status) {
    for await (const head of allHeads(journal, { status: ended })) {
      if (head.holder === undefined && (await isOlder(journal, head, olderThan)) && !(await hasLivingChild(journal, head, status))) yield head
    }
  }
}

/** Removes what no fork reads, and then what was read only by forks that are removed now. */
async function removeUnread(journal: Journal, held: Map<string, Epoch>): Promise<readonly string[]> {
  const removed: string[] = []
  for (let before = -1; before !== removed.length; ) {
    before = removed.length
    for (const thread of [...held.keys()]) {
      if (!(await isRemoved(journal, thread))) continue
      held.delete(thread)
      removed.push(thread)
    }
  }
  return removed
}

/** Removes a thread; the journal refuses while a fork reads it. */
async function isRemoved(journal: Journal, thread: string): Promise<boolean> {
  try {
    await journal.remove(thread)
    return true
  } catch (error) {
    if (isLoomError(error) && error.code === 'LOOM_THREAD_BUSY') return false
    throw error
  }
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
