/**
 * The consumer check: packs all packages, installs the tarballs outside the repository and uses them as a user would. `npm run consumer`.
 *
 * `--quick` needs no registry: one compiler, three programs, esbuild. `--keep` leaves the projects where they are. `--docs` renews the table of
 * bundlers in docs/guides/bundling.md.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quickCheck, wholeCheck } from './checks.ts'
import { writeBundlerTable } from './docs-table.ts'
import { type Row, tableOf } from './row.ts'

const has = (flag: string): boolean => process.argv.includes(flag)
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loom-consumer-')))
const began = performance.now()
let rows: readonly Row[] = []
console.log(`consumer: packing and installing in ${folder}; the whole check takes some minutes.`)
try {
  rows = has('--quick') ? await quickCheck(folder) : await wholeCheck(folder)
} finally {
  if (has('--keep')) console.log(`The projects are in ${folder}.`)
  else rmSync(folder, { recursive: true, force: true })
}
console.log(tableOf(rows))
if (has('--docs')) writeBundlerTable(rows)
const failed = rows.filter(({ passed }) => !passed).length
console.log(`\nconsumer: ${rows.length - failed} of ${rows.length} passed in ${Math.round((performance.now() - began) / 1000)} s`)
if (failed > 0) process.exitCode = 1
