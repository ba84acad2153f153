/** Runs attacks against a copy of Loom in which one guard has a hole: the variable LOOM_HOLE says which, as `part:number`. */
import { defineConfig, type Plugin } from 'vitest/config'
import { holes } from './holes.ts'

const [part = '', number = ''] = (process.env['LOOM_HOLE'] ?? '').split(':')
const hole = holes[part]?.[Number(number)]
if (!hole) throw new Error(`There is no hole ${part}:${number}. The parts are: ${Object.keys(holes).join(', ')}.`)

/** Replaces the passage when its file is loaded. Ends the run when the passage is not there exactly once: the hole has to be written anew then. */
const planting: Plugin = {
  name: 'planted-hole',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith(`/packages/${hole.file}`)) return undefined
    const parts = code.split(hole.passage)
    if (parts.length !== 2) {
      console.error(`LOOM_HOLE: the passage of ${part}:${number} is ${parts.length - 1} times in ${hole.file}.`)
      process.exit(3)
    }
    console.error(`LOOM_HOLE: planted in ${hole.file}`)
    return { code: parts.join(hole.instead), map: null }
  },
}

export default defineConfig({
  plugins: [planting],
  resolve: { conditions: ['loom-source'] },
  ssr: { resolve: { conditions: ['loom-source', 'node', 'import', 'module', 'default'], externalConditions: ['loom-source'] } },
  test: { pool: 'threads', include: ['test/attacks/*.test.ts'], testTimeout: 20_000, silent: true },
})
