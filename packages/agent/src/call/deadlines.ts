/** Deadlines of many calls with one timer: a call that ends in time costs none. */
import type { Clock } from '@loom-agent/kernel'

/** One deadline. */
export interface Deadline {
  readonly at: number
  readonly onTime: () => void
}

/** The deadlines of one driver. */
export interface Deadlines {
  add(at: number, onTime: () => void): Deadline
  remove(deadline: Deadline): void
  /** Ends the timer. */
  close(): void
}

/** No deadlines yet. */
export function createDeadlines(clock: Clock): Deadlines {
  const open = new Set<Deadline>()
  let armed: { readonly at: number; readonly cancel: () => void } | undefined
  const arm = (at: number): void => {
    armed?.cancel()
    armed = { at, cancel: clock.at(at, ring) }
  }
  const ring = (): void => {
    armed = undefined
    const now = clock.now()
    for (const deadline of [...open]) {
      if (deadline.at > now) continue
      open.delete(deadline)
      deadline.onTime()
    }
    const next = Math.min(...[...open].map(({ at }) => at))
    if (Number.isFinite(next) && !armed) arm(next)
  }
  return {
    add(at, onTime) {
      const deadline = { at, onTime }
      open.add(deadline)
      if (!armed || at < armed.at) arm(at)
      return deadline
    },
    remove: (deadline) => void open.delete(deadline),
    close() {
      armed?.cancel()
      armed = undefined
    },
  }
}
