/** A clock that shows the times of the record: what comes next has the time at which it came. */
import type { Clock } from '@loom-agent/kernel'
import { createTimers } from '../double/timers.ts'

/** The clock of a replay. */
export interface ReplayClock extends Clock {
  /** Rings the earliest timer that is due; `later` takes one that is not due yet. False when there is none. */
  ring(later?: boolean): boolean
  /** Whether a timer is about to ring by itself. */
  isRinging(): boolean
  /** Drops all timers: the process that set them is gone. */
  clear(): void
}

/** A clock that shows what `next` returns and never goes back. */
export function replayClock(next: () => number): ReplayClock {
  let reached = 0
  const reach = (time: number): void => {
    reached = Math.max(reached, time)
  }
  const now = (): number => {
    reach(next())
    return reached
  }
  const timers = createTimers(now)
  return {
    now,
    at: (time, ring) => timers.set(time, ring),
    ring(later = false) {
      const first = timers.next()
      if (!first || (!later && first.time > now())) return false
      reach(first.time)
      timers.ring(first)
      return true
    },
    isRinging: timers.isRinging,
    clear: timers.clear,
  }
}
