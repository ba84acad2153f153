/**
 * A program that counts what a turn costs: promises, and bytes allocated. It prints one line of JSON.
 *
 * It runs in a process of its own with a young generation so big that nothing is collected between two measurements: the heap grows by what is allocated.
 * The tool is asynchronous, the model streams, arguments and results have 480 bytes.
 */
import { createHook } from 'node:async_hooks'
import { agent, tool } from '@loom-agent/agent'
import { z } from 'zod'
import { handLoop } from './floor.ts'
import { benchModel } from './model.ts'
import { resultOf } from './payload.ts'

const turns = 200
const look = async ({ turn }: { turn: number }): Promise<string> => resultOf(turn)
const lookTool = tool({ name: 'look', input: z.object({ q: z.string(), turn: z.number() }), run: look })

/** The agent is made beforehand: what making it costs is not part of a turn. */
const bench = agent({ name: 'bench', instructions: 'Look.', tools: { look: lookTool }, permissions: { look: 'allow' }, limits: { turns: turns + 1 } })

async function loomRun(): Promise<void> {
  const { status, thread } = await bench.run('go', { model: benchModel({ turns }) })
  if (status !== 'done') throw new Error(`the run ended ${status}`)
  await bench.journal.remove(thread)
}

const handRun = async (): Promise<void> => void (await handLoop(benchModel({ turns }), look))
/** The floor: two asynchronous commits a turn, of what a commit has to write. */
const committed: string[] = []
const committingRun = async (): Promise<void> => {
  await handLoop(benchModel({ turns }), look, async (message) => void committed.push(JSON.stringify(message)))
  committed.length = 0
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function promisesOf(run: () => Promise<void>): Promise<number> {
  let promises = 0
  const hook = createHook({
    init: (_, type) => {
      if (type === 'PROMISE') promises += 1
    },
  })
  await settle()
  hook.enable()
  await run()
  hook.disable()
  return promises / turns
}

/** Kilobytes a turn; the least of several measurements, because the compiler allocates too. */
async function kilobytesOf(run: () => Promise<void>): Promise<number> {
  const measured: number[] = []
  for (let round = 0; round < 9; round += 1) {
    globalThis.gc?.()
    await settle()
    const before = process.memoryUsage().heapUsed
    await run()
    measured.push((process.memoryUsage().heapUsed - before) / 1000 / turns)
  }
  return Math.min(...measured)
}

/** What was counted, a turn. */
export type Counted = Readonly<Record<'loom' | 'hand' | 'committing', { readonly promises: number; readonly kilobytes: number }>>

const runs = { loom: loomRun, hand: handRun, committing: committingRun }
for (let warm = 0; warm < 30; warm += 1) for (const run of Object.values(runs)) await run()
const count = async (run: () => Promise<void>): Promise<Counted['loom']> => ({ kilobytes: await kilobytesOf(run), promises: await promisesOf(run) })
const counted: Counted = { loom: await count(loomRun), hand: await count(handRun), committing: await count(committingRun) }
console.log(JSON.stringify(counted))
