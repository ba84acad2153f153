/**
 * Checks that the pages and the code name the same things: `node tools/check-docs.ts`. With `--write` it writes the table of types again, with
 * `--missing` it lists every export and field without a sentence. It reads the built declarations.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { entries, exportsOf } from './api/entries.ts'
import { readPages, readSources } from './architecture/sources.ts'
import { checkListed } from './docs/listed.ts'
import { checkNamed } from './docs/named.ts'
import { checkPlaces } from './docs/places.ts'
import { checkSentences } from './docs/sentences.ts'
import { wordsOf } from './docs/spans.ts'
import { checkTypesTable } from './docs/types-table.ts'
import { packageFolders, root } from './workspace.ts'

const pages = readPages()
const all = entries()
const exports = new Map(all.map((entry) => [entry.name, exportsOf(entry, all)] as const))
const scripts = new Set(Object.keys(manifest.scripts))
const names = new Set(all.map(({ name }) => name))

const packages = packageFolders().map((folder) => basename(folder))

const manifests = globSync('{,packages/*/}*.json', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'))
const words = new Set([...readSources().map(({ text }) => text), ...manifests].flatMap(wordsOf))

const sentences = checkSentences(exports)
const problems = [
  ...checkTypesTable(exports.get('loom-agent') ?? new Map(), process.argv.includes('--write')),
  ...checkNamed(pages, { entries: names, scripts, words }),
  ...checkPlaces(pages),
  ...checkListed(pages, { entries: names, packages, scripts, exports }),
  ...sentences.problems,
]

if (process.argv.includes('--missing')) console.log(sentences.missing.join('\n'))
for (const problem of problems) console.error(problem)
console.log(`${sentences.summary}\ndocs: ${pages.length} pages, ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0
