/** A clock whose timers end with their process: the timer for the time of a run would keep a dead process in memory for a day. */
import { systemClock as clock } from '@loom-agent/agent'
import type { Clock } from '@loom-agent/kernel'

/** The platform's time. Nothing rings once the process has died. */
export function mortalClock(died: Promise<void>): Clock {
  const timers = new Set<() => void>()
  void died.then(() => {
    for (const cancel of timers) cancel()
    timers.clear()
  })
  return {
    now: () => clock.now(),
    at(time, ring) {
      const cancel = clock.at(time, () => {
        timers.delete(cancel)
        ring()
      })
      timers.add(cancel)
      return () => {
        timers.delete(cancel)
        cancel()
      }
    },
  }
}
