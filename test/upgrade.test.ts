/** Fifty threads wait in a file while their code changes twice: each runs to its end, or asks a question that says why it cannot. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Agent,
  type AgentOptions,
  agent,
  approve,
  type ContextStrategy,
  edit,
  type Hook,
  type Question,
  reject,
  respond,
  type SignedAnswer,
  tool,
} from '@loom-agent/agent'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal } from '@loom-agent/kernel'
import { assertHistory, checkPairing, type ManualClock, manualClock, mortalJournal, type ScriptedModel, scriptedModel } from '@loom-agent/testing'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { until } from './support/event-loop.ts'
import { eventsOf, factsOf } from './support/threads.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-upgrade-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const day = 24 * 60 * 60 * 1000

/** How threads come to rest: which tool they use, how many there are, and what they ask on their way to the end. */
const groups = {
  approval: { use: 'pay', threads: 5, asks: ['approval'] },
  edited: { use: 'pay', threads: 5, asks: ['approval'] },
  renamed: { use: 'send', threads: 5, asks: ['approval', 'incompatible'] },
  asking: { use: 'ask', threads: 5, asks: ['choice'] },
  shortened: { use: 'tour', threads: 4, asks: ['choice', 'incompatible'] },
  child: { use: 'helper', threads: 5, asks: ['approval'] },
  asleep: { use: 'nap', threads: 5, asks: [] },
  doubtful: { use: 'act', threads: 5, asks: ['in-doubt'] },
  paused: { use: 'gate', threads: 4, asks: [] },
  queued: { use: 'pay', threads: 3, asks: ['approval', 'approval'] },
  retired: { use: 'retire', threads: 4, asks: ['approval', 'incompatible'] },
} as const
type Group = keyof typeof groups
const names = Object.keys(groups) as readonly Group[]
const threadsOf = (group: Group): readonly string[] => Array.from({ length: groups[group].threads }, (_, number) => `${group}-${number}`)

/** Calls the tool that the last request names, and answers once it has a result. */
const clerkModel = (): ScriptedModel =>
  scriptedModel(({ prompt }) => {
    const asked = prompt.findLastIndex(({ role, content }) => role === 'user' && JSON.stringify(content).includes('Use '))
    const name = /Use (\w+)/.exec(JSON.stringify(prompt[asked]))?.[1] ?? ''
    return prompt.slice(asked).some(({ role }) => role === 'tool') ? 'Done.' : { calls: [{ tool: name, input: inputOf(name) }] }
  })
const inputOf = (name: string): object => (name === 'helper' ? { prompt: 'Use pay.' } : { sum: 5 })

/** The effects of all versions. */
const effects: string[] = []
const paying = (name: string) =>
  tool({
    name,
    description: 'Pays.',
    input: z.object({ sum: z.number() }),
    permission: 'ask',
    run: ({ sum }) => {
      effects.push(`${name} ${sum}`)
      return 'paid'
    },
  })
const ask = tool({
  name: 'ask',
  durable: true,
  run: async (_, ctx) => `${await ctx.step('look', () => 'milk')}: ${(await ctx.ask('Home?')).kind}`,
})
const tour = (...stops: readonly string[]) =>
  tool({
    name: 'tour',
    durable: true,
    run: async (_, ctx) => {
      for (const stop of stops) await ctx.step(stop, () => stop)
      return (await ctx.ask('On?')).kind
    },
  })
const nap = tool({ name: 'nap', durable: true, run: async (_, ctx) => (await ctx.sleep(day)) ?? 'rested' })

interface Version {
  readonly clerk: Agent
  readonly models: readonly ScriptedModel[]
}

function version(journal: Journal, clock: ManualClock, { tools, ...options }: Partial<AgentOptions>): Version {
  const models = [clerkModel(), clerkModel()] as const
  const helper = agent({ name: 'helper', model: models[1], tools: [paying('pay')] })
  return { clerk: agent({ name: 'clerk', model: models[0], journal, ports: { clock }, ...options, tools: { ...(tools as object), helper } }), models }
}

/** The first version: all threads come to rest, each in its way. */
async function suspendAll(journal: Journal, clock: ManualClock): Promise<void> {
  const gates: (() => void)[] = []
  let started = 0
  const act = tool({ name: 'act', run: () => ++started && new Promise(() => {}) })
  const gate = tool({ name: 'gate', run: () => new Promise<void>((resolve) => gates.push(resolve)) })
  const tools = { pay: paying('pay'), send: paying('send'), retire: paying('retire'), ask, tour: tour('bern', 'thun'), nap, gate, act }
  const { clerk } = version(journal, clock, { tools })
  const mortal = mortalJournal(journal)
  const dying = version(mortal.journal, clock, { tools }).clerk
  for (const group of names) {
    for (const thread of threadsOf(group)) {
      const input = `Use ${groups[group].use}.`
      if (group === 'doubtful') {
        const before = started
        void dying.run(input, { thread })
        await until(() => started > before)
      } else if (group === 'paused') {
        const before = gates.length
        const run = clerk.start(input, { thread })
        await until(() => gates.length > before)
        await run.pause()
        gates.at(-1)?.()
        expect(await run.result()).toMatchObject({ status: 'waiting', questions: [] })
      } else expect([thread, (await clerk.run(input, { thread })).status]).toEqual([thread, 'waiting'])
      if (group !== 'queued') continue
      clerk.start('Use pay again.', { thread })
      await until(async () => (await factsOf(clerk, thread, 'run.queued')).length === 1)
    }
  }
  mortal.kill()
}

/** The strategy of the second version changes what the model is sent of everything before. */
const summarizing: ContextStrategy = {
  name: 'summarizing',
  assemble: ({ frame }) => (frame.context.segments.length === 0 ? { rebase: { reason: 'strategy', lead: 'The code was upgraded.' } } : {}),
}

/** Answers as a person would who reads the question. */
function answerTo(group: Group, { kind }: Question): SignedAnswer {
  if (kind === 'in-doubt') return respond('It was done.')
  if (kind === 'incompatible') return group === 'shortened' ? approve() : group === 'renamed' ? respond('Sent by hand.') : reject('Not any more.')
  return group === 'edited' ? edit({ sum: 1 }) : approve()
}

/** Resumes a thread until it is done and nothing is queued; returns the kinds of the questions that it asked. */
async function finishThread(clerk: Agent, group: Group, thread: string): Promise<readonly string[]> {
  const asked: string[] = []
  for (let round = 0; round < 5; round += 1) {
    const run = clerk.resume(thread)
    const result = await run.result()
    const [question] = result.questions
    if (!question) {
      expect([thread, result.status]).toEqual([thread, 'done'])
      // The driver continues with what is queued; this handle was about the run before it.
      await until(async () => (await clerk.journal.head(thread))?.summary.status !== 'running')
      if ((await clerk.journal.head(thread))?.summary.status === 'done') return asked
      continue
    }
    asked.push(question.kind)
    await run.answer(question.id, answerTo(group, question))
  }
  throw new Error(`${thread} does not come to its end: it asked ${asked.join(', ')}`)
}

async function finish({ clerk, models }: Version, finished: readonly Group[]): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = { done: 0 }
  for (const group of finished) {
    for (const thread of threadsOf(group)) {
      const asked = await finishThread(clerk, group, thread)
      expect([thread, asked]).toEqual([thread, groups[group].asks])
      counts['done'] = (counts['done'] ?? 0) + 1
      for (const kind of asked) counts[kind] = (counts[kind] ?? 0) + 1
    }
  }
  for (const { prompt } of models.flatMap(({ requests }) => requests)) expect(checkPairing(prompt)).toEqual([])
  return counts
}

test('of fifty threads that rest under old code none is lost under new code', async () => {
  const path = join(folder, 'journal.db')
  const first = sqlite(path)
  await suspendAll(first, manualClock())
  expect(effects).toEqual([])
  await first.close()

  const second = sqlite(path)
  const hooked: string[] = []
  const hook: Hook = {
    name: 'seen',
    beforeToolExecution: (_, { tool: name }) => void hooked.push(name),
    beforeModelCall: () => ({ settings: { temperature: 0 } }),
  }
  const gate = tool({ name: 'gate', run: () => 'open' })
  const act = tool({ name: 'act', run: () => 'acted' })
  // `pay` is called `settle` now and keeps its old name for what is open; `send` is called `transfer` and does not.
  const renamed = { settle: paying('pay'), pay: paying('pay'), transfer: paying('send') }
  const tools = { ...renamed, ask, tour: tour('thun'), nap, gate, act }
  const changed = { hooks: [hook], context: summarizing }
  const v2 = version(second, manualClock(1_000_000 + 2 * day), { ...changed, tools: { ...tools, retire: paying('retire') } })
  const remaining = names.filter((group) => group !== 'retired')
  expect(await finish(v2, remaining)).toEqual({ done: 46, approval: 26, incompatible: 9, choice: 9, 'in-doubt': 5 })
  expect(hooked.length).toBeGreaterThan(0)
  await second.close()

  const third = sqlite(path)
  const v3 = version(third, manualClock(1_000_000 + 3 * day), { ...changed, tools })
  expect(await finish(v3, ['retired'])).toEqual({ done: 4, approval: 4, incompatible: 4 })

  const heads = await third.threads()
  expect(heads.map(({ summary }) => summary.status)).toEqual(heads.map(() => 'done'))
  expect(heads.filter(({ summary }) => summary.parent === undefined).map(({ thread }) => thread)).toEqual(names.flatMap(threadsOf).toSorted())
  expect(heads.length).toBe(55)
  for (const { thread } of heads) assertHistory(await eventsOf(v3.clerk, thread))
  expect(effects.toSorted()).toEqual([...Array(5).fill('pay 1'), ...Array(16).fill('pay 5')])
  await third.close()
})
