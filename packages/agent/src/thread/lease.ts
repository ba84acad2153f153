/**
 * The lease on a thread: one driver at a time, and each under an epoch of its own.
 *
 * LEASE-1. This process makes one claim on a thread at a time: two could each take the other's lease for an abandoned one.
 * LEASE-2. A lease of this process that no driver here uses was abandoned when its journal failed: it is taken over.
 * LEASE-3. A release that failed is tried again with the next release, recovery or drain of this process, whatever the journal is: other processes would
 *     find the thread held. The journals in SQLite and PostgreSQL try it again with every heartbeat besides (LIVE-4).
 * LEASE-4. A body is entered only under a lease that is certainly valid: a process that stood still may have lost the thread without knowing.
 * LEASE-5. A copy that is not whole has no driver (JOURNAL-22): what is done there may be done by the driver of the whole thread too.
 */
import type { Frame, Head, Journal, LeaseId } from '@loom-agent/kernel'
import { setByHead } from '../platform/store-clock.ts'
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

async function claim({ journal, ports, worker, driving }: Runtime, { thread, incarnation, epoch, seq }: Frame): Promise<Lease | undefined> {
  let force = false
  for (let seen = epoch; ; ) {
    const result = await journal.acquire(thread, { worker, incarnation, seen, force })
    if (result.kind === 'acquired') {
      setByHead(ports.clock, result.head)
      const isPartial = result.head.summary.status === 'partial'
      // If it was removed since, what was acquired is a name without events.
      if (isPartial || result.head.seq < seq) {
        await journal.release(thread, { incarnation, epoch: result.epoch }).catch(() => undefined)
        throw isPartial ? (await import('../types/thread-refused.ts')).threadPartial(thread) : threadRemoved(thread)
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
    const last = await journal.release(thread, leaseId(lease))
    await releaseOverdue(runtime)
    return last
  } catch {
    unreleased.set(thread, lease)
    return undefined
  }
}

/** Releases what could not be released before (LEASE-3). Never rejects. */
export async function releaseOverdue({ journal, unreleased, driving }: Runtime): Promise<void> {
  for (const [thread, lease] of [...unreleased]) {
    unreleased.delete(thread)
    // A driver of this process that has taken the lease over releases it itself.
    if (driving.has(lease.head.incarnation)) continue
    try {
      await journal.release(thread, leaseId(lease))
    } catch {
      unreleased.set(thread, lease)
    }
  }
}

/** Whether a body may be entered under a lease: only while no other driver can have the thread (LEASE-4). */
export function createEntryCheck(journal: Journal, lease: Lease): () => boolean {
  const id = leaseId(lease)
  return () => journal.leaseValid(lease.thread, id)
}

/** The name of a lease, as journals know it. */
const leaseId = ({ epoch, head }: Pick<Lease, 'epoch' | 'head'>): LeaseId => ({ epoch, incarnation: head.incarnation })
