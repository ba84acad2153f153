/**
 * Attacks Loom: `npm run attacks [-- --quick] [--before folder] [--fuzz n [--seed s] [--journal kind]]`.
 *
 * The attacks are the tests in test/attacks. All of them must hold here. Then every hole of test/attacks/holes is planted in a guard, and the attacks
 * that it names must notice it. `--before` takes a checkout of an earlier commit, with its packages installed, and counts which attacks succeed there.
 * `--quick` plants one hole of each part. `--fuzz` imports so many mutated exports into every kind of journal, and does nothing else. Exits 1 when an attack succeeds or a hole is not noticed.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { holes } from '../test/attacks/holes/holes.ts'
import { progressOf } from './crash/print.ts'
import { type Ended, runProgram } from './run-program.ts'
import { root } from './workspace.ts'

const { values: given } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    before: { type: 'string' },
    fuzz: { type: 'string' },
    seed: { type: 'string' },
    journal: { type: 'string' },
  },
})

interface Attacks {
  readonly held: readonly string[]
  readonly succeeded: readonly string[]
  readonly ended: Ended
}

/** What of the report of the test runner is read. */
interface Report {
  readonly testResults: readonly { readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[] }[]
}

/** Runs attacks in a checkout. */
async function attack(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Attacks> {
  const place = mkdtempSync(join(tmpdir(), 'loom-attacks-'))
  const file = join(place, 'report.json')
  try {
    const command = [join(folder, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=json', `--outputFile=${file}`, ...args]
    const ended = await runProgram(process.execPath, command, { cwd: folder, timeout: 600_000, env: { ...process.env, ...env } })
    const report: Report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : { testResults: [] }
    const results = report.testResults.flatMap(({ assertionResults }) => assertionResults)
    const named = (status: string): readonly string[] => results.filter((one) => one.status === status).map(({ fullName }) => fullName)
    return { held: named('passed'), succeeded: named('failed'), ended }
  } finally {
    rmSync(place, { recursive: true })
  }
}

/** Runs the attacks in a copy of themselves inside an earlier checkout; prints those that do not succeed there. */
async function attackBefore(folder: string): Promise<void> {
  const copy = join(folder, 'test/attacks')
  const wasThere = existsSync(copy)
  cpSync(join(root, 'test/attacks'), copy, { recursive: true })
  try {
    const { held, succeeded } = await attack(folder, ['test/attacks', '--testTimeout=20000'])
    for (const name of held) console.log(`attacks: held already: ${name}`)
    console.log(`attacks: ${succeeded.length} of ${succeeded.length + held.length} succeed in ${folder}`)
  } finally {
    if (!wasThere) rmSync(copy, { recursive: true })
  }
}

/** Plants the holes one after another; returns those that no attack noticed. */
async function plantHoles(): Promise<readonly string[]> {
  const report = progressOf('holes')
  const unnoticed: string[] = []
  const planned = Object.entries(holes).flatMap(([part, list]) =>
    list.slice(0, given.quick ? 1 : undefined).map((hole, index) => ({ part, index, hole })),
  )
  for (const [done, { part, index, hole }] of planned.entries()) {
    const config = join(root, 'test/attacks/holes/planted.config.ts')
    const { succeeded, ended } = await attack(root, ['--config', config, '--root', root, '--bail', '1', hole.foundBy], {
      LOOM_HOLE: `${part}:${index}`,
    })
    const isPlanted = ended.output.includes('LOOM_HOLE: planted')
    if (!isPlanted || succeeded.length === 0) {
      unnoticed.push(`${part}:${index} (${hole.what})`)
      console.log(`holes: ${isPlanted ? 'not noticed' : 'not planted'}: ${part}:${index}, ${hole.what}`)
    }
    report(`${done + 1} of ${planned.length}`)
  }
  console.log(`holes: ${planned.length - unnoticed.length} of ${planned.length} noticed`)
  return unnoticed
}

if (given.fuzz !== undefined) {
  const { fuzzJournals } = await import('./attacks/fuzz.ts')
  if (!(await fuzzJournals({ count: Number(given.fuzz), seed: Number(given.seed ?? 1), only: given.journal }))) process.exitCode = 1
} else if (given.before !== undefined) await attackBefore(resolve(given.before))
else {
  const { held, succeeded, ended } = await attack(root, ['test/attacks'])
  for (const name of succeeded) console.log(`attacks: succeeded: ${name}`)
  if (held.length + succeeded.length === 0) console.log(ended.output)
  console.log(`attacks: ${held.length} of ${held.length + succeeded.length} held`)
  const unnoticed = await plantHoles()
  if (held.length === 0 || succeeded.length > 0 || unnoticed.length > 0) process.exitCode = 1
}
