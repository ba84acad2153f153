/** Runs attacks against a copy of Loom in whose guards there are holes: the variable LOOM_HOLE says which, as `part:number`, several with commas. */
import { defineConfig, type Plugin } from 'vitest/config'
import type { Hole } from './hole.ts'
import { holes } from './holes.ts'

const { LOOM_HOLE = '' } = process.env

function holeOf(id: string): Hole {
  const [part = '', number = ''] = id.split(':')
  const hole = holes[part]?.[Number(number)]
  if (!hole) throw new Error(`There is no hole ${id}. The parts are: ${Object.keys(holes).join(', ')}.`)
  return hole
}

/** Replaces the passage when its file is loaded. Ends the run when the passage is not there exactly once: the hole has to be written anew then. */
const planting = (id: string, hole: Hole): Plugin => ({
  name: `planted-hole-${id}`,
  enforce: 'pre',
  transform(code, file) {
    if (!file.endsWith(`/packages/${hole.file}`)) return undefined
    const parts = code.split(hole.passage)
    if (parts.length !== 2) {
      console.error(`LOOM_HOLE: the passage of ${id} is ${parts.length - 1} times in ${hole.file}.`)
      process.exit(3)
    }
    console.error(`LOOM_HOLE: planted ${id}.`)
    return { code: parts.join(hole.instead), map: null }
  },
})

export default defineConfig({
  plugins: LOOM_HOLE.split(',').map((id) => planting(id, holeOf(id))),
  resolve: { conditions: ['loom-source'] },
  ssr: { resolve: { conditions: ['loom-source', 'node', 'import', 'module', 'default'], externalConditions: ['loom-source'] } },
  test: {
    pool: 'threads',
    // A hole names the file that finds it: an attack, or a test of the part that it is in.
    include: ['test/attacks/*.test.ts', 'packages/*/test/**/*.test.ts'],
    testTimeout: 20_000,
    silent: true,
    // The next run would find the hole of this one in a kept module.
    fsModuleCache: false,
  },
})
