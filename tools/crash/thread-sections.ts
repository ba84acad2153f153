/** The sections about threads: starts, the feed, liveness, trees that are moved, and recorded tests. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFault, livenessFaults, recordLives, simulateLives, sourceFaults } from '@loom-agent/harness/crash'
import { feedRace, type JournalKind, startRace, startWorld, treeTransfer, type WorldServer } from '@loom-agent/harness/kill'
import { type PostgresServer, startPostgresServer } from '@loom-agent/harness/servers'
import type { ThreadRuns } from './crash-run.ts'
import { printResult, progressOf, seconds } from './print.ts'

/** The sections about threads. */
export const threadSections = ['starts', 'feed', 'liveness', 'trees', 'recorded'] as const

/** How much is done, and on which journals. */
export interface ThreadOptions {
  readonly quick: boolean
  readonly journals: readonly JournalKind[]
  readonly seed: number
}

/** How much each section does, in a long run and in a quick one. */
const long = {
  starts: 1000,
  kills: 100,
  feed: { writers: 8, appends: 20_000, kills: 80, departures: 20 },
  serverKills: 10,
  lives: 3000,
  trees: 200,
  recorded: 2000,
}
const quick = {
  starts: 30,
  kills: 6,
  feed: { writers: 3, appends: 150, kills: 3, departures: 2 },
  serverKills: 1,
  lives: 100,
  trees: 10,
  recorded: 50,
}
/** Lives in which a planted fault must show: the search ends with the first that does, and some need a rare meeting of a stop and a crash. */
const faultyLives = 3000

interface Site {
  readonly world: WorldServer
  readonly folder: string
}

type Sized = ThreadOptions & { readonly size: typeof long }

/** Runs the sections that are asked for. */
export async function runThreadSections(options: ThreadOptions, sections: readonly string[]): Promise<ThreadRuns> {
  const site: Site = { world: await startWorld(), folder: await mkdtemp(join(tmpdir(), 'loom-threads-')) }
  const sized: Sized = { ...options, size: options.quick ? quick : long }
  const runs: ThreadRuns = {
    starts: sections.includes('starts') ? await runStarts(sized, site) : [],
    feeds: sections.includes('feed') ? await runFeeds(sized, site) : [],
    ...(sections.includes('liveness') && { liveness: await runLives(sized) }),
    trees: sections.includes('trees') ? await runTrees(sized, site) : [],
    ...(sections.includes('recorded') && { recorded: await runRecorded(sized) }),
  }
  await site.world.end()
  const isClean = [...runs.starts, ...runs.feeds, ...runs.trees].every(({ findings }) => findings.length === 0)
  // The journals of violations are kept.
  if (isClean) await rm(site.folder, { recursive: true })
  else console.log(`the journals are in ${site.folder}`)
  return runs
}

/** Does something on a journal; where it needs a server, on one of its own. */
async function onServer<T>(journal: JournalKind, work: (server: PostgresServer | undefined) => Promise<T>): Promise<T> {
  const server = journal === 'postgres' ? await startPostgresServer() : undefined
  try {
    return await work(server)
  } finally {
    await server?.close()
  }
}

async function runStarts({ journals, seed, size }: Sized, site: Site): Promise<ThreadRuns['starts']> {
  const reports = []
  for (const kind of journals) {
    const since = performance.now()
    const report = await onServer(kind, (server) =>
      startRace({ name: `starts-${kind}`, kind, ...site, ...(server && { url: server.url }), starts: size.starts, kills: size.kills, seed }),
    )
    const { starts, kills, runs, repeats, findings } = report
    const done = `${starts} starts, ${repeats} of them again, ${kills} kills, ${runs} runs`
    printResult(`starts on ${kind}`, `${done}, ${findings.length} violations, ${seconds(since)}`)
    reports.push(report)
  }
  return reports
}

async function runFeeds({ journals, seed, size }: Sized, site: Site): Promise<ThreadRuns['feeds']> {
  const reports = []
  for (const kind of journals) {
    if (kind === 'file') continue
    const since = performance.now()
    const progress = progressOf(`feed of ${kind}`)
    const onProgress = (appends: number): void => progress(`${appends} of ${size.feed.appends} appends`)
    const report = await onServer(kind, (server) => {
      const served = server ? { url: server.url, server, serverKills: size.serverKills } : {}
      return feedRace({ name: `feed-${kind}`, kind, folder: site.folder, ...size.feed, ...served, seed, onProgress })
    })
    const { appends, removals, kills, serverKills, readers, returns, seen, findings } = report
    const done = `${appends} appends, ${removals} removals, ${kills} kills of writers, ${serverKills} of the server, ${readers} readers, ${returns} returns`
    printResult(`feed of ${kind}`, `${done}, ${seen} entries seen, ${findings.length} violations, ${seconds(since)}`)
    reports.push(report)
  }
  return reports
}

async function runLives({ seed, size, quick: isQuick }: Sized): Promise<ThreadRuns['liveness']> {
  const since = performance.now()
  const progress = progressOf('liveness')
  const lives = await simulateLives({ from: seed, lives: size.lives, onProgress: (done) => progress(`${done} of ${size.lives} lives`) })
  const struck = Object.entries(lives.struck).map(([fault, count]) => `${fault} ${count}`)
  printResult('liveness', `${lives.lives} lives from seed ${seed}, ${lives.findings.length} violations, ${seconds(since)}`)
  console.log(`  ${struck.join(', ')}`)
  const faults = []
  for (const fault of isQuick ? [] : livenessFaults) {
    const report = await findFault(fault, { from: seed, lives: faultyLives })
    console.log(`  planted: ${sourceFaults[fault].what}: ${report.found.length > 0 ? `found at seed ${report.seed}` : 'not found'}`)
    faults.push(report)
  }
  return { lives, faults }
}

async function runRecorded({ seed, size }: Sized): Promise<ThreadRuns['recorded']> {
  const since = performance.now()
  const progress = progressOf('recorded')
  const report = await recordLives({ from: seed, lives: size.recorded, onProgress: (done) => progress(`${done} of ${size.recorded} lives`) })
  const counts = Object.entries(report.counts).map(([what, times]) => `${times} ${what}`)
  printResult(
    'recorded',
    `${report.lives} lives from seed ${seed}, ${report.findings.length} alarms, ${report.refused.length} refused, ${seconds(since)}`,
  )
  console.log(`  ${counts.join(', ')}`)
  for (const { at } of report.refused) console.log(`  refused: ${at}`)
  return report
}

async function runTrees({ journals, seed, size }: Sized, site: Site): Promise<ThreadRuns['trees']> {
  const reports = []
  for (const kind of journals) {
    const since = performance.now()
    const progress = progressOf(`trees on ${kind}`)
    const onProgress = (done: number): void => progress(`${done} of ${size.trees} trees`)
    const report = await onServer(kind, (server) =>
      treeTransfer({ kind, ...site, ...(server && { url: server.url }), trees: size.trees, seed, onProgress }),
    )
    const { trees, threads, open, forks, crashed, adopted, effects, findings } = report
    const done = `${trees} trees, ${threads} threads, ${open} open, ${forks} forks, ${crashed} after a crash, ${adopted} adopted, ${effects} effects`
    printResult(`trees on ${kind}`, `${done}, ${findings.length} violations, ${seconds(since)}`)
    reports.push(report)
  }
  return reports
}
