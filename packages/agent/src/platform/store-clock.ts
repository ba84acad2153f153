/**
 * The clock of a store, as far as this process knows it.
 *
 * Moments that are recorded, such as the end of a sleep, are compared in other processes, whose wall clocks may differ. The clock of the store is one for all.
 *
 * CLOCK-4. The time of a process is that of its store when it last read a head, within a second, and goes on from there at the pace of the monotonic
 *          clock. A clock of the caller's own is left as it is.
 * CLOCK-5. The time does not go back when the clock of the store does: CLOCK-1 holds for both.
 */
import type { Clock, Head } from '@loom-agent/kernel'
import { clockTolerance, type MeasuringClock } from './system-clock.ts'

/** A clock that is set by the heads of a store. */
interface StoreClock extends MeasuringClock {
  /** Called with the time of the store. */
  readonly set: (time: number) => void
}

/** The clock of a store that no head was read from yet: until then it is the platform's. */
export function createStoreClock(clock: Clock): Clock {
  if (!('elapsed' in clock)) return clock
  const own = clock as MeasuringClock
  /** The time, and the monotonic clock, when the time was last set. */
  let last: { readonly time: number; readonly elapsed: number } | undefined
  const now = (): number => (last ? last.time + own.elapsed() - last.elapsed : own.now())
  const following: StoreClock = {
    now,
    elapsed: own.elapsed,
    soon: own.soon,
    at: (time, ring) => own.at(own.now() + time - now(), ring),
    set(store) {
      const time = now()
      const isAhead = store - time > clockTolerance
      const isBehind = time - store > clockTolerance
      if (last && !isAhead) return
      last = { time: isAhead || isBehind ? store : time, elapsed: own.elapsed() }
    },
  }
  return following
}

/** Whether a clock is set by the heads of a store. */
export const followsStore = (clock: Clock): boolean => 'set' in clock

/** Sets the clock by a head that was just read. */
export function setByHead(clock: Clock, { times }: Pick<Head, 'times'>): void {
  if (followsStore(clock)) (clock as StoreClock).set(times.now)
}
