/**
 * Loom's benches: `npm run bench`. Ratios against a bare hand loop in the same run; the table goes to bench/results.json.
 *
 * `-- --gate` exits 1 when a goal is missed by more than half of it. `-- --quick` measures less, `-- --only turns,stream` some of the workloads.
 * `-- --beside <folder>` compares with another commit instead (beside.ts), in `--rounds <n>` rounds; with `--gate`, what is worse exits 1.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compareWith } from './beside.ts'
import { type Figure, missOf } from './measure.ts'

const { values: given } = parseArgs({
  options: {
    gate: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    beside: { type: 'string' },
    rounds: { type: 'string', default: '5' },
  },
})
const { gate, quick, json } = given
/** A shared machine is noisy: only what misses its goal by more than this fails the gate. */
const tolerance = 1.5

/** Loaded on use: another commit, which may lack what one of them needs, can run the others. */
const workloads: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  turns: async () => (await import('./turns.ts')).measureTurns(quick),
  runs: async () => (await import('./concurrency.ts')).measureRuns(quick),
  durable: async () => (await import('./durable.ts')).measureDurable(quick),
  postgres: async () => (await import('./postgres.ts')).measurePostgres(quick),
  branches: async () => (await import('./branches.ts')).measureBranches(quick),
  lengths: async () => (await import('./branches.ts')).measureLengths(quick),
  stream: async () => (await import('./stream.ts')).measureStream(),
  'fan-out': async () => (await import('./concurrency.ts')).measureFanOut(),
  hostile: async () => (await import('./hostile.ts')).measureHostile(quick),
  context: async () => (await import('./context.ts')).measureContext(quick),
  counts: async () => (await import('./counts.ts')).measureCounts(),
  redaction: async () => (await import('./redaction.ts')).measureRedaction(quick),
  import: async () => (await import('./footprint.ts')).measureImport(),
  'start-up': async () => (await import('./start-up.ts')).measureStartUp(),
}
const chosen = given.only?.split(',') ?? Object.keys(workloads)
const unknown = chosen.find((name) => !workloads[name])
if (unknown !== undefined) throw new Error(`There is no workload ${unknown}. They are: ${Object.keys(workloads).join(', ')}.`)

if (given.beside === undefined) await measureAll()
else await compare(given.beside)

async function compare(folder: string): Promise<void> {
  const worse = await compareWith({ folder, workloads: chosen, rounds: Number(given.rounds), options: quick ? ['--quick'] : [] })
  console.log(worse.length === 0 ? 'bench: no ratio is worse than the spread' : `bench: worse than the spread: ${worse.join('; ')}`)
  if (gate && worse.length > 0) process.exitCode = 1
}

async function measureAll(): Promise<void> {
  const figures: Figure[] = []
  for (const name of chosen) {
    for (const figure of (await workloads[name]?.()) ?? []) {
      figures.push(figure)
      if (!json) print(figure)
    }
  }
  if (json) return console.log(JSON.stringify(figures))
  if (!quick && given.only === undefined) {
    const host = { node: process.version, platform: `${process.platform} ${process.arch}` }
    writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify({ ...host, figures }, null, 2)}\n`)
  }
  const missed = figures.filter((figure) => missOf(figure) > tolerance)
  if (!gate || missed.length === 0) return
  console.error(`bench: ${missed.length} goals are missed by more than ${tolerance}x`)
  process.exitCode = 1
}

function print(figure: Figure): void {
  const { workload, what, value, unit, goal, better, detail } = figure
  const shown = Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(2)
  const aim = goal === undefined ? '' : ` (goal ${better === 'lower' ? '<=' : '>='} ${goal.toLocaleString('en')})`
  const mark = goal === undefined ? ' ' : missOf(figure) <= 1 ? 'ok' : missOf(figure) <= tolerance ? '~ ' : 'NO'
  console.log(`${mark.padEnd(2)} ${workload} ${what}: ${shown} ${unit}${aim}  [${detail}]`)
}
