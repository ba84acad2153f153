/**
 * Attacks Loom: `npm run attack [-- --quick] [--only attacks|holes|imports|worlds] [--before folder] [--imports n] [--seed s] [--journal kind]`.
 *
 * The attacks are the tests in test/attacks. All of them must hold here. Then every hole of test/attacks/holes is planted in a guard, and the attacks
 * that it names must notice it. Then mutated exports are imported into every kind of journal. A whole run that finds nothing writes
 * docs/proof/attacks.md. Worlds are run in which an obedient model meets what attackers have written, and others in which people are honest; that writes
 * docs/proof/worlds.md. `--before` takes a checkout of an earlier commit, with its packages installed, and counts which attacks succeed there.
 * `--quick` plants one hole of each part, all at once, imports nothing, and runs one world of each idea. Exits 1 when an attack succeeds or a hole is not noticed.
 */
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Attacks, attack, attackWithFigures } from './attack/attack.ts'
import { type AttackRun, attackPage, type PlantedPart } from './attack/attack-page.ts'
import { fuzzJournals, type JournalFuzz } from './attack/fuzz.ts'
import { allHoles, firstHoles, plant } from './attack/plant.ts'
import { runWorlds } from './attack/worlds.ts'
import { worldsPage } from './attack/worlds-page.ts'
import { progressOf } from './crash/print.ts'
import { root } from './workspace.ts'

const { values: given } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    before: { type: 'string' },
    imports: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    journal: { type: 'string' },
  },
})
const sections = ['attacks', 'holes', 'imports', 'worlds'] as const
const unknown = given.only !== undefined && !sections.some((section) => section === given.only)
if (unknown) throw new Error(`There is no section ${given.only}. They are: ${sections.join(', ')}.`)
const isAsked = (section: (typeof sections)[number]): boolean => given.only === undefined || given.only === section

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

function printAttacks({ held, succeeded, unread, ended }: Attacks): void {
  for (const { name } of succeeded) console.log(`attacks: succeeded: ${name}`)
  for (const file of unread) console.log(`attacks: cannot be run: ${file}`)
  if (held.length + succeeded.length === 0) console.log(ended.output)
  console.log(`attacks: ${held.length} of ${held.length + succeeded.length} held`)
}

/** Plants the holes; returns for each part how many there are, and how many were noticed. */
async function plantHoles(): Promise<readonly PlantedPart[]> {
  const report = progressOf('holes')
  const rounds = given.quick ? [firstHoles] : allHoles.map((hole) => [hole])
  const parts = new Map<string, { planted: number; noticed: number }>()
  for (const [done, round] of rounds.entries()) {
    const problems = await plant(round)
    for (const problem of problems) console.log(`holes: ${problem}`)
    for (const { id } of round) {
      const name = id.split(':')[0] ?? ''
      const part = parts.get(name) ?? { planted: 0, noticed: 0 }
      const isNoticed = !problems.some((problem) => problem.includes(`${id},`))
      parts.set(name, { planted: part.planted + 1, noticed: part.noticed + (isNoticed ? 1 : 0) })
    }
    report(`${done + 1} of ${rounds.length}`)
  }
  const planted = [...parts].map(([name, part]) => ({ name, ...part }))
  const sum = (key: 'planted' | 'noticed'): number => planted.reduce((total, part) => total + part[key], 0)
  console.log(`holes: ${sum('noticed')} of ${sum('planted')} noticed`)
  return planted
}

const importMutated = (): Promise<readonly JournalFuzz[]> =>
  fuzzJournals({ count: Number(given.imports), seed: Number(given.seed), only: given.journal })

/** Runs the worlds, and writes their page when all of them were run and are as they must be; returns whether they are. */
async function attackWorlds(): Promise<boolean> {
  const worlds = await runWorlds(given.quick)
  if (worlds.isSound && !given.quick) writeFileSync(join(root, 'docs/proof/worlds.md'), worldsPage(worlds))
  return worlds.isSound
}

async function attackAll(): Promise<void> {
  const attacks = isAsked('attacks') ? await attackWithFigures(root, ['test/attacks']) : undefined
  if (attacks) printAttacks(attacks)
  const holes = isAsked('holes') ? await plantHoles() : []
  const imports = isAsked('imports') && !given.quick ? await importMutated() : []
  const areWorldsSound = !isAsked('worlds') || (await attackWorlds())
  const isSound =
    (!attacks || (attacks.held.length > 0 && attacks.succeeded.length + attacks.unread.length === 0)) &&
    holes.every(({ planted, noticed }) => planted === noticed) &&
    imports.every(({ findings }) => findings.length === 0) &&
    areWorldsSound
  if (!isSound) process.exitCode = 1
  const isWhole = !given.quick && given.only === undefined && given.journal === undefined
  if (!isSound || !isWhole || !attacks) return
  const run: AttackRun = { command: 'npm run attack', attacks, holes, imports: { count: Number(given.imports), seed: given.seed, reports: imports } }
  writeFileSync(join(root, 'docs/proof/attacks.md'), attackPage(run))
}

if (given.before !== undefined) await attackBefore(resolve(given.before))
else await attackAll()
