/**
 * Kills Loom and judges what is left: `npm run crash [-- --quick] [--only section] [--journal file|sqlite|postgres] [--cycles n] [--seed s]`.
 *
 * The sections are `kills` (with everything that is tried beside them), `starts`, `feed`, `liveness`, `trees` and `recorded`; without one it takes all of them. Without a journal it takes all of them, a quick run those that need no server. With at least 1,000 kills on each, and nothing wrong, a run on all of
 * them writes docs/proof/durability.md. Servers are started by the command itself.
 * Exits 1 when anything is wrong.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { crashMatrix, crashScenarios, type MatrixReport } from '@loom-agent/harness/crash'
import { flushProof } from '@loom-agent/harness/disk'
import {
  type CampaignReport,
  claimRace,
  type JournalKind,
  journalKinds,
  killCampaign,
  killsIn,
  nestedAsks,
  phases,
  startWorld,
  stormCampaign,
  type WorldServer,
  type ZombieOptions,
  zombie,
} from '@loom-agent/harness/kill'
import { startPostgresServer } from '@loom-agent/harness/servers'
import { postgres } from '@loom-agent/journals/postgres'
import type { Journal } from '@loom-agent/kernel'
import { findingKinds } from '@loom-agent/testing/crash'
import { type CrashRun, type PostgresRun, type SqliteRun, violationsOf, type ZombieCase } from './crash/crash-run.ts'
import { printResult, progressOf, seconds } from './crash/print.ts'
import { proofPage } from './crash/proof-page.ts'
import { runThreadSections, type ThreadOptions, threadSections } from './crash/thread-sections.ts'

/** Journals that need no server. */
const serverless: readonly JournalKind[] = ['file', 'sqlite']
/** Kills on each journal that a page may be written about. */
const long = 1000
interface Options extends ThreadOptions {
  readonly sections: readonly Section[]
  readonly cycles: number
}

/** What can be run alone. */
const sections = ['kills', ...threadSections] as const
type Section = (typeof sections)[number]

function optionsOf(): Options {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      journal: { type: 'string' },
      cycles: { type: 'string' },
      seed: { type: 'string' },
    },
  })
  const { quick, journal, only } = values
  const isSection = (name: string): name is Section => (sections as readonly string[]).includes(name)
  if (only !== undefined && !isSection(only)) throw new Error(`There is no section ${only}: ${sections.join(', ')}.`)
  const isKnown = (name: string): name is JournalKind => (journalKinds as readonly string[]).includes(name)
  if (journal !== undefined && !isKnown(journal)) throw new Error(`There is no journal ${journal} to kill processes on: ${journalKinds.join(', ')}.`)
  const number = (name: 'cycles' | 'seed', otherwise: number): number => {
    const value = values[name] === undefined ? otherwise : Number(values[name])
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} is ${values[name]}. Give a whole number above 0.`)
    return value
  }
  return {
    quick,
    sections: only === undefined ? sections : [only],
    journals: journal !== undefined ? [journal] : quick ? serverless : journalKinds,
    cycles: number('cycles', quick ? 30 : long),
    seed: number('seed', 1 + Math.floor(Math.random() * 1e6)),
  }
}

/** The options; a wrong one ends the program with a message. */
function optionsOrExit(): Options {
  try {
    return optionsOf()
  } catch (error) {
    console.error(`crash: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(2)
  }
}

async function runKills(journal: JournalKind, { cycles, seed }: Options): Promise<CampaignReport> {
  const progress = progressOf(journal)
  const onProgress = ({ cycles: done, findings, ms }: CampaignReport): void =>
    progress(`${done} of ${cycles} kills, ${findings.length} violations, ${Math.round(ms / 1000)} s`)
  const report = await killCampaign({ journal, cycles, seed, onProgress })
  const { cycles: done, findings, notified, effects, ms, kills } = report
  printResult(journal, `${done} kills in ${Math.round(ms / 1000)} s, ${notified} notified events, ${effects} effects, ${findings.length} violations`)
  for (const phase of phases) console.log(`  ${String(kills[phase]).padStart(5)}  ${phase}`)
  console.log(`  ${killsIn(report, 'append')} inside an append, ${killsIn(report, 'effect')} between an effect and its result`)
  const found = Object.keys(findingKinds).map((kind) => `${kind} ${findings.filter((finding) => finding.kind === kind).length}`)
  console.log(`  ${found.join(', ')}`)
  return report
}

async function matrixOf(name: string, run: (onProgress: (scenarios: number) => void) => Promise<MatrixReport>): Promise<MatrixReport> {
  const progress = progressOf(name)
  const since = performance.now()
  const report = await run((scenarios) => progress(`${scenarios} scenarios`))
  const { scenarios, crashPoints, crashes, violations } = report
  printResult(name, `${scenarios} scenarios, ${crashPoints} crash points, ${crashes} crashes, ${violations.length} violations, ${seconds(since)}`)
  return report
}

/** The matrix on a server, one scenario in so many, at distinct crash points. The server flushes nothing: it is not what dies. */
async function postgresMatrix(seed: number, every: number, onProgress: (scenarios: number) => void): Promise<MatrixReport> {
  const server = await startPostgresServer({ fsync: false })
  const cleaner = postgres(server.url)
  const discard = async (): Promise<void> => {
    for (const { thread } of await cleaner.threads()) await cleaner.remove(thread)
  }
  const scenarios = crashScenarios.filter((_, index) => index % every === 0)
  try {
    const storage = () => ({ open: () => postgres(server.url), abandon: (journal: Journal) => journal.close(), discard })
    return await crashMatrix(storage, { scenarios, seed, distinct: true, onProgress })
  } finally {
    await cleaner.close()
    await server.close()
  }
}

/** Storms and the crash matrix on PostgreSQL. */
async function runOnPostgres({ quick, seed }: Options): Promise<PostgresRun> {
  const storms = await stormCampaign({
    rounds: quick ? 1 : 10,
    seed,
    onProgress: ({ storm, struck, threads, notified, effects, findings }) =>
      printResult(
        `postgres, ${storm}`,
        `struck ${struck} times, ${threads} threads, ${notified} notified events, ${effects} effects, ${findings.length} violations`,
      ),
  })
  const matrix = await matrixOf('crash matrix on postgres', (onProgress) => postgresMatrix(seed, quick ? 40 : 3, onProgress))
  return { storms, matrix }
}

const zombieCases: readonly Pick<ZombieOptions, 'call' | 'at'>[] = [
  { call: 'unsafe', at: 'after' },
  { call: 'unsafe', at: 'append' },
  { call: 'unsafe', at: 'before' },
  { call: 'idempotent', at: 'before' },
  { call: 'idempotent', at: 'append' },
  { call: 'reconcilable', at: 'after' },
]

interface Site {
  readonly world: WorldServer
  readonly folder: string
}

async function runZombies({ world, folder }: Site): Promise<readonly ZombieCase[]> {
  const cases: ZombieCase[] = []
  for (const { call, at } of zombieCases) cases.push({ call, at, ...(await zombie({ name: `zombie-${call}-${at}`, world, folder, call, at })) })
  printResult('zombies', cases.map(({ call, at, requests, appended }) => `${call} ${at}: ${requests} requests, ${appended} appended`).join('; '))
  return cases
}

async function proveFlushes({ quick, seed }: Options): Promise<Pick<SqliteRun, 'flush' | 'controls'>> {
  const progress = progressOf('flush')
  const [rounds, schedules] = quick ? [60, 90] : [300, 2000]
  const report = await flushProof({ rounds, schedules, seed, onProgress: (done) => progress(`${done} of ${schedules} power failures`) })
  const relaxed = await flushProof({ build: 'relaxed', rounds: 60, schedules: 60, seed })
  const withoutSync = await flushProof({ build: 'without-sync', rounds: 60, schedules: 60, seed })
  const { commits, syncs, broken } = report
  printResult('flush', `${syncs} syncs for ${commits} commits, ${broken} of ${schedules} power failures lost something`)
  console.log(`  planted faults: ${relaxed.broken} of 60 in relaxed mode, ${withoutSync.broken} of 60 without syncs`)
  return { flush: report, controls: { relaxed, withoutSync } }
}

async function runOnSqlite(options: Options): Promise<SqliteRun> {
  const { quick, seed } = options
  const flushed = await proveFlushes(options)
  const site: Site = { world: await startWorld(), folder: await mkdtemp(join(tmpdir(), 'loom-crash-')) }
  try {
    const zombies = await runZombies(site)
    const since = performance.now()
    const race = await claimRace({ name: 'race', ...site, rounds: quick ? 5 : 50, claimants: 1000 })
    printResult('claim race', `${race.rounds} rounds, won ${race.wins.join(' and ')} times, ${race.findings.length} violations, ${seconds(since)}`)
    const nested = []
    for (let tree = 0; tree < (quick ? 1 : 10); tree += 1) nested.push(await nestedAsks({ ...site, seed: seed + tree }))
    printResult('nested questions', `${nested.length} trees, ${nested.flatMap(({ findings }) => findings).length} violations`)
    return { ...flushed, zombies, race, nested }
  } finally {
    await site.world.end()
    await rm(site.folder, { recursive: true })
  }
}

async function runSections(options: Options): Promise<CrashRun> {
  const { quick, journals, cycles, seed } = options
  const base = { command: `npm run crash -- --cycles ${cycles} --seed ${seed}`, seed, isLong: !quick && cycles >= long, cycles }
  const threads = await runThreadSections(options, options.sections)
  if (!options.sections.includes('kills')) return { ...base, ...threads, kills: [], matrix: undefined, sqlite: undefined, postgres: undefined }
  const kills: CampaignReport[] = []
  for (const journal of journals) kills.push(await runKills(journal, options))
  const sqlite = journals.includes('sqlite') ? await runOnSqlite(options) : undefined
  const onPostgres = journals.includes('postgres') ? await runOnPostgres(options) : undefined
  const matrix = await matrixOf('crash matrix', (onProgress) => crashMatrix(undefined, { seed, pairs: quick ? 0 : 6, onProgress }))
  return { ...base, ...threads, kills, matrix, sqlite, postgres: onPostgres }
}

const options = optionsOrExit()
console.log(`crash: seed ${options.seed}`)
const began = performance.now()
const run = await runSections(options)
const violations = violationsOf(run)
for (const violation of violations) console.error(violation.slice(0, 1000))
console.log(`crash: ${violations.length} violations, ${seconds(began)}`)
if (violations.length > 0) process.exitCode = 1
else if (run.isLong && options.journals === journalKinds && options.sections === sections) {
  await writeFile(join(import.meta.dirname, '../docs/proof/durability.md'), proofPage(run))
  console.log('crash: docs/proof/durability.md is written')
}
// Agents whose process has died in a trial have calls that never end, and timers for them.
process.exit()
