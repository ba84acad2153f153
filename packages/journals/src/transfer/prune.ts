/** Retention: removes threads that ended, and to which nothing was appended for some time. */
import { type Head, isLoomError, type Journal, type Summary } from '@loom-agent/kernel'
import { allHeads } from '../storage/all-heads.ts'
import { isDamage } from '../storage/failure.ts'
import { checkOptions, type Expected, numberFrom, oneOf, requireJournal, statuses } from '../storage/options.ts'
import { descendantsOf } from './lineage.ts'

/** Which threads are removed. */
export interface PruneOptions {
  /** Threads whose last event, a label included, is from before this time, in milliseconds since 1970. */
  readonly olderThan: number
  /** Statuses that count as ended; default: done, failed and stopped. */
  readonly status?: readonly Summary['status'][] | undefined
}

/** A duration is a mistake that would remove nothing: no moment before 2001 has threads. */
const moment: Expected = {
  ...numberFrom(1e12),
  words: 'a moment in milliseconds since 1970, such as Date.now() - 30 * 24 * 3600_000',
  required: true,
}
const pruneOptions: Readonly<Record<keyof PruneOptions, Expected>> = {
  olderThan: moment,
  status: { words: `a list of ${statuses.join(', ')}`, fits: (value) => Array.isArray(value) && value.every(oneOf(...statuses).fits) },
}

/**
 * Removes threads that ended, and whose last event is from before a time, with their children, and returns their ids. A thread stays when it or a child has a holder or a fork that
 * stays, when a child has not ended, when it is damaged, or when it was appended to meanwhile. A child stays as long as its parent.
 *
 * @example
 * await prune(journal, { olderThan: Date.now() - 30 * 24 * 3600_000 })
 */
export async function prune(journal: Journal, options: PruneOptions): Promise<readonly string[]> {
  requireJournal('prune', journal)
  checkOptions('prune', options, pruneOptions)
  let left: Tree[] = []
  for await (const tree of endedBefore(journal, options)) left.push(tree)
  const removed: string[] = []
  // A thread that only forks have read that are removed now is removed in the next round.
  for (let before = -1; before !== left.length; ) {
    before = left.length
    const read: Tree[] = []
    for (const tree of left) {
      const end = await remove(journal, tree.head)
      if (end === 'removed') removed.push(tree.head.thread, ...tree.children)
      if (end === 'read') read.push(tree)
    }
    left = read
  }
  return removed
}

/** A thread, and the ids of those that are removed with it. */
interface Tree {
  readonly head: Head
  readonly children: readonly string[]
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

async function* endedBefore(journal: Journal, { olderThan, status = ['done', 'failed', 'stopped'] }: PruneOptions): AsyncGenerator<Tree, void> {
  for (const ended of status) {
    for await (const head of allHeads(journal, { status: ended })) {
      if (head.holder !== undefined || (await hasParent(journal, head)) || !(await isOlder(journal, head, olderThan))) continue
      const children = await descendantsOf(journal, head)
      if (children.every(({ summary }) => status.includes(summary.status))) yield { head, children: children.map(({ thread }) => thread) }
    }
  }
}

/** A parent that continues reads the end of its child: without it the child would be started over. */
async function hasParent(journal: Journal, { summary: { parent } }: Head): Promise<boolean> {
  return parent !== undefined && (await journal.head(parent)) !== undefined
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
