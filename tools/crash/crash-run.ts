/** A run of `npm run crash`: what was done, and what of it is a violation. */
import { type FaultReport, type LivesReport, type MatrixReport, type RecordedReport, sourceFaults } from '@loom-agent/harness/crash'
import type { FlushProofReport } from '@loom-agent/harness/disk'
import {
  type CampaignReport,
  type ClaimRaceReport,
  type FeedRaceReport,
  killsIn,
  type NestedAsksReport,
  type StartRaceReport,
  type StormsReport,
  type TreeTransferReport,
  type ZombieOptions,
  type ZombieReport,
} from '@loom-agent/harness/kill'
import { findingText } from '@loom-agent/testing/crash'

/** A driver that was frozen, and where. */
export type ZombieCase = Pick<ZombieOptions, 'call' | 'at'> & ZombieReport

/** What is tried on SQLite besides kills. */
export interface SqliteRun {
  readonly flush: FlushProofReport
  /** Planted faults that must be reported. */
  readonly controls: { readonly relaxed: FlushProofReport; readonly withoutSync: FlushProofReport }
  readonly zombies: readonly ZombieCase[]
  readonly race: ClaimRaceReport
  readonly nested: readonly NestedAsksReport[]
}

/** What is tried on PostgreSQL besides kills. */
export interface PostgresRun {
  readonly storms: StormsReport
  readonly matrix: MatrixReport
}

/** What is tried with threads: starts, the feed, liveness, trees that are moved, and recorded tests. What was not asked for is missing. */
export interface ThreadRuns {
  readonly starts: readonly StartRaceReport[]
  readonly feeds: readonly FeedRaceReport[]
  readonly liveness?: { readonly lives: LivesReport; readonly faults: readonly FaultReport[] } | undefined
  readonly trees: readonly TreeTransferReport[]
  readonly recorded?: RecordedReport | undefined
}

/** Everything that a run has done. */
export interface CrashRun extends ThreadRuns {
  readonly command: string
  readonly seed: number
  readonly isLong: boolean
  /** Kills that were asked for on each journal. */
  readonly cycles: number
  readonly kills: readonly CampaignReport[]
  readonly matrix: MatrixReport | undefined
  readonly sqlite: SqliteRun | undefined
  readonly postgres: PostgresRun | undefined
}

/** Kills that a long run must have inside appends, and between effects and their results. */
const least = 100

/** Everything that is wrong with a run. */
export function violationsOf({ isLong, cycles, kills, matrix, sqlite, postgres, ...threads }: CrashRun): readonly string[] {
  return [
    ...threadViolations(threads),
    ...kills.flatMap((report) => killViolations(report, { isLong, cycles })),
    ...(matrix?.violations ?? []),
    ...(sqlite ? sqliteViolations(sqlite) : []),
    ...(postgres ? postgresViolations(postgres) : []),
  ]
}

function threadViolations({ starts, feeds, liveness, trees, recorded }: ThreadRuns): readonly string[] {
  const { lives, faults = [] } = liveness ?? {}
  const unseen = faults.filter(({ found }) => found.length === 0)
  return [
    ...starts.flatMap(({ journal, findings }) => findings.map((finding) => `starts on ${journal}, ${findingText(finding)}`)),
    ...feeds.flatMap(({ journal, findings }) => findings.map((finding) => `feed of ${journal}, ${findingText(finding)}`)),
    ...trees.flatMap(({ journal, findings }) => findings.map((finding) => `trees on ${journal}, ${findingText(finding)}`)),
    ...(lives?.findings ?? []).map((finding) => `liveness, ${findingText(finding)}`),
    ...(recorded?.findings ?? []).map((finding) => `recorded, ${findingText(finding)}`),
    ...unseen.map(({ fault }) => `liveness: the planted fault was not found: ${sourceFaults[fault].what}`),
  ]
}

function killViolations(report: CampaignReport, { isLong, cycles }: { isLong: boolean; cycles: number }): readonly string[] {
  const { journal, findings } = report
  const wrong = findings.map((finding) => `${journal}, ${findingText(finding)}`)
  if (report.cycles < cycles) wrong.push(`${journal}: ${report.cycles} kills of ${cycles}`)
  if (!isLong) return wrong
  if (killsIn(report, 'append') < least) wrong.push(`${journal}: only ${killsIn(report, 'append')} kills inside an append`)
  if (killsIn(report, 'effect') < least) wrong.push(`${journal}: only ${killsIn(report, 'effect')} kills between an effect and its result`)
  return wrong
}

function sqliteViolations({ flush, controls, zombies, race, nested }: SqliteRun): readonly string[] {
  const { broken, problems, syncs, commits, unsynced } = flush
  const found = [race, ...nested].flatMap(({ findings }) => findings.map(findingText))
  const wrong = [...problems, ...found, ...zombies.flatMap(zombieViolations)]
  if (broken > 0) wrong.push(`flush: ${broken} power failures lost something`)
  if (syncs < commits || unsynced > 0) wrong.push(`flush: ${syncs} syncs for ${commits} commits, ${unsynced} acknowledgements without one`)
  for (const [build, control] of Object.entries(controls)) if (control.broken === 0) wrong.push(`flush: the build ${build} was not reported`)
  return wrong
}

function postgresViolations({ storms, matrix }: PostgresRun): readonly string[] {
  const wrong = storms.storms.flatMap(({ storm, struck, findings }) => [
    ...findings.map((finding) => `postgres, ${storm}, ${findingText(finding)}`),
    ...(struck === 0 ? [`postgres, ${storm}: it never struck`] : []),
  ])
  return [...wrong, ...matrix.violations.map((violation) => `postgres, ${violation}`)]
}

/** An unsafe call that is frozen before its effect may happen twice: only a key closes that window. */
export const isOpenWindow = ({ call, at }: Pick<ZombieCase, 'call' | 'at'>): boolean => call === 'unsafe' && at === 'before'

function zombieViolations(zombie: ZombieCase): readonly string[] {
  const { call, at, held, freed, appended, endings, requests, keys, findings } = zombie
  const what = `zombie (${call}, ${at})`
  const wrong = findings.filter(({ kind }) => !(isOpenWindow(zombie) && kind === 'duplicate')).map(({ message }) => `${what}: ${message}`)
  if (!held || !freed) wrong.push(`${what}: the thread was not held until the lease expired`)
  if (appended > 0) wrong.push(`${what}: it appended ${appended} events`)
  if (endings.some((status) => status !== 'done')) wrong.push(`${what}: it ended as ${endings.join(', ')}`)
  if (call === 'idempotent' ? keys !== 1 : requests > (isOpenWindow(zombie) ? 2 : 1)) wrong.push(`${what}: ${requests} requests under ${keys} keys`)
  return wrong
}
