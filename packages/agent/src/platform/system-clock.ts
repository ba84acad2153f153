/**
 * The clock of the platform: the wall clock, but never set back.
 *
 * CLOCK-1. When the wall clock is set back, the time of this process goes on from where it was, at the pace of the monotonic clock, until the wall clock
 *          has caught up. So a sleep lasts as long as it was meant to last, though its end is a moment of the wall clock. A process that starts
 *          afterwards has the time of the wall clock, until it knows that of its store (CLOCK-4).
 * CLOCK-2. When the wall clock is set forward, so is the time: a machine that was suspended is behind. A timer that runs is not shortened.
 * CLOCK-3. Durations are differences of the monotonic clock: no change of the wall clock makes them longer or shorter.
 */
import type { Clock } from '@loom-agent/kernel'

/** The clocks that the time is made of, in milliseconds. */
export interface ClockSources {
  /** The time since 1970, as far as the machine knows it. */
  readonly wall: () => number
  /** The time since some moment. It never jumps. */
  readonly monotonic: () => number
}

/** A clock that also measures durations. */
export interface MeasuringClock extends Clock {
  /** Whole milliseconds since some moment. It never jumps. */
  readonly elapsed: () => number
  /** Rings when the platform is idle again, without the millisecond that a timer takes. */
  readonly soon: (ring: () => void) => void
}

/** What durations are differences of. A clock that does not measure has only its time. */
export const elapsedOn = (clock: Clock): number => ('elapsed' in clock ? (clock as MeasuringClock).elapsed() : clock.now())

/** Rings when the platform is idle again. A clock that has no faster way sets a timer. */
export const soonOn = (clock: Clock, ring: () => void): void => {
  if ('soon' in clock) (clock as MeasuringClock).soon(ring)
  else clock.at(clock.now(), ring)
}

/** Timers of the platform fire at once beyond this many milliseconds. */
const longestTimer = 2 ** 31 - 1

/**
 * A process that has nothing else to do is not kept alive for a timer that is further away, in milliseconds: a run that may take a day does not keep a
 * program for a day that has lost its journal.
 */
const keptAlive = 60 * 60 * 1000

/** Only Node counts timers. */
function letGo(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function') timer.unref()
}

/** The two clocks run at slightly different speeds. A wall clock that is behind by no more than this was not set back, and is followed. */
export const clockTolerance = 1000

/** Not every platform has it. */
const { setImmediate } = globalThis as { readonly setImmediate?: (ring: () => void) => unknown }

/** A clock of these sources. */
export function createSystemClock(sources: Partial<ClockSources> = {}): MeasuringClock {
  const { wall = () => Date.now(), monotonic = () => performance.now() } = sources
  /** The wall clock and the monotonic clock at the last moment at which the wall clock was right. */
  let right = Number.NEGATIVE_INFINITY
  let since = 0
  const now = (): number => {
    const time = wall()
    const elapsed = monotonic()
    const expected = right + Math.floor(elapsed - since)
    if (expected - time > clockTolerance) return expected
    right = time
    since = elapsed
    return time
  }
  return {
    now,
    elapsed: () => Math.floor(monotonic()),
    soon: (ring) => void (setImmediate ? setImmediate(ring) : setTimeout(ring, 0)),
    at(time, ring) {
      let timer: ReturnType<typeof setTimeout>
      const arm = (): void => {
        const left = time - now()
        timer = left > longestTimer ? setTimeout(arm, longestTimer) : setTimeout(ring, Math.max(0, left))
        if (left > keptAlive) letGo(timer)
      }
      arm()
      return () => clearTimeout(timer)
    },
  }
}
