/** The crash matrix: every scenario, every boundary, on any journal. */
import { type CrashReport, type EnumerateOptions, enumerateCrashes } from './enumerate.ts'
import type { CrashScenario } from './scenario.ts'
import { crashScenarios } from './scenarios/scenarios.ts'
import { type CrashStorageFactory, memoryStorage } from './storage.ts'
import type { VerdictKind } from './verdict.ts'

/** How much of the matrix is lived. */
export interface MatrixOptions extends Pick<EnumerateOptions, 'pairs' | 'seed' | 'distinct' | 'patience' | 'recover'> {
  /** Default: all there are. */
  readonly scenarios?: readonly CrashScenario[]
  /** Told of each scenario as soon as it was judged. */
  readonly reported?: (report: CrashReport) => void
}

/**
 * Lives all scenarios on a journal, with a crash at each of their boundaries.
 *
 * @example
 * const reports = await crashMatrix(() => ({ open: () => openMine(path), abandon: (journal) => closeWithoutFlushing(journal) }))
 * console.log(matrixText(reports))
 */
export async function crashMatrix(journal: CrashStorageFactory = memoryStorage, options: MatrixOptions = {}): Promise<readonly CrashReport[]> {
  const { scenarios = crashScenarios, reported, ...how } = options
  const reports: CrashReport[] = []
  for (const scenario of scenarios) {
    const report = await enumerateCrashes(scenario, { ...how, journal })
    reports.push(report)
    reported?.(report)
  }
  return reports
}

const columns = ['boundaries', 'lives', 'same', 'asked', 'wrong'] as const

/** The matrix as a table: scenarios, boundaries, verdicts. */
export function matrixText(reports: readonly CrashReport[]): string {
  const rows = reports.map(({ scenario, boundaries, points }) => {
    const count = (kind: VerdictKind): number => points.filter((point) => point.kind === kind).length
    return { scenario, boundaries, lives: points.length, same: count('same'), asked: count('asked'), wrong: count('wrong') }
  })
  const total = { scenario: `${rows.length} scenarios`, boundaries: 0, lives: 0, same: 0, asked: 0, wrong: 0 }
  for (const row of rows) for (const column of columns) total[column] += row[column]
  const width = Math.max(...[...rows, total].map(({ scenario }) => scenario.length))
  const line = (name: string, cells: readonly (string | number)[]): string =>
    [name.padEnd(width), ...cells.map((cell) => String(cell).padStart(10))].join(' ')
  return [
    line('scenario', columns),
    ...[...rows, total].map((row) =>
      line(
        row.scenario,
        columns.map((column) => row[column]),
      ),
    ),
  ].join('\n')
}
