/** W2: many runs of five turns at once in one process, and W6: one turn with a hundred parallel calls of 20 ms. */
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { agent, tool } from '@loom-agent/agent'
import { z } from 'zod'
import { handLoop } from './floor.ts'
import { cpuOf, type Figure, figure, median, wallOf } from './measure.ts'
import { benchModel, streamOf } from './model.ts'
import { argumentsOf, resultOf } from './payload.ts'

const input = z.object({ q: z.string(), turn: z.number() })
const look = tool({ name: 'look', input, run: ({ turn }) => resultOf(turn) })

/** A thousand runs of five turns at once. */
export async function measureRuns(quick: boolean): Promise<readonly Figure[]> {
  const runs = quick ? 200 : 1_000
  const hand = (): Promise<unknown> =>
    Promise.all(Array.from({ length: runs }, () => handLoop(benchModel({ turns: 5 }), ({ turn }) => resultOf(turn))))
  const loom = async (): Promise<void> => {
    const bench = agent({ name: 'bench', instructions: 'Look.', tools: { look }, permissions: { look: 'allow' } })
    const results = await Promise.all(Array.from({ length: runs }, () => bench.run('go', { model: benchModel({ turns: 5 }) })))
    if (results.some(({ status }) => status !== 'done')) throw new Error('a run did not end')
  }
  await hand()
  await loom()
  const floors: number[] = []
  const looms: number[] = []
  for (let repetition = 0; repetition < 7; repetition += 1) {
    floors.push(runs / ((await cpuOf(hand)) / 1e6))
    looms.push(runs / ((await cpuOf(loom)) / 1e6))
  }
  const detail = `floor ${Math.round(median(floors))}, Loom ${Math.round(median(looms))} runs per CPU second, ${runs} at once`
  return [figure('W2', 'runs per CPU second over the hand loop', { value: median(looms) / median(floors), better: 'higher', detail })]
}

/** One reply with this many calls, then an answer. */
function fanOut(calls: number): LanguageModelV4 {
  const base = benchModel({ turns: 0 })
  let asked = false
  return {
    ...base,
    async doStream(options) {
      if (asked) return { stream: streamOf([{ type: 'text-delta', id: '0', delta: 'done' }, finish('stop')]) }
      asked = true
      if (options.prompt.length !== 2) throw new Error('the prompt is not the whole history')
      const parts = Array.from(
        { length: calls },
        (_, n) => ({ type: 'tool-call', toolCallId: `c${n}`, toolName: 'look', input: argumentsOf(n) }) as const,
      )
      return { stream: streamOf([...parts, finish('tool-calls')]) }
    },
  }
}

const finish = (unified: 'stop' | 'tool-calls') =>
  ({
    type: 'finish',
    usage: { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } },
    finishReason: { unified, raw: unified },
  }) as const

const slowly = ({ turn }: { turn: number }): Promise<string> => new Promise((resolve) => setTimeout(() => resolve(resultOf(turn)), 20))

/** A hundred calls of 20 ms in one turn, all started at once. */
export async function measureFanOut(): Promise<readonly Figure[]> {
  const calls = 100
  const slow = tool({ name: 'look', input, effect: 'read', run: slowly })
  const bench = agent({
    name: 'bench',
    instructions: 'Look.',
    tools: { look: slow },
    permissions: { look: 'allow' },
    behaviour: { concurrency: calls },
  })
  const loom = (): Promise<unknown> => bench.run('go', { model: fanOut(calls) })
  const hand = (): Promise<unknown> => handLoop(fanOut(calls), slowly)
  await loom()
  await hand()
  const floors: number[] = []
  const looms: number[] = []
  for (let repetition = 0; repetition < 15; repetition += 1) {
    floors.push(await wallOf(hand))
    looms.push(await wallOf(loom))
  }
  const detail = `floor ${median(floors).toFixed(1)} ms, Loom ${median(looms).toFixed(1)} ms`
  return [figure('W6', '100 parallel calls of 20 ms over the hand loop', { value: median(looms) / median(floors), goal: 1.25, detail })]
}
