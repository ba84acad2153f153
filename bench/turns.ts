/** W1: one run, one tool call a turn. */
import { agent, tool } from '@loom-agent/agent'
import { z } from 'zod'
import { handLoop } from './floor.ts'
import { cpuNow, cpuOf, type Figure, figure, median } from './measure.ts'
import { benchModel } from './model.ts'
import { resultOf } from './payload.ts'

const look = tool({ name: 'look', input: z.object({ q: z.string(), turn: z.number() }), run: ({ turn }) => resultOf(turn) })

/** Loom as it comes: memory journal, schema validated, one permission rule, the tool `unsafe`, loop detection on. */
const fresh = (turns: number) =>
  agent({ name: 'bench', instructions: 'Look.', tools: { look }, permissions: { look: 'allow' }, limits: { turns: turns + 1 } })

type Bench = ReturnType<typeof fresh>

async function loomRun(bench: Bench, turns: number, onRequest?: (number: number) => void): Promise<void> {
  const { status } = await bench.run('go', { model: benchModel({ turns, ...(onRequest && { onRequest }) }) })
  if (status !== 'done') throw new Error(`the run ended ${status}`)
}

const handRun = (turns: number): Promise<string> => handLoop(benchModel({ turns }), ({ turn }) => resultOf(turn))

interface Rounds {
  readonly turns: number
  readonly repetitions: number
  readonly goal?: number
  readonly growth?: number
}

const sizes: readonly Rounds[] = [
  { turns: 10, repetitions: 201 },
  { turns: 100, repetitions: 101, goal: 12 },
  { turns: 1_000, repetitions: 21, growth: 1.2 },
  { turns: 10_000, repetitions: 9, growth: 1.5 },
]

/** Measures W1 at all sizes. */
export async function measureTurns(quick: boolean): Promise<readonly Figure[]> {
  for (let warm = 0; warm < (quick ? 10 : 60); warm += 1) {
    await handRun(200)
    await loomRun(fresh(200), 200)
  }
  const figures: Figure[] = []
  for (const size of quick ? sizes.slice(0, 3) : sizes) figures.push(...(await measureSize(size)))
  return figures
}

async function measureSize({ turns, repetitions, goal, growth }: Rounds): Promise<readonly Figure[]> {
  const hand: number[] = []
  const loom: number[] = []
  const growths: number[] = []
  // Agents are made beforehand: what making them costs, and leaves to the collector, is not part of a turn.
  const benches = Array.from({ length: repetitions }, () => fresh(turns))
  for (const bench of benches.splice(0)) {
    hand.push((await cpuOf(() => handRun(turns))) / turns)
    const tenth = Math.floor(turns / 10)
    const marks = new Map<number, number>()
    const mark = (number: number): void => {
      if (number === 1 || number === tenth + 1 || number === turns - tenth + 1 || number === turns + 1) marks.set(number, cpuNow())
    }
    loom.push((await cpuOf(() => loomRun(bench, turns, mark))) / turns)
    const at = (number: number): number => marks.get(number) ?? Number.NaN
    growths.push((at(turns + 1) - at(turns - tenth + 1)) / (at(tenth + 1) - at(1)))
  }
  const detail = `floor ${median(hand).toFixed(2)} us, Loom ${median(loom).toFixed(2)} us CPU a turn; means ${mean(hand).toFixed(2)} and ${mean(loom).toFixed(2)}; ${repetitions} repetitions`
  const ratio = { value: median(loom) / median(hand), detail, ...(goal !== undefined && { goal }) }
  const grown = growth === undefined ? [] : [{ value: median(growths), detail: 'CPU', goal: growth }]
  return [
    figure('W1', `${turns} turns, CPU a turn over the hand loop`, ratio),
    // The hand loop is slower beside a Loom that leaves more to the collector: two commits are compared by this figure too.
    figure('W1', `${turns} turns, CPU a turn`, { value: median(loom), unit: 'us', detail }),
    ...grown.map((one) => figure('W1', `${turns} turns, last tenth over first tenth`, one)),
  ]
}

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
