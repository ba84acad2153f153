/** Scenarios that are recorded and replayed: an agent, its scripted replies, and what people do. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AgentOptions,
  type AnyAgent,
  agent,
  approve,
  edit,
  jsonSchema,
  memoryJournal,
  respond,
  type Schema,
  type Tool,
  tool,
} from '@loom-agent/agent'
import { definitionOf } from '@loom-agent/agent/kit'
import type { Journal } from '@loom-agent/kernel'
import { type GivenRun, manualClock, type ScriptStep, scriptedModel, writeRegression } from '@loom-agent/testing'
import { afterAll } from 'vitest'
import { z } from 'zod'
import { idle, until } from '../../../../test/support/event-loop.ts'
import type { Fixture } from '../../src/regression/fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-regression-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0

/** An agent as these tests use it. */
export type Player = ReturnType<typeof agent>

/** The fixture of the thread that an agent has left. */
export async function fixtureOf(journal: Journal, value?: AnyAgent, given?: GivenRun): Promise<Fixture> {
  files += 1
  const where = {
    folder,
    name: `scenario-${files}`,
    agent: { module: './agent.ts', export: 'player', ...(value && { value }) },
    ...(given && { given }),
  }
  return (await writeRegression(journal, 'thread', where)).fixture
}

/** Options of an agent, some of them changed. */
export type Options = Omit<Partial<AgentOptions>, 'output'> & { readonly output?: Schema }

/** A scenario: how its agent is made, the replies of its model, and what people do. */
export interface Scenario {
  readonly name: string
  readonly says: readonly ScriptStep[]
  readonly options: () => Options
  readonly play: (player: Player, journal: Journal) => Promise<unknown>
}

const made = (options: Options): Player => agent({ name: 'player', ...options } as object as AgentOptions)

/** The agent of a scenario, with some options changed. */
export function agentOf({ options }: Pick<Scenario, 'options'>, changed: Options = {}): Player {
  return made({ model: scriptedModel('never asked'), ...options(), ...changed })
}

/** Plays a scenario and records it. */
export async function record({ says, options, play }: Scenario): Promise<Fixture> {
  const journal = memoryJournal()
  const player = made({ ...options(), model: scriptedModel(says), journal })
  await play(player, journal)
  return fixtureOf(journal)
}

/** Runs one input. */
export const runs =
  (input = 'Go.') =>
  (player: Player): Promise<unknown> =>
    player.run(input, { thread: 'thread' })

/** A reply that calls tools, by name or with arguments. */
export function calls(...tools: readonly (string | readonly [tool: string, input: unknown])[]): ScriptStep {
  return { calls: tools.map((called) => (typeof called === 'string' ? { tool: called } : { tool: called[0], input: called[1] })) }
}

/** Waits for some passes of the event loop. */
export const moment = (passes = 2): Promise<void> => idle(passes)

/** Adds, at once. */
export const add: Tool = tool({
  name: 'add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  effect: 'pure',
  run: ({ a, b }) => a + b,
})

/** Looks, after a moment. */
export const look: Tool = tool({
  name: 'look',
  input: z.object({ at: z.string() }),
  effect: 'read',
  run: async ({ at }) => moment().then(() => `seen ${at}`),
})

/** Pays, one at a time. In every record it takes two milliseconds or more: it ends when the clock has advanced. */
export const pay: Tool = tool({
  name: 'pay',
  input: z.object({ sum: z.number() }),
  run: async ({ sum }) => {
    const began = Date.now()
    await until(() => Date.now() - began >= 2)
    return { paid: sum }
  },
})

/** Runs an input and answers the questions of its run, one after another. */
export async function answering(player: Player, answers: readonly (typeof approve | ReturnType<typeof approve>)[]): Promise<unknown> {
  const run = player.start('Go.', { thread: 'thread' })
  let result = await run.result()
  for (const answer of answers) {
    const question = result.questions[0]
    if (!question) break
    await run.answer(question.id, typeof answer === 'function' ? answer() : answer)
    result = await run.result()
  }
  return result
}

const errand: Tool = tool({
  name: 'errand',
  durable: true,
  async run(_input, ctx) {
    const price = await ctx.step('price', async () => moment(1).then(() => 7))
    const answer = await ctx.ask('For this price?', { name: 'ok', show: { price } })
    await ctx.sleep(5_000)
    const bought = await ctx.step('buy', () => `bought for ${price}`, { effect: 'idempotent' })
    return { answer: answer.kind, bought }
  },
})

const helper = (): Player =>
  agent({
    name: 'helper',
    description: 'Helps.',
    instructions: 'Help.',
    model: scriptedModel((_request, number) => (number % 2 === 1 ? (calls(['look', { at: 'books' }]) as never) : 'Helped.')),
    tools: { look },
  })

/** The most common kinds of runs. */
export const commonScenarios: readonly Scenario[] = [
  {
    name: 'tools side by side',
    says: [
      calls(['look', { at: 'a' }], ['add', { a: 1, b: 2 }], ['look', { at: 'b' }]),
      calls(['pay', { sum: 1 }], ['pay', { sum: 2 }], ['look', { at: 'c' }]),
      'Done.',
    ],
    options: () => ({ instructions: 'Be quick.', tools: { look, add, pay } }),
    play: runs(),
  },
  {
    name: 'an approval',
    says: [calls(['pay', { sum: 3 }], ['add', { a: 1, b: 1 }]), 'Paid.'],
    options: () => ({ tools: { pay, add }, permissions: { pay: 'ask', add: 'allow' } }),
    play: (player) => answering(player, [approve({ by: 'ann' })]),
  },
  {
    name: 'a rejection and an edit',
    says: [calls(['pay', { sum: 3 }]), calls(['pay', { sum: 4 }]), 'Paid.'],
    options: () => ({ tools: { pay }, permissions: { pay: 'ask' } }),
    play: (player) => answering(player, [{ answer: { kind: 'reject', reason: 'too much' } }, edit({ sum: 1 })]),
  },
  {
    name: 'an answer instead of a call',
    says: [calls(['pay', { sum: 3 }]), 'Paid.'],
    options: () => ({ tools: { pay }, permissions: { pay: 'ask' } }),
    play: (player) => answering(player, [respond({ paid: 'by hand' })]),
  },
  {
    name: 'a durable tool that asks and sleeps',
    says: [calls('errand', ['look', { at: 'a' }]), 'Done.'],
    options: () => ({ tools: { errand, look }, ports: { clock: manualClock(), development: false } }),
    async play(player) {
      const clock = definitionOf(player).ports.clock as ReturnType<typeof manualClock>
      const run = player.start('Go.', { thread: 'thread' })
      const result = await run.result()
      await run.answer(result.questions[0]?.id ?? '', approve())
      for (let round = 0; round < 10; round += 1) await clock.advance(1_000)
      return run.result()
    },
  },
  {
    name: 'a child',
    says: [calls(['helper', { prompt: 'Look.' }], ['add', { a: 1, b: 2 }]), 'Done.'],
    options: () => ({ tools: { helper: helper(), add } }),
    play: runs(),
  },
  {
    name: 'two children at once',
    says: [calls(['helper', { prompt: 'Look.' }], ['second', { prompt: 'Look too.' }]), 'Done.'],
    options: () => ({ tools: { helper: helper(), second: helper() } }),
    play: runs(),
  },
  {
    name: 'failures of the model, and tries again',
    says: [
      { throws: Object.assign(new Error('overloaded'), { statusCode: 529 }) },
      { deltas: ['Half', ' an'], cutAfter: 3 },
      calls(['look', { at: 'a' }]),
      { errorAfter: { parts: 1, error: new Error('gone') } },
      'Done.',
    ],
    options: () => ({ tools: { look }, ports: { random: () => 0.001 } }),
    play: runs(),
  },
  {
    name: 'a failed run that is resumed',
    says: [{ throws: Object.assign(new Error('no such key'), { statusCode: 401 }) }, 'Done.'],
    options: () => ({}),
    async play(player) {
      await player.run('Go.', { thread: 'thread' })
      await player.resume('thread').result()
    },
  },
  {
    name: 'a structured answer that is sent back',
    says: ['It is four.', '{"sum": "4"}', '```json\n{"sum": 4}\n```'],
    options: () => ({ output: z.object({ sum: z.number() }) }),
    play: runs(),
  },
  {
    name: 'steering',
    says: [calls(['slow', {}]), 'Done, with X.'],
    options: () => ({ tools: { slow: tool({ effect: 'read', run: () => moment(20).then(() => 'slowly') }) } }),
    async play(player) {
      const run = player.start('Go.', { thread: 'thread' })
      for await (const event of run.events()) if (event.type === 'tool.started') await run.steer('also check X', { by: 'ann' })
      return run.result()
    },
  },
  {
    name: 'several runs, one of them queued',
    says: [calls(['add', { a: 1, b: 2 }]), 'One.', 'Two.', 'Three.'],
    options: () => ({ tools: { add }, instructions: ({ frame }) => `Be quick. (${frame.runs})` }),
    async play(player) {
      const first = player.start('One?', { thread: 'thread', metadata: { by: 'ann' } })
      const second = player.start('Two?', { thread: 'thread' })
      await Promise.all([first.result(), second.result()])
      await player.run('Three?', { thread: 'thread' })
    },
  },
  {
    name: 'a stop while a tool runs',
    says: [calls(['slow', {}], ['pay', { sum: 1 }])],
    options: () => ({
      tools: {
        slow: tool({
          effect: 'read',
          run: (_input, { signal }) => new Promise((_, refuse) => signal.addEventListener('abort', () => refuse(new Error('aborted')))),
        }),
        pay,
      },
    }),
    async play(player) {
      const run = player.start('Go.', { thread: 'thread' })
      for await (const event of run.events()) if (event.type === 'tool.finished') await run.stop('enough')
      return run.result()
    },
  },
  {
    name: 'a stop while the model streams',
    says: [{ text: 'Never ending', stallAfter: 3 }],
    options: () => ({}),
    async play(player) {
      const run = player.start('Go.', { thread: 'thread' })
      for await (const event of run.events()) if (event.type === 'text-delta') await run.stop('enough')
      return run.result()
    },
  },
  {
    name: 'a pause and a resumption',
    says: [calls(['slow', {}]), 'Done.'],
    options: () => ({ tools: { slow: tool({ effect: 'read', run: () => moment(20).then(() => 'slowly') }) } }),
    async play(player) {
      const run = player.start('Go.', { thread: 'thread' })
      for await (const event of run.events()) if (event.type === 'tool.started') await run.pause()
      await run.result()
      return player.resume('thread').result()
    },
  },
  {
    name: 'limits that are raised',
    says: [calls(['add', { a: 1, b: 2 }]), calls(['add', { a: 2, b: 2 }]), 'Done.'],
    options: () => ({ tools: { add }, limits: { turns: 1 } }),
    async play(player) {
      await player.run('Go.', { thread: 'thread' })
      await player.resume('thread', { limits: { turns: 3 } }).result()
    },
  },
  {
    name: 'hooks that change something',
    says: [calls(['add', { a: 1, b: 2 }], ['look', { at: 'a' }]), 'Done.'],
    options: () => ({
      tools: { add, look },
      hooks: [
        {
          name: 'say',
          beforeIterationStart: ({ turn }) => (turn === 2 ? { say: 'Mind the time.' } : undefined),
          beforeModelCall: (_context, { messages }) => ({
            messages: [...messages, { role: 'user', content: [{ type: 'text', text: 'Be brief.' }] }],
          }),
          beforeToolExecution: async (_context, { tool: name }) => moment(1).then(() => (name === 'add' ? { input: { a: 5, b: 5 } } : undefined)),
          afterToolExecution: (_context, { tool: name }) => (name === 'look' ? { output: { type: 'text', value: 'seen nothing' } } : undefined),
        },
      ],
    }),
    play: runs(),
  },
  {
    name: 'calls that go wrong',
    says: [calls(['add', { a: 'x' }], ['nothing', {}], ['fail', {}], ['add', '{broken'], ['empty', {}], ['big', {}]), 'Done.'],
    options: () => ({
      tools: {
        add,
        fail: tool({ effect: 'read', run: () => Promise.reject(new Error('no luck')) }),
        empty: tool({ effect: 'read', run: () => '' }),
        big: tool({ effect: 'read', input: jsonSchema({ type: 'object' }), run: () => 'x'.repeat(300) }),
      },
      behaviour: { outputLimit: 100 },
    }),
    play: runs(),
  },
  {
    name: 'a loop that is noticed',
    says: Array.from({ length: 5 }, () => calls(['add', { a: 1, b: 2 }])),
    options: () => ({ tools: { add } }),
    play: runs(),
  },
  {
    name: 'a tool that does not end in time',
    says: [calls(['slow', {}]), 'Done.'],
    options: () => ({ tools: { slow: tool({ effect: 'read', schedule: { timeout: 5 }, run: () => new Promise(() => {}) }) } }),
    play: runs(),
  },
  {
    name: 'a thread that still waits',
    says: [calls(['pay', { sum: 3 }], ['look', { at: 'a' }])],
    options: () => ({ tools: { pay, look }, permissions: { pay: 'ask', look: 'allow' } }),
    play: runs(),
  },
]
