/** The crash matrix: a crash at every boundary of every scenario, in one process, with time and crashes under control. */
import { type CrashReport, crashText, isClean } from '../../packages/testing/src/crash/enumerate.ts'
import { crashMatrix } from '../../packages/testing/src/crash/matrix.ts'
import { memoryStorage } from '../../packages/testing/src/crash/storage.ts'

/** What the matrix came to. */
export interface MatrixReport {
  readonly scenarios: number
  /** Boundaries of appends and effects at which a process can die. */
  readonly boundaries: number
  /** Lives with one crash or two. */
  readonly crashes: number
  /** Lives that came to the undisturbed transcript once somebody had answered for a call in doubt. */
  readonly asked: number
  readonly violations: readonly string[]
}

/** How much of it is lived. */
export interface MatrixOptions {
  readonly seed: number
  /** Pairs of crashes for each scenario, the second while the next process recovers. */
  readonly pairs: number
  readonly onProgress: (scenarios: number) => void
}

/** Lives the matrix. */
export async function runMatrix({ seed, pairs, onProgress }: MatrixOptions): Promise<MatrixReport> {
  let done = 0
  const reported = (): void => {
    done += 1
    onProgress(done)
  }
  const reports = await crashMatrix(memoryStorage, { seed, pairs, reported })
  const points = reports.flatMap((report) => report.points)
  return {
    scenarios: reports.length,
    boundaries: reports.reduce((sum, { boundaries }) => sum + boundaries, 0),
    crashes: points.length,
    asked: points.filter(({ kind }) => kind === 'asked').length,
    violations: reports.filter((report: CrashReport) => !isClean(report)).map(crashText),
  }
}
