/**
 * Loom's benches: `npm run bench`. Ratios against a bare hand loop in the same run; the table goes to bench/results.json.
 *
 * `-- --gate` exits 1 when a goal is missed by more than half of it. `-- --quick` measures less.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { measureBranches } from './branches.ts'
import { measureFanOut, measureRuns } from './concurrency.ts'
import { measureCounts } from './counts.ts'
import { measureDurable } from './durable.ts'
import { measureImport } from './footprint.ts'
import { type Figure, missOf } from './measure.ts'
import { measurePostgres } from './postgres.ts'
import { measureStream } from './stream.ts'
import { measureTurns } from './turns.ts'

const gate = process.argv.includes('--gate')
const quick = process.argv.includes('--quick')
/** A shared machine is noisy: only what misses its goal by more than this fails the gate. */
const tolerance = 1.5

const figures: Figure[] = []
const workloads: readonly (() => Promise<readonly Figure[]>)[] = [
  () => measureTurns(quick),
  () => measureRuns(quick),
  () => measureDurable(quick),
  () => measurePostgres(quick),
  () => measureBranches(quick),
  measureStream,
  measureFanOut,
  measureCounts,
  measureImport,
]
for (const measure of workloads) {
  for (const figure of await measure()) {
    figures.push(figure)
    print(figure)
  }
}

function print(figure: Figure): void {
  const { workload, what, value, unit, goal, better, detail } = figure
  const shown = Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(2)
  const aim = goal === undefined ? '' : ` (goal ${better === 'lower' ? '<=' : '>='} ${goal.toLocaleString('en')})`
  const mark = goal === undefined ? ' ' : missOf(figure) <= 1 ? 'ok' : missOf(figure) <= tolerance ? '~ ' : 'NO'
  console.log(`${mark.padEnd(2)} ${workload} ${what}: ${shown} ${unit}${aim}  [${detail}]`)
}

if (!quick) {
  const host = { node: process.version, platform: `${process.platform} ${process.arch}` }
  writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify({ ...host, figures }, null, 2)}\n`)
}
const missed = figures.filter((figure) => missOf(figure) > tolerance)
if (gate && missed.length > 0) {
  console.error(`bench: ${missed.length} goals are missed by more than ${tolerance}x`)
  process.exitCode = 1
}
