/** The crash matrix: a crash at every boundary of every scenario, in one process, with time and crashes under control. */

import { postgres } from '@loom-agent/journals/postgres'
import { type CrashReport, crashText, isClean } from '../../packages/testing/src/crash/enumerate.ts'
import { crashMatrix } from '../../packages/testing/src/crash/matrix.ts'
import { crashScenarios } from '../../packages/testing/src/crash/scenarios/scenarios.ts'
import { type CrashStorageFactory, memoryStorage } from '../../packages/testing/src/crash/storage.ts'
import { startPostgresServer } from '../../packages/testing/src/postgres-server.ts'

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

/** Lives the matrix in memory, at every boundary. */
export function runMatrix(options: MatrixOptions): Promise<MatrixReport> {
  return matrixOn(memoryStorage, { ...options, every: 1, distinct: false })
}

/** Lives one scenario in so many on PostgreSQL, at the boundaries that whoever comes after can tell apart. The server flushes nothing: it is not what dies. */
export async function runPostgresMatrix(options: MatrixOptions & { readonly every: number }): Promise<MatrixReport> {
  const server = await startPostgresServer({ fsync: false })
  const caretaker = postgres(server.url)
  const discard = async (): Promise<void> => {
    for (const { thread } of await caretaker.threads()) await caretaker.remove(thread)
  }
  try {
    return await matrixOn(() => ({ open: () => postgres(server.url), abandon: (journal) => journal.close(), discard }), {
      ...options,
      distinct: true,
    })
  } finally {
    await caretaker.close()
    await server.close()
  }
}

interface Extent extends MatrixOptions {
  /** One scenario in so many is lived. */
  readonly every: number
  readonly distinct: boolean
}

async function matrixOn(storage: CrashStorageFactory, { seed, pairs, every, distinct, onProgress }: Extent): Promise<MatrixReport> {
  let done = 0
  const reported = (): void => {
    done += 1
    onProgress(done)
  }
  const scenarios = crashScenarios.filter((_, index) => index % every === 0)
  const reports = await crashMatrix(storage, { scenarios, seed, pairs, distinct, reported })
  const points = reports.flatMap((report) => report.points)
  return {
    scenarios: reports.length,
    boundaries: reports.reduce((sum, { boundaries }) => sum + boundaries, 0),
    crashes: points.length,
    asked: points.filter(({ kind }) => kind === 'asked').length,
    violations: reports.filter((report: CrashReport) => !isClean(report)).map(crashText),
  }
}
