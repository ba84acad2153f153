/** Findings about recorded tests, each by its name. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent, answerWith, approve, content, memoryJournal, signal, skip, type Tool, tool } from '@loom-agent/agent'
import { createPrompt } from '@loom-agent/agent/kit'
import { type LoomEvent, readEvents } from '@loom-agent/kernel'
import { assertSameRun, manualClock, type RunDivergence, redactSecrets, scriptedModel, writeRegression } from '@loom-agent/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { renderRequests } from '../../src/regression/render-requests.ts'
import { scenarios } from './all-scenarios.ts'
import { changed } from './planted.ts'
import { add, agentOf, calls, fixtureOf, look, moment, pay, record, runs, type Scenario } from './scenarios.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-found-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const named = (name: string): Scenario => scenarios.find((scenario) => scenario.name === name) as Scenario

test('hooks that await and then skip or answer replay as they were', async () => {
  const scenario: Scenario = {
    name: 'skipped',
    says: [calls(['add', { a: 1, b: 2 }], ['look', { at: 'a' }], ['pay', { sum: 1 }]), 'Done.'],
    options: () => ({
      tools: { add, look, pay },
      hooks: [
        {
          beforeToolExecution: async (_context, { tool: name }) => {
            await moment(300)
            if (name === 'add') return skip('not now')
            return name === 'look' ? answerWith({ type: 'text', value: 'seen before' }) : undefined
          },
        },
      ],
    }),
    play: runs(),
  }
  const fixture = await record(scenario)
  for (let round = 0; round < 5; round += 1) await assertSameRun(agentOf(scenario), fixture)
})

test.each([0, 1, 2])('a hook that awaits and throws before call %i replays as it was', async (failing) => {
  const names = ['add', 'look', 'pay'] as const
  const scenario: Scenario = {
    name: 'refused by a hook',
    says: [calls(['add', { a: 1, b: 2 }], ['look', { at: 'a' }], ['pay', { sum: 1 }]), 'Done.'],
    options: () => ({
      tools: { add, look, pay },
      hooks: [
        {
          async beforeToolExecution(_context, { tool: name }) {
            await moment(20)
            if (names.indexOf(name as 'add') >= failing) throw new Error('boom')
          },
        },
      ],
    }),
    play: runs(),
  }
  const fixture = await record(scenario)
  expect(JSON.stringify(fixture)).toContain('"errorType":"hook"')
  await assertSameRun(agentOf(scenario), fixture)
})

test.each([
  ['earlier', 1],
  ['later', 4e12],
])('a signal with the time of another clock replays: the clock of the agent is %s', async (_what, start) => {
  const [journal, clock] = [memoryJournal(), manualClock(start)]
  const work = tool({
    durable: true,
    async run(_input, ctx) {
      const first = await ctx.waitFor('pay')
      await ctx.sleep(120_000)
      const second = await ctx.waitFor('pay', { until: clock.now() + 600_000 })
      await ctx.sleep(120_000)
      return [first.status, second.status]
    },
  })
  const options = { name: 'player', tools: { work } }
  const player = agent({ ...options, journal, ports: { clock }, model: scriptedModel([calls('work'), 'Done.']) })
  let { status } = await player.run('Go.', { thread: 'thread' })
  for (let round = 0; status === 'waiting' && round < 20; round += 1) {
    if (round % 3 === 0) await signal(journal, 'thread', 'pay', round)
    await clock.advance(130_000)
    status = (await player.resume('thread').result()).status
  }
  expect(status).toBe('done')
  const fixture = await fixtureOf(journal)
  expect(JSON.stringify(fixture)).not.toContain('errorType')
  await assertSameRun(agentOf({ options: () => options }), fixture)
})

test('a result that cannot be read replays as it was', async () => {
  const unreadable = tool({
    effect: 'read',
    run: () =>
      content([
        {
          type: 'text',
          get text(): string {
            throw new Error('no luck')
          },
        },
      ]),
  })
  const scenario: Scenario = { name: 'unreadable', says: [calls('unreadable'), 'Done.'], options: () => ({ tools: { unreadable } }), play: runs() }
  const fixture = await record(scenario)
  expect(JSON.stringify(fixture)).toContain('cannot be read: no luck')
  await assertSameRun(agentOf(scenario), fixture)
})

test('a fork is recorded: the fixed run can be kept, and what it shares with its parent is not replayed', async () => {
  const journal = memoryJournal()
  const make = (says: readonly string[], instructions: string) =>
    agent({ name: 'player', instructions, tools: { look }, journal, model: scriptedModel([calls(['look', { at: 'a' }]), ...says]) })
  await make(['Wrong.'], 'Be quick.').run('Go.', { thread: 'parent' })
  const events: LoomEvent[] = []
  for await (const event of readEvents(journal, 'parent')) events.push(event)
  const reply = events.findLast(({ type }) => type === 'tool.finished')?.seq ?? 0
  const fixed = agent({ name: 'player', instructions: 'Be exact.', tools: { look }, journal, model: scriptedModel('Right.') })
  await fixed.fork(`parent@${reply}`, { thread: 'thread', effects: 'live' })
  const run = fixed.resume('thread')
  const [question] = (await run.result()).questions
  await run.answer(question?.id ?? '', approve())
  await run.result()
  const fixture = await fixtureOf(journal)
  expect(fixture.threads[0]?.events.map(({ type }) => type).slice(reply)).toEqual(
    expect.arrayContaining(['thread.forked', 'model.replied', 'run.finished']),
  )
  await assertSameRun(agentOf({ options: () => ({ instructions: 'Be exact.', tools: { look } }) }), fixture)
  const other = agentOf({
    options: () => ({ instructions: 'Be exact.', tools: { look }, hooks: [{ beforeIterationStart: () => ({ say: 'Hm.' }) }] }),
  })
  await expect(assertSameRun(other, fixture)).rejects.toMatchObject({ name: 'RunDivergence' })
})

test('the noise of a recording is not in its fixture: two recordings are the same text', async () => {
  for (const name of ['a rejection and an edit', 'a structured answer that is sent back', 'limits that are raised']) {
    const [one, other] = [await record(named(name)), await record(named(name))]
    expect([name, JSON.stringify(other)]).toEqual([name, JSON.stringify(one)])
    expect(JSON.stringify(one)).not.toMatch(/"ms":|"fingerprint":"[^"]/)
  }
})

test.each(['idempotent', 'unsafe'] as const)('a durable body that uses its key is replayed with it, and leaves no noise (%s)', async (effect) => {
  const pay = tool({
    name: 'pay',
    durable: true,
    effect,
    run: async (_input, ctx) => `paid with ${ctx.key}, ${await ctx.step('amount', () => 7)}`,
  })
  const texts: string[] = []
  for (const journal of [memoryJournal(), memoryJournal()]) {
    const options = { name: 'player', tools: { pay } }
    await agent({ ...options, model: scriptedModel([calls('pay'), 'Done.']), journal }).run('Go.', { thread: 'thread' })
    const fixture = await fixtureOf(journal)
    await assertSameRun(agentOf({ options: () => options }), fixture)
    texts.push(JSON.stringify(fixture))
  }
  expect(texts[1]).toBe(texts[0])
})

describe('tool bodies', () => {
  const broken: Tool = changed(add, { run: () => 0 })

  test('run against recorded arguments where the test asks for it, and their results are compared', async () => {
    const scenario = named('tools side by side')
    const fixture = await record(scenario)
    const other = agentOf(scenario, { tools: { look, add: broken, pay } })
    await assertSameRun(other, fixture)
    for (const execute of [true, ['add']]) {
      await expect(assertSameRun(other, fixture, { execute })).rejects.toMatchObject({
        step: 'turn 1, call 1.1, tool.finished.output.value',
        recorded: 3,
        replayed: 0,
      })
    }
    await assertSameRun(agentOf(scenario), fixture, { execute: true })
    await assertSameRun(other, fixture, { execute: ['look'] })
  })

  test('that throw, or take longer than patience, are what the error is about', async () => {
    const scenario = named('tools side by side')
    const fixture = await record(scenario)
    const adviceWith = async (run: () => unknown): Promise<string> => {
      const other = agentOf(scenario, { tools: { look, add: changed(add, { run }), pay } })
      const error: unknown = await assertSameRun(other, fixture, { execute: ['add'], patience: 50 }).catch((thrown: unknown) => thrown)
      return (error as RunDivergence).advice
    }
    expect(await adviceWith(() => 0)).toContain('The body of add ran (execute) and returned something else')
    expect(await adviceWith(() => Promise.reject(new RangeError('too much')))).toContain('and threw RangeError: too much:')
    expect(await adviceWith(() => new Promise(() => {}))).toContain('more time with { patience }')
  })

  test('of a tool that the run does not have are refused, with the names that it has', async () => {
    const scenario = named('tools side by side')
    const refused = assertSameRun(agentOf(scenario), await record(scenario), { execute: ['add', 'lok'] })
    await expect(refused).rejects.toMatchObject({
      code: 'LOOM_OPTION_INVALID',
      message: 'assertSameRun: execute names "lok", which is no tool of this run. Tools of this run: add, look, pay.',
    })
  })
})

test('what cannot be replayed is refused when it is written, and the error says why', async () => {
  const journal = memoryJournal()
  let called = 0
  const moody = agent({
    name: 'player',
    model: scriptedModel('Hi.'),
    journal,
    hooks: [
      {
        beforeIterationStart() {
          called += 1
          return { say: `call ${called}` }
        },
      },
    ],
  })
  await moody.run('Go.', { thread: 'thread' })
  const refused = writeRegression(journal, 'thread', { folder, name: 'moody', agent: { module: './a.ts', export: 'a', value: moody } })
  await expect(refused).rejects.toMatchObject({
    code: 'LOOM_THREAD_NOT_REPLAYABLE',
    message: expect.stringMatching(/cannot be written as a test[\s\S]*"call 1"[\s\S]*"call 2"/),
    context: { thread: 'thread', step: 'run r1, hook.applied.patch.say.0.parts.0.text' },
  })
  await expect(refused).rejects.not.toThrow('LOOM_ACCEPT')
  expect(existsSync(join(folder, 'moody.journal.json'))).toBe(false)
  const unchecked = await writeRegression(journal, 'thread', { folder, name: 'moody', agent: { module: './a.ts', export: 'a' } })
  expect(existsSync(unchecked.test)).toBe(true)
})

describe('the redaction reads each character a bounded number of times', () => {
  test('128 and more unbroken base64 characters are left as they are, whatever begins or ends like a key', () => {
    const redact = redactSecrets()
    for (const part of ['QUJD', 'a-', 'a.', '-eyJ', 'Bearer ', 'a://', '-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----']) {
      const text = part.repeat(50_000)
      expect(redact(text)).toBe(text)
    }
  })
})

test('writing is linear in the length of the thread: each message is looked at once', async () => {
  const journal = memoryJournal()
  const turns = 120
  const says = (number: number) => (number < turns ? calls(['add', { a: number, b: 1 }]) : 'Done.')
  const model = scriptedModel((_request, number) => says(number) as never)
  await agent({ name: 'player', tools: { add }, model, journal, limits: { turns: 500, loop: false } }).run('Go.', { thread: 'thread' })
  const events: LoomEvent[] = []
  for await (const event of readEvents(journal, 'thread')) events.push(event)
  const readsFor = (part: readonly LoomEvent[]): number => {
    let reads = 0
    const prompt = createPrompt()
    const seen = new WeakMap<object, object>()
    const counted = (messages: readonly object[]): readonly object[] => {
      const known = seen.get(messages)
      const get = (target: readonly object[], key: string | symbol): unknown => {
        if (/^\d+$/.test(String(key))) reads += 1
        return Reflect.get(target, key)
      }
      const proxy = known ?? new Proxy(messages, { get })
      seen.set(messages, proxy)
      return proxy as readonly object[]
    }
    renderRequests('thread', part, { update: prompt.update, current: () => counted(prompt.current()) as never })
    return reads
  }
  const half = events.findIndex(({ type, data }) => type === 'turn.entered' && data.turn === turns / 2)
  const [short, long] = [readsFor(events.slice(0, half)), readsFor(events)]
  expect(short).toBeGreaterThan(turns / 2)
  expect(long / short).toBeLessThan(2.2)
})
