/** The outcomes of recent calls, in memory that does not grow with their number. */
import type { Clock } from '@loom-agent/kernel'

/** Calls of the recent past. */
export interface CallWindow {
  add(failed: boolean): void
  count(): { readonly calls: number; readonly failures: number }
  clear(): void
}

/** A window of the last `most` calls that are younger than `ms` milliseconds. */
export function createCallWindow(most: number, ms: number, clock: Pick<Clock, 'now'>): CallWindow {
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
