/**
 * The threads that a journal object holds, and the timer of its heartbeat.
 *
 * LIVE-3. There is a timer only while the object holds a thread, and it keeps no process alive.
 * LIVE-4. A release that fails is tried again with every heartbeat: otherwise the thread would count as held for as long as the object lives.
 */
import type { Epoch } from '@loom-agent/kernel'
import { heartbeatInterval } from './liveness.ts'

/** The threads that a journal object holds, each with the epoch of its lease. */
export interface HeldThreads {
  add(thread: string, epoch: Epoch): void
  /** Another object holds the thread now, or none. Nothing changes when this object holds another epoch. */
  drop(thread: string, epoch?: Epoch): void
  /** Releases a thread by work that drops it when it has succeeded (LIVE-4). */
  release<T>(thread: string, work: () => Promise<T>): Promise<T>
  has(thread: string): boolean
  all(): readonly (readonly [thread: string, epoch: Epoch])[]
}

/** No threads yet; `heartbeat` is called at every interval while there are some. */
export function createHeldThreads(heartbeat: () => Promise<unknown>): HeldThreads {
  const held = new Map<string, Epoch>()
  const unreleased = new Map<string, () => Promise<unknown>>()
  let timer: NodeJS.Timeout | undefined
  // A heartbeat that fails is made up for by the next one. If that is too late, the epoch keeps this driver from writing.
  const beat = (): void => {
    for (const release of unreleased.values()) void release().catch(() => {})
    void heartbeat().catch(() => {})
  }
  return {
    add(thread, epoch) {
      held.set(thread, epoch)
      unreleased.delete(thread)
      timer ??= setInterval(beat, heartbeatInterval).unref()
    },
    drop(thread, epoch) {
      if (epoch !== undefined && held.get(thread) !== epoch) return
      held.delete(thread)
      unreleased.delete(thread)
      if (held.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
    release(thread, work) {
      const epoch = held.get(thread)
      return work().catch((error: unknown) => {
        if (epoch !== undefined && held.get(thread) === epoch) unreleased.set(thread, work)
        throw error
      })
    },
    has: (thread) => held.has(thread),
    all: () => [...held],
  }
}
