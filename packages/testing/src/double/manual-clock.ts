/**
 * A virtual clock: it moves only when a test moves it.
 *
 * TIME-1. What Loom loads on first use is loaded before time moves on: what a test has started sets its timers first, also in a fresh process.
 */
import { loadOnUse } from '@loom-agent/agent/kit'
import type { Clock } from '@loom-agent/kernel'
import { createTimers } from './timers.ts'

/** A clock that a test controls. */
export interface ManualClock extends Clock {
  /** Moves the clock on and rings the timers that are due, in order, letting each take its effect before the next. */
  advance(ms: number): Promise<void>
  /** Moves the clock to the next timer and rings it; false when no timer is set. */
  jump(): boolean
  /** Moves the clock at once, without ringing; timers that are due by then ring with the next jumps. */
  skip(ms: number): void
  /** How many timers are set. */
  readonly timers: number
}

let loading: Promise<void> | undefined

/** A clock that shows the given moment. A timer that is due when it is set rings soon, but never inside the caller. */
export function manualClock(start = 1_000_000): ManualClock {
  let now = start
  const timers = createTimers(() => now)
  const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const jump = (end = Number.POSITIVE_INFINITY): boolean => {
    const next = timers.next()
    if (!next || next.time > end) return false
    now = Math.max(now, next.time)
    timers.ring(next)
    return true
  }
  return {
    now: () => now,
    at: (time, ring) => timers.set(time, ring),
    async advance(ms) {
      loading ??= loadOnUse()
      await loading
      const end = now + ms
      do await tick()
      while (jump(end))
      now = end
      await tick()
    },
    jump: () => jump(),
    skip(ms) {
      now += ms
    },
    get timers() {
      return timers.count()
    },
  }
}
