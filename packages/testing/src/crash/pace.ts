/** The pace of a life: lets everything happen that can happen now, and moves the clock when nothing can. */
import type { MortalProcess } from './mortal-process.ts'
import { type VirtualClock, virtualClock } from './virtual-clock.ts'

/** Moves time when nothing else moves. */
export interface Pace {
  readonly clock: VirtualClock
  /** Something has happened. */
  readonly stirred: () => void
  /** Something is asked of a journal; the answer says that it has come back. Undefined: whoever asks goes round in circles, and hears nothing more. */
  readonly asked: () => (() => void) | undefined
  /** Lets time pass until it is over; false when nothing moves any more, or goes round in circles. */
  until(isOver: () => boolean, how?: { readonly process?: MortalProcess; readonly jumps?: number }): Promise<boolean>
  /** Waits, without moving the clock, until nothing happens any more. */
  quiet(process?: MortalProcess): Promise<void>
}

/** Rounds of the platform without a sign of life after which only time can move anything. */
const stillness = 3
/** How often time may jump before it counts as going round in circles. */
const circles = 400
/** Operations on journals without a breath after which somebody goes round in circles. */
const breathless = 4_000
/** Signs of life at one moment of the clock after which somebody goes round in circles, however often it lets others breathe. */
const restless = 100_000
/** Milliseconds of real time after which a life without timers counts as over. */
const lost = 300

/** A pace that leaves tools the given milliseconds of real time. */
export function createPace(patience: number): Pace {
  const clock = virtualClock()
  let stirs = 0
  let pending = 0
  let burst = 0
  const stirred = (): void => {
    stirs += 1
  }
  const round = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve))
    burst = 0
  }

  /** True when there was no sign of life for a few rounds, false when there is no end of them; tools that are under way have their time. */
  const still = async (isOver: () => boolean, process: MortalProcess | undefined): Promise<boolean> => {
    const end = stirs + restless
    let seen = -1
    let rounds = 0
    let since = performance.now()
    while (!isOver() && rounds < stillness) {
      if (stirs > end) return false
      await round()
      const isBusy = (process?.busy() ?? 0) > 0 && performance.now() - since < patience
      if (stirs !== seen || pending > 0) since = performance.now()
      rounds = stirs === seen && pending === 0 && !isBusy ? rounds + 1 : 0
      seen = stirs
    }
    return true
  }
  return {
    clock,
    stirred,
    asked() {
      burst += 1
      if (burst > breathless) return undefined
      pending += 1
      stirred()
      return () => {
        pending -= 1
        stirred()
      }
    },
    async until(isOver, { process, jumps = circles } = {}) {
      for (let jumped = 0; jumped < jumps; jumped += 1) {
        if (!(await still(isOver, process))) return false
        if (isOver()) return true
        if (clock.jump()) continue
        const end = performance.now() + lost
        const before = stirs
        while (!isOver() && stirs === before && performance.now() < end) await round()
        if (!isOver() && stirs === before) return false
      }
      return false
    },
    async quiet(process) {
      await still(() => false, process)
    },
  }
}
