/** Whatever can go on, goes on: children of one durable body that ask, are answered late, and work for different times. */
import { type AgentOptions, agent, approve, memoryJournal, type Result, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { assertHistory, type ManualClock, manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { callsOnce } from '../../../test/support/calling-model.ts'
import { until } from '../../../test/support/event-loop.ts'
import { eventsOf, factsOf, typesOf } from './journals.ts'

/** A parent whose durable body runs two children; each asks before it pays, and pays until the test ends it. */
function twoPayers(options: Partial<AgentOptions> = {}) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const payer = (name: string) => {
    const pay = tool({
      name: 'pay',
      permission: 'ask',
      async run() {
        started.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
        return 'paid'
      },
    })
    const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? `${name} is done` : { calls: [{ tool: 'pay' }] }))
    return agent({ name, model, tools: [pay] })
  }
  const [left, right] = [payer('left'), payer('right')]
  const both = tool({
    name: 'both',
    durable: true,
    run: async (_input, ctx) => (await Promise.all([ctx.run(left, 'go'), ctx.run(right, 'go')])).map(({ text }) => text).join(', '),
  })
  const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'All is done.' : { calls: [{ tool: 'both' }] }))
  const boss = agent({ name: 'boss', model, tools: [both], ...options })
  const questionOf = ({ questions }: Result, name: string): string => questions[name === 'left' ? 0 : 1]?.id ?? ''
  return { boss, started, end: (name: string) => ends.get(name)?.(), questionOf }
}

describe('two children that ask', () => {
  test('one is answered while the other works, and ends last: their parent goes on', async () => {
    const { boss, started, end, questionOf } = twoPayers()
    const run = boss.start('go', { thread: 't' })
    const waiting = await run.result()
    await run.answer(questionOf(waiting, 'left'), approve())
    await until(() => started.includes('left'))
    await run.answer(questionOf(waiting, 'right'), approve())
    await until(() => started.includes('right'))
    end('left')
    await until(async () => (await typesOf(boss, 't')).includes('child.finished'))
    end('right')
    expect(await run.result()).toMatchObject({ status: 'done', text: 'All is done.' })
    assertHistory(await eventsOf(boss, 't'))
  })

  test('a child that is answered while a step of the body works, and ends after the step: its parent goes on', async () => {
    const clock = manualClock()
    let [endPay, endStep, isPaying] = [(): void => {}, (): void => {}, false]
    const pay = tool({
      name: 'pay',
      permission: 'ask',
      run() {
        isPaying = true
        return new Promise<string>((resolve) => (endPay = () => resolve('paid')))
      },
    })
    const payer = agent({ name: 'payer', model: callsOnce('pay'), tools: [pay] })
    const both = tool({
      name: 'both',
      durable: true,
      run: (_input, ctx) =>
        Promise.all([ctx.run(payer, 'go'), ctx.step('slow', () => new Promise<void>((resolve) => (endStep = resolve)))]).then(String),
    })
    const journal = memoryJournal()
    const made = () => agent({ name: 'boss', model: callsOnce('both'), tools: [both], journal, ports: { clock, development: false } })
    const boss = made()
    const turn = (isDone: () => boolean | Promise<boolean>): Promise<void> =>
      until(async () => {
        await clock.advance(1)
        return isDone()
      })
    const run = boss.start('go', { thread: 't' })
    const [child = ''] = await untilFound(clock, () => childrenOf(boss.journal, 't'))
    await turn(async () => (await typesOf(boss, child)).includes('run.suspended'))
    const [asked] = await factsOf(boss, child, 'question.asked')
    const { incarnation } = (await boss.journal.head(child)) ?? {}
    await boss.answer(`${child}#${asked?.data.id}@${incarnation}`, approve())
    await turn(() => isPaying)
    // Longer than an answer tries to acquire the thread.
    await clock.advance(5_000)
    endStep()
    await turn(async () => (await typesOf(boss, 't')).includes('tool.suspended'))
    // The run is suspended, and has nothing to wait for: a process that follows it goes on following.
    const followed = made().resume('t').result()
    for (let n = 0; n < 50; n += 1) await clock.advance(1000)
    endPay()
    await turn(async () => (await typesOf(boss, 't')).includes('run.finished'))
    expect(await run.result()).toMatchObject({ status: 'done' })
    expect(await followed).toMatchObject({ status: 'done' })
    expect(clock.timers).toBe(0)
    assertHistory(await eventsOf(boss, 't'))
  })
})

async function untilFound<T>(clock: ManualClock, find: () => Promise<readonly T[]>): Promise<readonly T[]> {
  let found: readonly T[] = []
  await until(async () => {
    await clock.advance(1)
    found = await find()
    return found.length > 0
  })
  return found
}

/** The children of a thread. */
const childrenOf = async (journal: Journal, parent: string): Promise<readonly string[]> =>
  (await journal.threads({ parent })).map(({ thread }) => thread)

describe('waiting says for what', () => {
  test('a parent whose child sleeps says until when', async () => {
    const journal = memoryJournal()
    const clock = manualClock()
    const nap = tool({ name: 'nap', durable: true, run: (_input, ctx) => ctx.sleep(3_600_000) })
    const sleeper = agent({ name: 'sleeper', model: scriptedModel([{ calls: [{ tool: 'nap' }] }, 'rested']), tools: [nap] })
    const boss = agent({
      model: scriptedModel([{ calls: [{ tool: 'sleeper', input: { prompt: 'go' } }] }]),
      tools: [sleeper],
      journal,
      ports: { clock },
    })
    const result = await boss.run('go', { thread: 't' })
    expect(result).toMatchObject({ status: 'waiting', reason: 'time', until: clock.now() + 3_600_000, children: await childrenOf(journal, 't') })
  })

  test('a run that asks, and a run that was paused', async () => {
    const journal = memoryJournal()
    const ask = tool({ name: 'ask', permission: 'ask', run: () => 'yes' })
    const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool: 'ask' }] }))
    const asker = agent({ model, tools: [ask], journal })
    expect(await asker.run('go', { thread: 'asks' })).toMatchObject({ status: 'waiting', reason: 'question', children: [] })
    const run = asker.start('go', { thread: 'paused' })
    await run.pause()
    expect(await run.result()).toMatchObject({ status: 'waiting', reason: 'paused', questions: [], until: undefined })
  })
})
