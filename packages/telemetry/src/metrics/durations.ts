/** Durations as counts in buckets: they can be added up over runs, and their size does not grow with what they count. */

/** The upper bounds of the buckets, in milliseconds; one more bucket has what is longer. */
export const durationBounds = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000] as const

/** How many durations there are in each bucket, and their sum in milliseconds. */
export interface Durations {
  /** Counts by bucket; the last has what is longer than every bound. */
  readonly counts: readonly number[]
  /** Milliseconds in all. */
  readonly sum: number
}

/** No durations. */
export const noDurations = (): Durations => ({ counts: new Array<number>(durationBounds.length + 1).fill(0), sum: 0 })

/** Durations with one more. */
export function withDuration({ counts, sum }: Durations, ms: number): Durations {
  const place = durationBounds.findIndex((bound) => ms <= bound)
  const bucket = place < 0 ? durationBounds.length : place
  return { counts: counts.map((count, index) => (index === bucket ? count + 1 : count)), sum: sum + ms }
}

/** Two sets of durations together. */
export const addDurations = (a: Durations, b: Durations): Durations => ({
  counts: a.counts.map((count, index) => count + (b.counts[index] ?? 0)),
  sum: a.sum + b.sum,
})
