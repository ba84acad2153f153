/** A clock whose timers end with their process: the timer for the time of a run would keep a dead process in memory for a day. */
import type { Clock } from '@loom-agent/kernel'

/** The platform's time. Nothing rings once the process has died. */
export function mortalClock(died: Promise<void>): Clock {
  const timers = new Set<NodeJS.Timeout>()
  void died.then(() => {
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
  })
  return {
    now: () => Date.now(),
    at(time, ring) {
      const timer = setTimeout(
        () => {
          timers.delete(timer)
          ring()
        },
        Math.max(0, time - Date.now()),
      )
      timers.add(timer)
      return () => {
        clearTimeout(timer)
        timers.delete(timer)
      }
    },
  }
}
