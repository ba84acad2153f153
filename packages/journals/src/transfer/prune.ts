/** Retention: removes threads that ended some time ago. */
import { type Head, isLoomError, type Journal, type Summary } from '@loom-agent/kernel'
import { allHeads } from '../storage/all-heads.ts'
import { isDamage } from '../storage/failure.ts'
import { aJournal, checkOptions, type Expected, numberFrom, oneOf } from '../storage/options.ts'

/** Which threads are removed. */
export interface PruneOptions {
  /** Threads whose last event is from before this time, in milliseconds since 1970. */
  readonly olderThan: number
  /** Statuses that count as ended; default: done, failed and stopped. */
  readonly status?: readonly Summary['status'][]
}

/** A duration is a mistake that would remove nothing: no moment before 2001 has threads. */
const moment: Expected = {
  ...numberFrom(1e12),
  words: 'a moment in milliseconds since 1970, such as Date.now() - 30 * 24 * 3600_000',
  required: true,
}
const statuses = ['idle', 'running', 'waiting', 'done', 'failed', 'stopped']
const pruneOptions: Readonly<Record<keyof PruneOptions, Expected>> = {
  olderThan: moment,
  status: { words: `a list of ${statuses.join(', ')}`, fits: (value) => Array.isArray(value) && value.every(oneOf(...statuses).fits) },
}

/**
 * Removes threads that ended before a time, and returns their ids. A thread stays when it has a holder, a child that has not ended or a fork that stays,
 * when it is damaged, or when it was appended to meanwhile.
 *
 * @example
 * await prune(journal, { olderThan: Date.now() - 30 * 24 * 3600_000 })
 */
export async function prune(journal: Journal, options: PruneOptions): Promise<readonly string[]> {
  checkOptions('prune', { journal }, { journal: aJournal })
  checkOptions('prune', options, pruneOptions)
  let left: Head[] = []
  for await (const head of endedBefore(journal, options)) left.push(head)
  const removed: string[] = []
  // A thread that only forks have read that are removed now is removed in the next round.
  for (let before = -1; before !== left.length; ) {
    before = left.length
    const read: Head[] = []
    for (const head of left) {
      const end = await remove(journal, head)
      if (end === 'removed') removed.push(head.thread)
      if (end === 'read') read.push(head)
    }
    left = read
  }
  return removed
}

/** Removes a thread, unless a fork reads it, or something was appended since it was listed: contributors need no lease. */
async function remove(journal: Journal, { thread, incarnation, seq }: Head): Promise<'removed' | 'changed' | 'read'> {
  try {
    return await journal.remove(thread, { expected: { incarnation, seq } })
  } catch (error) {
    if (isLoomError(error) && error.code === 'LOOM_THREAD_BUSY') return 'read'
    throw error
  }
}

async function* endedBefore(journal: Journal, { olderThan, status = ['done', 'failed', 'stopped'] }: PruneOptions): AsyncGenerator<Head, void> {
  for (const ended of status) {
    for await (const head of allHeads(journal, { status: ended })) {
      if (head.holder === undefined && (await isOlder(journal, head, olderThan)) && !(await hasLivingChild(journal, head, status))) yield head
    }
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
