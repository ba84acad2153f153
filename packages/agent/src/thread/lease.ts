/**
 * The lease on a thread: one driver at a time, and each under an epoch of its own.
 *
 * LEASE-1. This process makes one claim on a thread at a time: two could each take the other's lease for an abandoned one.
 * LEASE-2. A lease of this process that no driver here uses was abandoned when its journal failed: it is taken over.
 * LEASE-3. A release that failed is made up for as soon as the journal can be reached again: other processes would find the thread held.
 */
import type { Frame, Head } from '@loom-agent/kernel'
import { threadRemoved } from '../types/thread-id.ts'
import type { Lease, Runtime } from './runtime.ts'

/** Acquires a thread; undefined when another driver holds it. */
export async function acquireLease(runtime: Runtime, frame: Frame): Promise<Lease | undefined> {
  const { claiming } = runtime
  const { thread } = frame
  if (claiming.has(thread)) return undefined
  claiming.add(thread)
  try {
    return await claim(runtime, frame)
  } finally {
    claiming.delete(thread)
  }
}

async function claim({ journal, worker, driving }: Runtime, { thread, incarnation, epoch, seq }: Frame): Promise<Lease | undefined> {
  let force = false
  for (let seen = epoch; ; ) {
    const result = await journal.acquire(thread, { worker, incarnation, seen, force })
    if (result.kind === 'acquired') {
      if (result.head.seq < seq) {
        // It was removed since: what was acquired is a name without events.
        await journal.release(thread, result.epoch).catch(() => undefined)
        throw threadRemoved(thread)
      }
      driving.set(incarnation, result.epoch)
      return { thread, epoch: result.epoch, head: result.head }
    }
    if (result.kind === 'fenced' || result.epoch < seen) throw threadRemoved(thread)
    const isAbandoned = result.holder === worker && driving.get(incarnation) !== result.epoch
    if (result.holder !== undefined && (!isAbandoned || force)) return undefined
    force = isAbandoned
    seen = result.epoch
  }
}

/** Releases a thread; returns its head, or undefined where it is gone or the journal cannot be reached. */
export async function releaseLease(runtime: Runtime, lease: Lease, isGone: boolean): Promise<Head | undefined> {
  const { journal, driving, unreleased } = runtime
  const { thread, epoch, head } = lease
  // The driver that fenced this one may be in this process too.
  if (driving.get(head.incarnation) === epoch) driving.delete(head.incarnation)
  // The thread that has the name now may be leased under the same epoch.
  if (isGone) return undefined
  try {
    const last = await journal.release(thread, epoch)
    await releaseOverdue(runtime)
    return last
  } catch {
    unreleased.set(thread, lease)
    return undefined
  }
}

/** Releases what could not be released before (LEASE-3). Never rejects. */
export async function releaseOverdue({ journal, unreleased, driving }: Runtime): Promise<void> {
  for (const [thread, { epoch, head }] of [...unreleased]) {
    unreleased.delete(thread)
    // A driver of this process that has taken the lease over releases it itself.
    if (driving.has(head.incarnation)) continue
    try {
      // The thread that has the name now may be leased under the same epoch.
      const current = await journal.head(thread)
      if (current?.incarnation === head.incarnation) await journal.release(thread, epoch)
    } catch {
      unreleased.set(thread, { thread, epoch, head })
    }
  }
}
