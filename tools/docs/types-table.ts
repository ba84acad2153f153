/** The table of types in the API reference: made of the sentences in the code. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Declaration } from '../api/declarations.ts'
import { root } from '../workspace.ts'

const page = 'docs/reference/api.md'
const [open, close] = ['<!-- types of loom-agent -->', '<!-- end of types -->']

const meaningOf = ({ sentence }: Declaration): string => sentence.replace(/:$/, '.').replaceAll('|', '\\|')

/** A table whose columns are as wide as their widest cell. */
function tableOf(rows: readonly (readonly [string, string])[]): string {
  const [left, right] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map(([name, meaning]) => `| ${name.padEnd(left ?? 0)} | ${meaning.padEnd(right ?? 0)} |`)
  return [lines[0], `| ${'-'.repeat(left ?? 0)} | ${'-'.repeat(right ?? 0)} |`, ...lines.slice(1)].join('\n')
}

/** Writes the table, or says that it is not what the code says. */
export function checkTypesTable(umbrella: ReadonlyMap<string, Declaration>, write: boolean): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const [start, end] = [text.indexOf(open), text.indexOf(close)]
  if (start < 0 || end < start) return [`${page} has no place for the types: put ${open} and ${close} where they belong`]
  const types = [...umbrella].filter(([, { kind }]) => kind === 'interface' || kind === 'type').sort(([a], [b]) => (a < b ? -1 : 1))
  const table = tableOf([
    ['type', 'meaning'],
    ...types.map(([name, declaration]): readonly [string, string] => [`\`${name}\``, meaningOf(declaration)]),
  ])
  const now = `${text.slice(0, start + open.length)}\n\n${table}\n\n${text.slice(end)}`
  if (now === text) return []
  if (!write) return [`the types in ${page} are not what the code says: npm run check:docs -- --write`]
  writeFileSync(join(root, page), now)
  return []
}
