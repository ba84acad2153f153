/** Simulations that spin: promises that lead to each other without end let neither the event loop nor the virtual clock go on. */
import { promiseHooks } from 'node:v8'

/** Promises within one round of the event loop after which a simulation counts as spinning; one without a fault makes a few thousand. */
const mostPromises = 5_000_000

/** Ends the process with an error when a simulation spins: nothing else can happen in it any more. Returns what ends the watch. */
export function watchForSpin(seed: number): () => void {
  let promises = 0
  let round: NodeJS.Immediate | undefined
  const count = (): void => {
    promises += 1
    if (promises <= mostPromises) return
    end()
    throw new Error(spinMessage(seed))
  }
  const begin = (): void => {
    promises = 0
    round = setImmediate(begin)
  }
  const stopCounting = promiseHooks.onInit(count) as () => void
  const end = (): void => {
    stopCounting()
    clearImmediate(round)
  }
  begin()
  return end
}

const spinMessage = (seed: number): string => `The simulation of seed ${seed} spins: ${mostPromises} promises at one moment, and no end of it.`

/** The seed of a simulation that ended its process because it spun, from what the process wrote; undefined when none did. */
export function spunSeed(written: string): number | undefined {
  const seed = /The simulation of seed (\d+) spins/.exec(written)?.[1]
  return seed === undefined ? undefined : Number(seed)
}
