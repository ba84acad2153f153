/** W14: starting the built command, over starting node alone. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Figure, figure, median, wallOf } from './measure.ts'

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)

/** What a start may take beyond half as much again as bare node, in milliseconds. */
const allowed = 60

/** Starts fresh processes, one after the other, and compares: `loom --help` may take 1.5 times bare node and 60 ms. */
export async function measureStartUp(): Promise<readonly Figure[]> {
  if (!existsSync(join(root, 'packages/cli/dist/index.js'))) throw new Error('The command line is not built: run npm run build first.')
  const bin = join(root, 'packages/loom-agent/bin/loom.js')
  const bare: number[] = []
  const help: number[] = []
  await run(process.execPath, [bin, '--help'])
  for (let repetition = 0; repetition < 15; repetition += 1) {
    bare.push(await wallOf(() => run(process.execPath, ['--eval', ''])))
    help.push(await wallOf(() => run(process.execPath, [bin, '--help'])))
  }
  const detail = `bare node ${median(bare).toFixed(0)} ms, loom --help ${median(help).toFixed(0)} ms`
  return [figure('W14', 'loom --help over 1.5 times bare node', { value: median(help) - 1.5 * median(bare), unit: 'ms', goal: allowed, detail })]
}
