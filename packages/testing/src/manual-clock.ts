/** A clock that stands still until it is told to move. */
import type { Clock } from '@loom-agent/kernel'

/** A clock in the hands of a test. */
export interface ManualClock extends Clock {
  /** Moves the clock on and rings what is due, in order, letting each ring take its effect before the next. */
  advance(ms: number): Promise<void>
  /** How many timers are set. */
  readonly timers: number
}

interface Timer {
  readonly time: number
  readonly ring: () => void
}

/** A clock that stands at the given moment. A timer that is due when it is set rings at once, but never inside the caller. */
export function manualClock(start = 1_000_000): ManualClock {
  let now = start
  const timers = new Set<Timer>()
  const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return {
    now: () => now,
    at(time, ring) {
      const timer: Timer = { time, ring }
      timers.add(timer)
      if (time <= now) setImmediate(() => timers.delete(timer) && ring())
      return () => timers.delete(timer)
    },
    async advance(ms) {
      const end = now + ms
      for (;;) {
        await tick()
        const next = [...timers].filter(({ time }) => time <= end).sort((a, b) => a.time - b.time)[0]
        if (!next) break
        timers.delete(next)
        now = Math.max(now, next.time)
        next.ring()
      }
      now = end
      await tick()
    },
    get timers() {
      return timers.size
    },
  }
}
