/** The crash matrix: every scenario, every crash point, on any journal. */
import {
  type CrashReport,
  type CrashScenario,
  type CrashStorageFactory,
  crashText,
  type EnumerateOptions,
  enumerateCrashes,
  isClean,
  memoryStorage,
} from '@loom-agent/testing/crash'
import { crashScenarios } from './scenarios/scenarios.ts'

/** How much of the matrix is run. */
export interface MatrixOptions extends Pick<EnumerateOptions, 'pairs' | 'seed' | 'distinct' | 'patience' | 'recover'> {
  /** Default: all there are. */
  readonly scenarios?: readonly CrashScenario[]
  /** Called after each scenario with the number of scenarios done. */
  readonly onProgress?: (scenarios: number) => void
}

/** The figures of the matrix, and what is wrong. */
export interface MatrixReport {
  readonly scenarios: number
  /** Crash points of the uninterrupted runs. */
  readonly crashPoints: number
  /** Trials with one crash or two. */
  readonly crashes: number
  /** Trials that came to the uninterrupted transcript after a human had answered for a call in doubt. */
  readonly asked: number
  readonly violations: readonly string[]
}

/** Runs all scenarios on a journal, with a crash at each of their crash points. */
export async function crashMatrix(journal: CrashStorageFactory = memoryStorage, options: MatrixOptions = {}): Promise<MatrixReport> {
  const { scenarios = crashScenarios, onProgress, ...how } = options
  const reports: CrashReport[] = []
  for (const scenario of scenarios) {
    reports.push(await enumerateCrashes(scenario, { ...how, journal }))
    onProgress?.(reports.length)
  }
  const outcomes = reports.flatMap((report) => report.outcomes)
  return {
    scenarios: reports.length,
    crashPoints: reports.reduce((sum, { crashPoints }) => sum + crashPoints, 0),
    crashes: outcomes.length,
    asked: outcomes.filter(({ kind }) => kind === 'asked').length,
    violations: reports.filter((report) => !isClean(report)).map(crashText),
  }
}
