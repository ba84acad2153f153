/** W7: importing the built umbrella, and a first run with it, over starting node alone. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Figure, figure, median, wallOf } from './measure.ts'

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)

/** A run of one turn: what is loaded on use is loaded too. */
const firstRun = `
  const parts = [
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: 'done' },
    { type: 'text-end', id: '0' },
    { type: 'finish', usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } }, finishReason: { unified: 'stop' } },
  ]
  const stream = () => new ReadableStream({ start: (to) => (parts.forEach((part) => to.enqueue(part)), to.close()) })
  const model = { specificationVersion: 'v4', provider: 'bench', modelId: 'bench', supportedUrls: {}, doStream: async () => ({ stream: stream() }) }
  const { status } = await loom.agent({ name: 'bench', instructions: 'Answer.', model }).run('go')
  if (status !== 'done') process.exitCode = 1`

/** Starts fresh processes and compares. */
export async function measureImport(): Promise<readonly Figure[]> {
  const built = join(root, 'packages/loom-agent/dist/index.js')
  if (!existsSync(built)) throw new Error('The umbrella is not built: run npm run build first.')
  const loading = `const loom = await import(${JSON.stringify(built)})`
  const programs = { bare: '', loaded: loading, ran: `${loading}${firstRun}` }
  const start = (code: string): Promise<unknown> => run(process.execPath, ['--input-type=module', '--eval', code], { cwd: root })
  const times: Readonly<Record<keyof typeof programs, number[]>> = { bare: [], loaded: [], ran: [] }
  await start(programs.ran)
  for (let repetition = 0; repetition < 15; repetition += 1) {
    for (const name of ['bare', 'loaded', 'ran'] as const) times[name].push(await wallOf(() => start(programs[name])))
  }
  const bare = median(times.bare)
  const over = (what: string, name: 'loaded' | 'ran', goal?: number): Figure => {
    const detail = `bare node ${bare.toFixed(0)} ms, with Loom ${median(times[name]).toFixed(0)} ms`
    return figure('W7', `${what} over bare node`, { value: median(times[name]) - bare, unit: 'ms', detail, ...(goal !== undefined && { goal }) })
  }
  return [over('import of the built umbrella', 'loaded', 25), over('import of the built umbrella and a first run', 'ran')]
}
