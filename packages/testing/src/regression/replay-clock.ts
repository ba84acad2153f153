/** A clock that shows the times of the record: what comes next has the time at which it came. */
import type { Clock } from '@loom-agent/kernel'

/** The clock of a replay. */
export interface ReplayClock extends Clock {
  /** Never shows an earlier time again. */
  reach(time: number): void
  /** Rings the earliest timer that is due; `later` takes one that is not due yet. False when there is none. */
  ring(later?: boolean): boolean
  /** Whether a timer is about to ring by itself. */
  isRinging(): boolean
  /** Forgets all timers: whoever set them is gone. */
  clear(): void
}

interface Timer {
  readonly time: number
  readonly ring: () => void
}

/** A clock that shows what `next` answers and never goes back. A timer that is due when it is set rings soon, but never inside the caller. */
export function replayClock(next: () => number): ReplayClock {
  const timers = new Set<Timer>()
  let reached = 0
  let ringing = 0
  const now = (): number => {
    reached = Math.max(reached, next())
    return reached
  }
  const due = (timer: Timer): void => {
    ringing -= 1
    if (timers.delete(timer)) timer.ring()
  }
  return {
    now,
    at(time, ring) {
      const timer: Timer = { time, ring }
      timers.add(timer)
      if (time <= now()) {
        ringing += 1
        setImmediate(due, timer)
      }
      return () => timers.delete(timer)
    },
    reach(time) {
      reached = Math.max(reached, time)
    },
    ring(later = false) {
      let first: Timer | undefined
      for (const timer of timers) if (!first || timer.time < first.time) first = timer
      if (!first || (!later && first.time > now())) return false
      reached = Math.max(reached, first.time)
      timers.delete(first)
      first.ring()
      return true
    },
    isRinging: () => ringing > 0,
    clear: () => timers.clear(),
  }
}
