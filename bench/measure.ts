/** Measuring: CPU time of the process, medians of interleaved repetitions, ratios inside one run. */

/** User and system time of this process in microseconds, all threads counted. */
export function cpuNow(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** CPU microseconds of something. */
export async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = cpuNow()
  await work()
  return cpuNow() - before
}

/** Wall milliseconds of something. */
export async function wallOf(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

/** The middle of some numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const high = sorted[middle] ?? Number.NaN
  return sorted.length % 2 ? high : (high + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** One line of the result: what was measured, the figure, the goal, and whether higher or lower is better. */
export interface Figure {
  readonly workload: string
  readonly what: string
  readonly value: number
  readonly unit: string
  readonly goal?: number
  readonly better: 'lower' | 'higher'
  readonly detail: string
}

/** By how much a figure misses its goal: 1 is on the goal, 2 is twice as bad. */
export function missOf({ value, goal, better }: Figure): number {
  if (goal === undefined) return 0
  return better === 'lower' ? value / goal : goal / value
}
