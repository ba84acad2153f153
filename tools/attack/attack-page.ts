/** The page that a whole run of the attacks writes. */
import { count, table } from '../crash/markdown.ts'
import type { Attack, AttacksWithFigures } from './attack.ts'
import type { JournalFuzz } from './fuzz.ts'

/** The holes of one part, and how many of them the attacks noticed. */
export interface PlantedPart {
  readonly name: string
  readonly planted: number
  readonly noticed: number
}

/** What a whole run found. */
export interface AttackRun {
  readonly command: string
  readonly attacks: AttacksWithFigures
  readonly holes: readonly PlantedPart[]
  readonly imports: { readonly count: number; readonly seed: string; readonly reports: readonly JournalFuzz[] }
}

/** The page. */
export function attackPage({ command, attacks, holes, imports }: AttackRun): string {
  return `${[opening(command), attackSection(attacks), figureSection(attacks), holeSection(holes), importSection(imports), limits].join('\n\n')}\n`
}

const opening = (command: string): string => `# Proof of resistance

This page is written by \`npm run attack\`; do not edit it. It says how Loom was attacked, and what held.

The run: \`${command}\`, Node ${process.versions.node}, ${process.platform} ${process.arch}.`

const byFile = (attacks: readonly Attack[]): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(attacks, ({ file }) => file)].map(([file, list]) => [file, list.length]))

function attackSection({ held, succeeded }: AttacksWithFigures): string {
  const [good, bad] = [byFile(held), byFile(succeeded)]
  const files = [...new Set([...good.keys(), ...bad.keys()])].sort()
  const rows = files.map((file) => {
    const [all, got] = [(good.get(file) ?? 0) + (bad.get(file) ?? 0), bad.get(file) ?? 0]
    return [`[${file.replace(/^test\/attacks\/|\.test\.ts$/g, '')}](../../${file})`, all, got]
  })
  return `## Attacks

Each is a test whose title says what holds; many of them try a whole list.

${table(['file', 'attacks', 'succeeded'], [...rows, ['**all together**', held.length + succeeded.length, succeeded.length]])}`
}

const figureSection = ({ figures }: AttacksWithFigures): string => `## Lists and races

${table(
  ['what was tried', 'times', 'went wrong'],
  figures.map(({ what, tried, wrong }) => [what, tried, wrong]),
)}`

const holeSection = (holes: readonly PlantedPart[]): string => `## Holes

A guard that no attack would miss proves nothing. So a passage of each guard was replaced by one that leaves a hole, one hole at a time, and the attacks
that it names were run: they must notice it.

${table(
  ['part', 'holes', 'noticed'],
  holes.map(({ name, planted, noticed }) => [`\`${name}\``, planted, noticed]),
)}`

function importSection({ count: each, seed, reports }: AttackRun['imports']): string {
  const rows = reports.map(({ journal, imported, refused, findings }) => [
    `\`${journal}\``,
    imported,
    [...refused.values()].reduce((sum, times) => sum + times, 0),
    findings.length,
  ])
  return `## Mutated exports

${count(each)} exports of real threads, mutated from seed ${seed} on, were imported into each kind of journal, which had threads of its own. A finding is an
import that hangs, ends in an error that is not one of Loom, runs an effect, changes another thread, or leaves what cannot be read.

${table(['journal', 'imported, and quarantined', 'refused', 'findings'], rows)}`
}

const limits = `## What this proves, and what it does not

- What was tried did not succeed, and the attacks notice when a guard is gone. Other attacks were not tried.
- The lists and the guards have the same authors, except where a page or a test names its source. Commands are compared with what real shells ran.
- Names that are exchanged are tried on Linux alone; elsewhere a short moment of that race remains ([security](../../SECURITY.md)).

Run it again with \`npm run attack\`; \`npm run attack -- --quick\` plants one hole of each part, imports nothing and writes nothing.`
