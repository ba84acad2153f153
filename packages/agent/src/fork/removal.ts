/**
 * Removing a thread that somebody may be forking.
 *
 * FORK-3. A thread whose events a fork reads is not removed. Who removes takes the thread first, and looks for forks then; who forks stores the fork
 *     first, and looks then whether the parent is being removed. So one of the two sees the other and gives way, or both do: each may try again.
 */
import { type Journal, LoomError } from '@loom-agent/kernel'
import type { Moment } from '../travel/moment.ts'
import { cutIn } from './cut.ts'

/** Whoever takes a thread under this name removes it. */
const remover = '$removing'
/** Threads of the table that are looked at together. */
const pageSize = 500

/** Removes a thread, unless a fork reads it. */
export async function removeUnread(journal: Journal, thread: string): Promise<void> {
  await refuseIfRead(journal, thread)
  const head = await journal.head(thread)
  if (!head) return journal.remove(thread)
  const { kind, epoch } = await journal.acquire(thread, { worker: remover, seen: head.epoch, force: true })
  if (kind === 'held') throw busy(`${thread} cannot be removed: somebody has taken it just now. Try again.`, { thread })
  try {
    await refuseIfRead(journal, thread)
    await journal.remove(thread)
  } catch (error) {
    await journal.release(thread, epoch).catch(() => {})
    throw error
  }
}

/** Sees that what a new fork reads stays. The fork is taken back otherwise. */
export async function confirmParent(journal: Journal, fork: string, { thread, seq }: Moment): Promise<void> {
  const parent = await journal.head(thread)
  const isWhole = parent !== undefined && parent.seq + (cutIn(parent.summary)?.seq ?? 0) >= seq
  if (isWhole && parent.holder !== remover) return
  await journal.remove(fork)
  if (parent?.holder === remover) throw busy(`${thread} cannot be forked: it is being removed. Nothing was stored.`, { thread })
  throw new LoomError('LOOM_THREAD_NOT_FOUND', `There is no thread ${thread} any more: it was removed while it was forked.`, { context: { thread } })
}

async function refuseIfRead(journal: Journal, thread: string): Promise<void> {
  const fork = await readerOf(journal, thread)
  if (fork === undefined) return
  throw busy(`${thread} cannot be removed: ${fork}, which was forked from it, reads it. Remove the fork first, or keep both.`, { thread, fork })
}

/** A fork that reads the thread, if there is one. The whole table is looked through: removing is rare, and forks are few. */
async function readerOf(journal: Journal, thread: string): Promise<string | undefined> {
  for (let after: string | undefined; ; ) {
    const page = await journal.threads({ limit: pageSize, ...(after !== undefined && { after }) })
    const reader = page.find((head) => cutIn(head.summary)?.thread === thread)
    if (reader || page.length < pageSize) return reader?.thread
    after = page.at(-1)?.thread
  }
}

const busy = (message: string, context: { thread: string; fork?: string }): LoomError => new LoomError('LOOM_THREAD_BUSY', message, { context })
