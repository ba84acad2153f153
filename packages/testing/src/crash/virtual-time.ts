/** Virtual time: everything that can happen now happens, and the clock moves only when nothing else can. */
import { type ManualClock, manualClock } from '../double/manual-clock.ts'
import type { SimulatedProcess } from './simulated-process.ts'

/** A clock that moves when nothing else does. */
export interface VirtualTime {
  readonly clock: ManualClock
  /** Something has happened. */
  readonly progressed: () => void
  /** An operation of a journal starts; returns what to call when it has finished. Undefined: its caller spins without end and gets no result. */
  readonly operationStarted: () => (() => void) | undefined
  /** Lets time pass until `isOver`; false when nothing makes progress any more, or something spins without end. */
  until(isOver: () => boolean, how?: { readonly process?: SimulatedProcess; readonly jumps?: number }): Promise<boolean>
  /** Waits, without moving the clock, until nothing happens any more. */
  quiet(process?: SimulatedProcess): Promise<void>
}

/** Rounds of the event loop without progress after which only the clock can move anything. */
const quietRounds = 3
/** How often the clock may jump before the run counts as endless. */
const mostJumps = 400
/** Operations of journals within one round after which a caller counts as spinning. */
const mostOperations = 4_000
/** Steps of progress at one moment of the clock after which something counts as spinning. */
const mostProgress = 100_000
/** Milliseconds of real time after which a run without timers counts as stuck. */
const stuckAfter = 300

/** Virtual time that leaves tools the given milliseconds of real time. */
export function createVirtualTime(patience: number): VirtualTime {
  const clock = manualClock()
  let progress = 0
  let pending = 0
  let operations = 0
  const progressed = (): void => {
    progress += 1
  }
  const round = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve))
    operations = 0
  }

  /** True after a few rounds without progress, false when there is no end of it; tools in flight have their real time. */
  const isQuiet = async (isOver: () => boolean, process: SimulatedProcess | undefined): Promise<boolean> => {
    const end = progress + mostProgress
    let seen = -1
    let rounds = 0
    let since = performance.now()
    while (!isOver() && rounds < quietRounds) {
      if (progress > end) return false
      await round()
      const isBusy = (process?.busy() ?? 0) > 0 && performance.now() - since < patience
      if (progress !== seen || pending > 0) since = performance.now()
      rounds = progress === seen && pending === 0 && !isBusy ? rounds + 1 : 0
      seen = progress
    }
    return true
  }
  return {
    clock,
    progressed,
    operationStarted() {
      operations += 1
      if (operations > mostOperations) return undefined
      pending += 1
      progressed()
      return () => {
        pending -= 1
        progressed()
      }
    },
    async until(isOver, { process, jumps = mostJumps } = {}) {
      for (let jumped = 0; jumped < jumps; jumped += 1) {
        if (!(await isQuiet(isOver, process))) return false
        if (isOver()) return true
        if (clock.jump()) continue
        const end = performance.now() + stuckAfter
        const before = progress
        while (!isOver() && progress === before && performance.now() < end) await round()
        if (!isOver() && progress === before) return false
      }
      return false
    },
    async quiet(process) {
      await isQuiet(() => false, process)
    },
  }
}
