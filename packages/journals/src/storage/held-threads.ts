/**
 * The threads that a journal object holds, and the timer of its heartbeat.
 *
 * LIVE-3. There is a timer only while the object holds a thread, and it keeps no process alive.
 */
import type { Epoch } from '@loom-agent/kernel'
import { heartbeatInterval } from './liveness.ts'

/** The threads that a journal object holds, each with the epoch of its lease. */
export interface HeldThreads {
  add(thread: string, epoch: Epoch): void
  /** Another object holds the thread now, or none. Nothing changes when this object holds another epoch. */
  drop(thread: string, epoch?: Epoch): void
  has(thread: string): boolean
  all(): readonly (readonly [thread: string, epoch: Epoch])[]
}

/** No threads yet; `heartbeat` is called at every interval while there are some. */
export function createHeldThreads(heartbeat: () => Promise<unknown>): HeldThreads {
  const held = new Map<string, Epoch>()
  let timer: NodeJS.Timeout | undefined
  // A heartbeat that fails is made up for by the next one. If that is too late, the epoch keeps this driver from writing.
  const beat = (): void => void heartbeat().catch(() => {})
  return {
    add(thread, epoch) {
      held.set(thread, epoch)
      timer ??= setInterval(beat, heartbeatInterval).unref()
    },
    drop(thread, epoch) {
      if (epoch !== undefined && held.get(thread) !== epoch) return
      held.delete(thread)
      if (held.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
    has: (thread) => held.has(thread),
    all: () => [...held],
  }
}
