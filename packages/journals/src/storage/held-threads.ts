/**
 * The threads that a journal object holds.
 *
 * LIVE-4. A release that fails is tried again with every heartbeat: otherwise the thread would count as held for as long as the object lives.
 */
import type { LeaseId } from '@loom-agent/kernel'
import type { Heartbeat } from './heartbeat.ts'

/** Names a lease, or some of them: what is undefined is not compared. */
export type LeaseQuery = { readonly [K in keyof LeaseId]?: LeaseId[K] | undefined }

/** The threads that a journal object holds, each with its lease. */
export interface HeldThreads {
  add(thread: string, lease: LeaseId): void
  /** Another object holds the thread now, or none. Nothing changes when this object holds another lease on it. */
  drop(thread: string, lease?: LeaseQuery): void
  /** Releases a thread by work that drops it when it has succeeded (LIVE-4). */
  release<T>(thread: string, lease: LeaseId, work: () => Promise<T>): Promise<T>
  has(thread: string): boolean
  /** Whether this object certainly holds the thread under this lease (JOURNAL-21). */
  isValid(thread: string, lease: LeaseId): boolean
  all(): readonly (readonly [thread: string, lease: LeaseId])[]
}

/** Makes the set of held threads, which has none; heartbeats are sent while it has some. */
export function createHeldThreads(heartbeat: Heartbeat): HeldThreads {
  const held = new Map<string, LeaseId>()
  const unreleased = new Map<string, () => Promise<unknown>>()
  const releaseAgain = (): void => {
    for (const release of unreleased.values()) void release().catch(() => {})
  }
  const isHeld = (thread: string, { epoch, incarnation }: LeaseQuery): boolean => {
    const own = held.get(thread)
    return own !== undefined && (epoch ?? own.epoch) === own.epoch && (incarnation ?? own.incarnation) === own.incarnation
  }
  return {
    add(thread, { epoch, incarnation }) {
      held.set(thread, { epoch, incarnation })
      unreleased.delete(thread)
      heartbeat.start(releaseAgain)
    },
    drop(thread, lease = {}) {
      if (!isHeld(thread, lease)) return
      held.delete(thread)
      unreleased.delete(thread)
      if (held.size === 0) heartbeat.stop()
    },
    release(thread, lease, work) {
      return work().catch((error: unknown) => {
        if (isHeld(thread, lease)) unreleased.set(thread, work)
        throw error
      })
    },
    has: (thread) => held.has(thread),
    isValid: (thread, lease) => isHeld(thread, lease) && heartbeat.isValid(),
    all: () => [...held],
  }
}
