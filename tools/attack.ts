/**
 * Attacks Loom: `npm run attack [-- --quick] [--before folder] [--fuzz n [--seed s] [--journal kind]]`.
 *
 * The attacks are the tests in test/attacks. All of them must hold here. Then every hole of test/attacks/holes is planted in a guard, and the attacks
 * that it names must notice it. `--before` takes a checkout of an earlier commit, with its packages installed, and counts which attacks succeed there.
 * `--quick` plants one hole of each part, all at once. `--fuzz` imports so many mutated exports into every kind of journal, and does nothing else. Exits 1
 * when an attack succeeds or a hole is not noticed.
 */
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { attack } from './attack/attack.ts'
import { allHoles, firstHoles, plant } from './attack/plant.ts'
import { progressOf } from './crash/print.ts'
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

/** Runs the attacks in a copy of themselves inside an earlier checkout; prints those that do not succeed there. */
async function attackBefore(folder: string): Promise<void> {
  const copy = join(folder, 'test/attacks')
  const wasThere = existsSync(copy)
  cpSync(join(root, 'test/attacks'), copy, { recursive: true })
  try {
    const { held, succeeded, unread } = await attack(folder, ['test/attacks', '--testTimeout=20000'])
    for (const { name } of held) console.log(`attacks: held already: ${name}`)
    for (const file of unread) console.log(`attacks: cannot be run there: ${file}`)
    console.log(`attacks: ${succeeded.length} of ${succeeded.length + held.length} succeed in ${folder}`)
  } finally {
    if (!wasThere) rmSync(copy, { recursive: true })
  }
}

/** Plants the holes; returns how many no attack noticed. */
async function plantHoles(): Promise<number> {
  const report = progressOf('holes')
  const rounds = given.quick ? [firstHoles] : allHoles.map((hole) => [hole])
  const planned = rounds.flat().length
  let unnoticed = 0
  for (const [done, round] of rounds.entries()) {
    const problems = await plant(round)
    for (const problem of problems) console.log(`holes: ${problem}`)
    unnoticed += problems.length
    report(`${done + 1} of ${rounds.length}`)
  }
  console.log(`holes: ${planned - unnoticed} of ${planned} noticed`)
  return unnoticed
}

if (given.fuzz !== undefined) {
  const { fuzzJournals } = await import('./attack/fuzz.ts')
  if (!(await fuzzJournals({ count: Number(given.fuzz), seed: Number(given.seed ?? 1), only: given.journal }))) process.exitCode = 1
} else if (given.before !== undefined) await attackBefore(resolve(given.before))
else {
  const { held, succeeded, unread, ended } = await attack(root, ['test/attacks'])
  for (const { name } of succeeded) console.log(`attacks: succeeded: ${name}`)
  for (const file of unread) console.log(`attacks: cannot be run: ${file}`)
  if (held.length + succeeded.length === 0) console.log(ended.output)
  console.log(`attacks: ${held.length} of ${held.length + succeeded.length} held`)
  const unnoticed = await plantHoles()
  if (held.length === 0 || succeeded.length > 0 || unread.length > 0 || unnoticed > 0) process.exitCode = 1
}
