/** Retention: threads that have ended are removed after a time. */
import { type Epoch, type Head, isLoomError, type Journal, type Summary } from '@loom-agent/kernel'
import { allHeads } from './all-heads.ts'
import { cutOf } from './export-lineage.ts'
import { isDamage } from './failure.ts'

/** Which threads are removed. */
export interface PruneOptions {
  /** Threads whose last event is from before this moment, in milliseconds. */
  readonly olderThan: number
  /** Statuses that count as ended; done, failed and stopped by default. */
  readonly status?: readonly Summary['status'][]
}

/** Whoever takes a thread under this name removes it: an agent does not fork it then. */
const remover = '$removing'

/**
 * Removes threads that ended before a moment, and answers which. What somebody drives, what has a child that has not ended, what a fork that stays
 * reads, and what is damaged stays.
 *
 * @example
 * await prune(journal, { olderThan: Date.now() - 30 * 24 * 3600_000 })
 */
export async function prune(journal: Journal, options: PruneOptions): Promise<readonly string[]> {
  // Taken before anybody looks for forks: who forks one of them from now on sees it, and gives way.
  const taken = new Map<string, Epoch>()
  try {
    for await (const { thread, epoch, seq } of endedBefore(journal, options)) {
      const claim = await journal.acquire(thread, { worker: remover, seen: epoch })
      if (claim.kind !== 'acquired') continue
      // Visitors need no epoch: somebody may have spoken since it was looked at.
      if ((await journal.head(thread))?.seq === seq) taken.set(thread, claim.epoch)
      else await journal.release(thread, claim.epoch)
    }
    return await removeUnread(journal, taken)
  } finally {
    for (const [thread, epoch] of taken) await journal.release(thread, epoch).catch(() => {})
  }
}

async function* endedBefore(journal: Journal, { olderThan, status = ['done', 'failed', 'stopped'] }: PruneOptions): AsyncGenerator<Head, void> {
  for (const ended of status) {
    for await (const head of allHeads(journal, { status: ended })) {
      if (head.holder === undefined && (await isOlder(journal, head, olderThan)) && !(await hasLivingChild(journal, head, status))) yield head
    }
  }
}

/** Removes what no fork reads, and then what only forks have kept that are gone themselves, from the youngest to the eldest. */
async function removeUnread(journal: Journal, taken: Map<string, Epoch>): Promise<readonly string[]> {
  const removed: string[] = []
  const forks = await forksOf(journal)
  for (let before = -1; before !== removed.length; ) {
    before = removed.length
    for (const thread of [...taken.keys()]) {
      if ((forks.get(thread)?.size ?? 0) > 0 || !(await isRemoved(journal, thread))) continue
      for (const readers of forks.values()) readers.delete(thread)
      taken.delete(thread)
      removed.push(thread)
    }
  }
  return removed
}

/** The forks of each thread that has some: a journal does not know them, and would remove what they read. */
async function forksOf(journal: Journal): Promise<ReadonlyMap<string, Set<string>>> {
  const forks = new Map<string, Set<string>>()
  for await (const head of allHeads(journal)) {
    const parent = cutOf(head)?.thread
    if (parent !== undefined) forks.set(parent, (forks.get(parent) ?? new Set()).add(head.thread))
  }
  return forks
}

/** Removes a thread; the journal of an agent refuses while a fork reads it. */
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
