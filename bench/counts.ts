/** W10: what a turn and a run cost in counts, which do not depend on how busy the machine is: promises, bytes allocated, calls of the journal. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import type { Counted } from './counted-run.ts'
import { type Figure, figure } from './measure.ts'
import { benchModel } from './model.ts'
import { resultOf } from './payload.ts'

/** A young generation so big that nothing is collected during a run. */
const flags = ['--conditions=loom-source', '--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=512']

/** Measures W10. */
export async function measureCounts(): Promise<readonly Figure[]> {
  const program = join(import.meta.dirname, 'counted-run.ts')
  const printed = execFileSync(process.execPath, [...flags, program], { encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } })
  const { loom, hand, committing } = JSON.parse(printed) as Counted
  const few = await callsARun(100)
  const many = await callsARun(1_000)
  return [
    figure('W10', 'promises a turn over a hand loop with two asynchronous commits', {
      value: loom.promises / committing.promises,
      goal: 1.5,
      detail: `Loom ${loom.promises.toFixed(1)}, hand loop ${committing.promises.toFixed(1)}, without commits ${hand.promises.toFixed(1)}`,
    }),
    figure('W10', 'allocated a turn', {
      value: loom.kilobytes,
      unit: 'kB',
      detail: `hand loop with commits ${committing.kilobytes.toFixed(1)}, without ${hand.kilobytes.toFixed(1)}; the aim is 20`,
    }),
    figure('W10', 'calls of the journal a run with 1,000 live threads over 100', {
      value: Math.round(many) / Math.round(few),
      goal: 1,
      detail: `${many.toFixed(2)} and ${few.toFixed(2)} calls for a run of two turns`,
    }),
  ]
}

/** Calls of the journal a run makes while so many run at once. */
async function callsARun(threads: number): Promise<number> {
  let calls = 0
  const { acquire, release, append, head, read, ...others } = memoryJournal()
  const counted = <A extends unknown[], R>(call: (...given: A) => R): ((...given: A) => R) => {
    return (...given) => {
      calls += 1
      return call(...given)
    }
  }
  const journal: Journal = {
    ...others,
    acquire: counted(acquire),
    release: counted(release),
    append: counted(append),
    head: counted(head),
    read: counted(read),
  }
  // Every run waits in its tool until all of them are there: so many threads are alive at once.
  let waiting = 0
  let open = (): void => {}
  const all = new Promise<void>((resolve) => (open = resolve))
  const look = tool({
    name: 'look',
    async run() {
      waiting += 1
      if (waiting === threads) open()
      await all
      return resultOf(1)
    },
  })
  const bench = agent({ name: 'bench', instructions: 'Look.', tools: { look }, journal })
  const results = await Promise.all(Array.from({ length: threads }, () => bench.run('go', { model: benchModel({ turns: 1 }) })))
  if (results.some(({ status }) => status !== 'done')) throw new Error('a run did not end')
  return calls / threads
}
