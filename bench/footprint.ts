/** W7: importing the built umbrella, over starting node alone. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Figure, figure, median, wallOf } from './measure.ts'

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)

/** Starts fresh processes and compares. */
export async function measureImport(): Promise<readonly Figure[]> {
  const built = join(root, 'packages/loom-agent/dist/index.js')
  if (!existsSync(built)) throw new Error('The umbrella is not built: run npm run build first.')
  const start = (code: string): Promise<unknown> => run(process.execPath, ['--input-type=module', '--eval', code], { cwd: root })
  const bare: number[] = []
  const loom: number[] = []
  await start(`await import(${JSON.stringify(built)})`)
  for (let repetition = 0; repetition < 9; repetition += 1) {
    bare.push(await wallOf(() => start('')))
    loom.push(await wallOf(() => start(`await import(${JSON.stringify(built)})`)))
  }
  const detail = `bare node ${median(bare).toFixed(0)} ms, with Loom ${median(loom).toFixed(0)} ms`
  return [figure('W7', 'import of the built umbrella over bare node', { value: median(loom) - median(bare), unit: 'ms', goal: 80, detail })]
}
