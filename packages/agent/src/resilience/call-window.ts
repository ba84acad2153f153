/** The outcomes of recent calls, in memory that does not grow with their number. */
import type { Clock } from '@loom-agent/kernel'

/** Calls of the recent past. */
export interface CallWindow {
  add(failed: boolean): void
  count(): { readonly calls: number; readonly failures: number }
  clear(): void
}

/** The window moves on by a tenth of its length. */
const slices = 10

interface Slice {
  readonly number: number
  calls: number
  failures: number
}

/** A window of the last so many calls; with a time, of those of them that are not older. */
export function createCountWindow(most: number, ms: number, clock: Pick<Clock, 'now'>): CallWindow {
  let kept: { readonly time: number; readonly failed: boolean }[] = []
  return {
    add(failed) {
      kept.push({ time: clock.now(), failed })
      if (kept.length > most) kept.shift()
    },
    count() {
      const oldest = clock.now() - ms
      kept = kept.filter(({ time }) => time > oldest)
      return { calls: kept.length, failures: kept.filter(({ failed }) => failed).length }
    },
    clear() {
      kept = []
    },
  }
}

/** A window of the given milliseconds: a call has left it once they have passed. */
export function createCallWindow(ms: number, clock: Pick<Clock, 'now'>): CallWindow {
  const width = ms / slices
  let kept: Slice[] = []
  const expire = (): number => {
    const current = Math.floor(clock.now() / width)
    if (kept[0] && kept[0].number <= current - slices) kept = kept.filter(({ number }) => number > current - slices)
    return current
  }
  return {
    add(failed) {
      const number = expire()
      let slice = kept.at(-1)
      if (slice?.number !== number) {
        slice = { number, calls: 0, failures: 0 }
        kept.push(slice)
      }
      slice.calls += 1
      if (failed) slice.failures += 1
    },
    count() {
      expire()
      let calls = 0
      let failures = 0
      for (const slice of kept) {
        calls += slice.calls
        failures += slice.failures
      }
      return { calls, failures }
    },
    clear() {
      kept = []
    },
  }
}
