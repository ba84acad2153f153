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

/** Wall milliseconds and CPU microseconds of something. */
export async function timesOf(work: () => Promise<unknown>): Promise<{ readonly wall: number; readonly cpu: number }> {
  let cpu = 0
  const wall = await wallOf(async () => {
    cpu = await cpuOf(work)
  })
  return { wall, cpu }
}

/** The median of some numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const high = sorted[middle] ?? Number.NaN
  return sorted.length % 2 ? high : (high + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** One line of the result. */
export interface Figure {
  readonly workload: string
  /** What was measured. */
  readonly what: string
  readonly value: number
  readonly unit: string
  /** What the value is judged by; without it the figure only informs. */
  readonly goal?: number
  readonly better: 'lower' | 'higher'
  /** How it was measured, and the figures behind the value. */
  readonly detail: string
}

/** A figure: a ratio of which less is better, unless it says otherwise. */
export function figure(workload: string, what: string, more: Pick<Figure, 'value' | 'detail'> & Partial<Figure>): Figure {
  return { workload, what, unit: 'x', better: 'lower', ...more }
}

/** By how much a figure misses its goal: 1 is on the goal, 2 is twice as bad. */
export function missOf({ value, goal, better }: Figure): number {
  if (goal === undefined) return 0
  return better === 'lower' ? value / goal : goal / value
}
