/** The agent that the golden databases were made with, and that resumes their threads. Changing it changes what the test proves. */
import { type Agent, agent, type Ids, tool } from '@loom-agent/agent'
import type { Clock, Journal } from '@loom-agent/kernel'
import { type ScriptedModel, scriptedModel } from '@loom-agent/testing'
import { z } from 'zod'

/** When the databases were made, by the clock of their agent. */
export const madeAt: number = Date.UTC(2026, 0, 1)
/** How long the sleeping thread sleeps. */
export const day: number = 24 * 60 * 60 * 1000

/** Longer than what a journal keeps inside a line (65,536), with characters of one to four bytes. */
export const bigText: string = Array.from({ length: 1450 }, (_, number) => `Line ${number}: the quick brown fox, größer, 织机, 🧵.`).join('\n')

/** What the agent needs of its surroundings. */
export interface GoldenAgentOptions {
  readonly journal: Journal
  readonly clock: Clock
  readonly ids?: Ids
  /** What the unsafe tool `act` does. */
  readonly act: () => unknown
}

/** The agent, and everything that it did to the world. */
export interface GoldenAgent {
  readonly clerk: Agent
  readonly model: ScriptedModel
  /** One entry for each time a tool body ran. */
  readonly effects: readonly string[]
}

/** An agent that does what its last input names: "Use pay." calls the tool `pay`; it answers once it has the result. */
export function goldenAgent({ journal, clock, ids, act }: GoldenAgentOptions): GoldenAgent {
  const effects: string[] = []
  const pay = tool({
    name: 'pay',
    description: 'Pays an amount.',
    input: z.object({ sum: z.number() }),
    effect: 'unsafe',
    permission: 'ask',
    run: ({ sum }) => {
      effects.push(`pay ${sum}`)
      return `paid ${sum}`
    },
  })
  const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })
  const unsafe = tool({ name: 'act', effect: 'unsafe', run: () => act() })
  const nap = tool({
    name: 'nap',
    durable: true,
    run: async (_, ctx) => {
      await ctx.step('lie down', () => effects.push('lie down'))
      await ctx.sleep(day)
      return 'rested'
    },
  })
  const helper = agent({ name: 'helper', description: 'Pays for others.', model: obedientModel(), tools: [pay] })
  const model = obedientModel()
  const ports = { clock, ...(ids && { ids }) }
  const tools = { add, pay, act: unsafe, nap, helper }
  return { clerk: agent({ name: 'clerk', instructions: 'Do as asked.', model, journal, ports, tools }), model, effects }
}

const inputs: Readonly<Record<string, object>> = { add: { a: 2, b: 3 }, pay: { sum: 5 }, helper: { prompt: 'Use pay.' } }

/** Calls the tool that the last input names, and answers once there is a result. */
function obedientModel(): ScriptedModel {
  return scriptedModel(({ prompt }) => {
    const asked = prompt.findLastIndex(({ role }) => role === 'user')
    const name = /Use (\w+)/.exec(JSON.stringify(prompt[asked]))?.[1]
    const hasResult = prompt.slice(asked).some(({ role }) => role === 'tool')
    return name === undefined || hasResult ? `Done: ${name ?? 'read'}.` : { calls: [{ tool: name, input: inputs[name] ?? {} }] }
  })
}
