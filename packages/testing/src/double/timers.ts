/** The timers of a test's clock: a timer that is due when it is set rings soon, but never inside the caller. */

/** A timer that is set. */
export interface Timer {
  readonly time: number
  readonly ring: () => void
}

/** The timers that are set. */
export interface Timers {
  set(time: number, ring: () => void): () => void
  /** The earliest timer; of several at one moment the one that was set first. */
  next(): Timer | undefined
  /** Rings a timer, once. */
  ring(timer: Timer): void
  count(): number
  /** Whether a timer is about to ring by itself. */
  isRinging(): boolean
  clear(): void
}

/** Timers of a clock that shows `now()`. */
export function createTimers(now: () => number): Timers {
  const timers = new Set<Timer>()
  let ringing = 0
  const ring = (timer: Timer): void => {
    if (timers.delete(timer)) timer.ring()
  }
  return {
    set(time, callback) {
      const timer: Timer = { time, ring: callback }
      timers.add(timer)
      if (time <= now()) {
        ringing += 1
        setImmediate(() => {
          ringing -= 1
          ring(timer)
        })
      }
      return () => timers.delete(timer)
    },
    next() {
      let first: Timer | undefined
      for (const timer of timers) if (!first || timer.time < first.time) first = timer
      return first
    },
    ring,
    count: () => timers.size,
    isRinging: () => ringing > 0,
    clear: () => timers.clear(),
  }
}
