/** The table of bundlers in the documentation, written from the results of the check. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from './row.ts'

const page = join(import.meta.dirname, '../../docs/guides/bundling.md')
const marks = /(<!-- bundlers -->\n).*?(<!-- end -->)/s

/** Writes the rows about bundlers into the page. */
export function writeBundlerTable(rows: readonly Row[]): void {
  const cells = rows.filter(({ area }) => area === 'bundlers').map(({ what, passed, note }) => [...what.split(', '), passed ? note : 'fails'])
  const lines = ['bundler', 'target', 'packages of providers', 'outcome']
  const table = [lines, lines.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n')
  writeFileSync(page, readFileSync(page, 'utf8').replace(marks, `$1\n${table}\n\n$2`))
}
