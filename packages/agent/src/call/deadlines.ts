/**
 * Deadlines of many calls with one timer: a call that ends in time costs none. They are durations (CLOCK-3).
 *
 * DEADLINE-2. A driver has one timer for all its calls. It is set for the earliest deadline and stays when that is removed: what ends in time sets none
 *     and clears none.
 */
import type { Clock } from '@loom-agent/kernel'
import { elapsedOn } from '../platform/system-clock.ts'

/** One deadline. */
export interface Deadline {
  readonly at: number
  readonly onTime: () => void
}

/** The deadlines of one driver. */
export interface Deadlines {
  /** Calls back after so many milliseconds. */
  add(ms: number, onTime: () => void): Deadline
  remove(deadline: Deadline): void
  /** Ends the timer. */
  close(): void
}

/** Makes deadlines on a clock; there are none yet. */
export function createDeadlines(clock: Clock): Deadlines {
  let open: Deadline[] = []
  let armed: { readonly at: number; readonly cancel: () => void } | undefined
  const arm = (at: number): void => {
    armed?.cancel()
    armed = { at, cancel: clock.at(clock.now() + at - elapsedOn(clock), ring) }
  }
  const ring = (): void => {
    armed = undefined
    const now = elapsedOn(clock)
    const due = open.filter(({ at }) => at <= now)
    open = open.filter(({ at }) => at > now)
    for (const { onTime } of due) onTime()
    const next = Math.min(...open.map(({ at }) => at))
    if (Number.isFinite(next) && !armed) arm(next)
  }
  return {
    add(ms, onTime) {
      const at = elapsedOn(clock) + ms
      const deadline = { at, onTime }
      open.push(deadline)
      if (!armed || at < armed.at) arm(at)
      return deadline
    },
    remove(deadline) {
      const index = open.indexOf(deadline)
      if (index !== -1) open.splice(index, 1)
    },
    close() {
      armed?.cancel()
      armed = undefined
    },
  }
}
