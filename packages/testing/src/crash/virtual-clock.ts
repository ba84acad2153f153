/** Time that passes when nobody has anything else to do. */
import type { Clock } from '@loom-agent/kernel'

/** A clock that jumps to the next timer when it is told to. */
export interface VirtualClock extends Clock {
  /** Goes to the next timer and rings it; false when none is set. */
  jump(): boolean
  /** Lets this much time pass at once; timers that have become due ring one by one with the next jumps. */
  skip(ms: number): void
}

interface Timer {
  readonly time: number
  readonly order: number
  readonly ring: () => void
}

/** A clock that stands at the given moment. A timer that is due when it is set rings soon, but never inside the caller. */
export function virtualClock(start = 1_000_000): VirtualClock {
  const timers = new Set<Timer>()
  let now = start
  let order = 0
  return {
    now: () => now,
    at(time, ring) {
      order += 1
      const timer: Timer = { time, order, ring }
      timers.add(timer)
      if (time <= now) setImmediate(() => timers.delete(timer) && ring())
      return () => timers.delete(timer)
    },
    jump() {
      let next: Timer | undefined
      for (const timer of timers) if (!next || timer.time < next.time || (timer.time === next.time && timer.order < next.order)) next = timer
      if (!next) return false
      timers.delete(next)
      now = Math.max(now, next.time)
      next.ring()
      return true
    },
    skip(ms) {
      now += ms
    },
  }
}
