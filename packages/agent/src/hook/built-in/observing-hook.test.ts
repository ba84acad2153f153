import { agent, approve, type Hook, memoryJournal, reject, tool } from '@loom-agent/agent'
import { emptyFrame } from '@loom-agent/kernel'
import { manualClock, type ScriptedReply, scriptedModel } from '@loom-agent/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { eventsOf, typesOf } from '../../../test/journals.ts'
import { analytics, type RunRecord } from './analytics.ts'
import { humanApproval } from './human-approval.ts'
import { type LogEntry, loggingHook } from './logging-hook.ts'
import { metricsHook } from './metrics-hook.ts'

const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })
const adding = (a: number, b: number): ScriptedReply => ({ calls: [{ tool: 'add', input: { a, b } }] })
const script = () => scriptedModel([adding(2, 2), 'It is 4.'])
/** A model that calls `add` once and answers, however many runs ask it at once. */
const forMany = () => scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'It is 4.' : adding(2, 2)))
const endless = () => scriptedModel((_, number) => adding(number, 1))

describe('loggingHook', () => {
  afterEach(() => vi.restoreAllMocks())

  test('writes lines about what happens, without quoting anything', async () => {
    const entries: LogEntry[] = []
    await agent({ model: script(), tools: [add], hooks: [loggingHook({ log: (entry) => entries.push(entry) })] }).run('a secret', { thread: 't' })
    const texts = entries.map(({ text }) => text.replace(/ in \d+ ms/, ''))
    expect(texts.slice(-7)).toEqual([
      '[t r1] turn 1',
      '[t r1] model replied: 10 tokens in, 5 out',
      '[t r1] tool add started (1.0)',
      '[t r1] tool add ended (1.0): success',
      '[t r1] turn 2',
      '[t r1] model replied: 10 tokens in, 5 out',
      '[t r1] done',
    ])
    expect(JSON.stringify(entries)).not.toContain('secret')
    expect(entries.find(({ type }) => type === 'tool.finished')).toMatchObject({ thread: 't', run: 'r1', turn: 1, error: false })
  })

  test('writes every event with what it holds when it is verbose', async () => {
    const entries: LogEntry[] = []
    const math = agent({ model: script(), tools: [add], hooks: [loggingHook({ verbose: true, log: (entry) => entries.push(entry) })] })
    await math.run('a secret', { thread: 't' })
    const driven = (await typesOf(math, 't')).slice(-entries.length)
    expect(entries.map(({ type }) => type)).toEqual(driven)
    expect(entries.find(({ type }) => type === 'model.replied')).toMatchObject({ data: { usage: { input: 10, output: 5 } } })
    expect(entries.find(({ type }) => type === 'model.replied')?.text).toContain('"a":2')
  })

  test('writes lines about errors, questions and how a run ended', async () => {
    const entries: LogEntry[] = []
    const hooks = [loggingHook({ log: (entry) => entries.push(entry) })]
    const asks = tool({ name: 'asks', permission: 'ask', run: () => 'x' })
    const fails = tool({ name: 'fails', run: () => Promise.reject(new Error('no')) })
    const model = scriptedModel([{ calls: [{ tool: 'asks' }, { tool: 'fails' }] }, { throws: Object.assign(new Error('no'), { statusCode: 400 }) }])
    const run = agent({ model, tools: [asks, fails], hooks }).start('go', { thread: 't' })
    await run.answer((await run.result()).questions[0]?.id ?? '', reject())
    expect((await run.result()).status).toBe('failed')
    const text = entries.map((entry) => entry.text).join('\n')
    for (const said of [
      'asks 1.0#1: approval',
      'waits: question',
      'tool asks denied (1.0): rejected',
      'tool fails ended (1.1): failed',
      'failed: LOOM_MODEL_FAILED',
    ])
      expect(text).toContain(said)
    expect(entries.filter(({ error }) => error).map(({ type }) => type)).toEqual(['tool.denied', 'tool.finished', 'model.failed', 'run.failed'])
  })

  test('goes to the error stream by default, and cannot break a run', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => {})
    await agent({ model: scriptedModel('Hi.'), hooks: [loggingHook()] }).run('go', { thread: 't' })
    expect(written).toHaveBeenCalledWith('[t r1] done')
    const log = () => Promise.reject(new Error('disk full'))
    expect((await agent({ model: scriptedModel('Hi.'), hooks: [loggingHook({ log })] }).run('go')).status).toBe('done')
  })
})

describe('metricsHook', () => {
  test('counts turns, calls, tokens and errors', async () => {
    const counter = metricsHook()
    const overloaded = Object.assign(new Error('Overloaded'), { statusCode: 529, isRetryable: true })
    const model = scriptedModel([{ throws: overloaded }, adding(2, 2), { calls: [{ tool: 'nope' }] }, 'It is 4.'])
    await agent({ model, tools: [add], hooks: [counter], ports: { random: () => 0 } }).run('2+2?')
    expect(counter.metrics()).toMatchObject({ turns: 3, modelCalls: 4, toolCalls: 2, errors: 2, tokens: { input: 30, output: 15 } })
  })

  test('counts time by the clock of the run, without the waiting', async () => {
    const clock = manualClock()
    const slow = tool({ name: 'add', effect: 'read', run: () => new Promise((resolve) => clock.at(clock.now() + 70, () => resolve(4))) })
    const counter = metricsHook()
    const hooks = [humanApproval({ tools: ['add'] }), counter]
    const run = agent({ model: script(), tools: [slow], hooks, ports: { clock } }).start('go', { thread: 't' })
    const { questions } = await run.result()
    await clock.advance(1_000_000)
    await run.answer(questions[0]?.id ?? '', approve())
    const ended = run.result()
    await clock.advance(100)
    expect((await ended).status).toBe('done')
    expect(counter.metrics().durations).toEqual({ model: 0, tools: 70, run: 70 })
  })

  test('keeps two runs at once apart, and sums them', async () => {
    const counter = metricsHook()
    const math = agent({ model: forMany(), tools: [add], hooks: [counter] })
    const results = await Promise.all(['x', 'y'].map((thread) => math.run('go', { thread })))
    await math.run('again', { thread: 'x' })
    expect(results.map(({ status }) => status)).toEqual(['done', 'done'])
    for (const of of [
      { thread: 'x', run: 'r1' },
      { thread: 'y', run: 'r1' },
      { thread: 'x', run: 'r2' },
    ])
      expect(counter.metrics(of)).toMatchObject({ turns: 2, modelCalls: 2, toolCalls: 1, errors: 0, tokens: { input: 20, output: 10 } })
    expect(counter.metrics()).toMatchObject({ turns: 6, modelCalls: 6, toolCalls: 3 })
    expect(counter.metrics({ thread: 'z', run: 'r1' }).turns).toBe(0)
  })

  test('counts an event once however often it is notified, and returns copies', async () => {
    const counter = metricsHook()
    const math = agent({ model: script(), tools: [add], hooks: [counter] })
    await math.run('go', { thread: 't' })
    const before = counter.metrics()
    for (const event of await eventsOf(math, 't')) counter.observe(event, emptyFrame('t'))
    expect(counter.metrics()).toEqual(before)
    Object.assign(counter.metrics(), { turns: 99 })
    expect(counter.metrics().turns).toBe(2)
  })

  test('does not grow with the number of runs', async () => {
    const counter = metricsHook({ keep: 2 })
    const talker = agent({ model: scriptedModel(() => 'Hi.'), hooks: [counter] })
    for (const thread of ['a', 'b', 'c']) await talker.run('go', { thread })
    expect(['a', 'b', 'c'].map((thread) => counter.metrics({ thread, run: 'r1' }).turns)).toEqual([0, 1, 1])
    expect(counter.metrics().turns).toBe(3)
  })
})

describe('analytics', () => {
  const record = (options: { hook?: Hook; model?: ReturnType<typeof script> } = {}) => {
    const records: RunRecord[] = []
    const hooks = [analytics({ sink: (one) => records.push(one) }), ...(options.hook ? [options.hook] : [])]
    const journal = memoryJournal()
    const model = options.model ?? script()
    const make = (limits = {}) => agent({ name: 'math', model, tools: [add], hooks, journal, limits })
    return { records, make, math: make() }
  }

  test('passes one record a run: turns, calls, tokens, cost, time, outcome', async () => {
    const { records, math } = record({ model: scriptedModel([adding(2, 2), { calls: [{ tool: 'add' }, { tool: 'nope' }] }, 'It is 4.']) })
    await math.run('2+2?', { thread: 't' })
    const calls = { add: { count: 2, errors: 1 }, nope: { count: 1, errors: 1 } }
    const run = { thread: 't', run: 'r1', agent: 'math', outcome: 'done', turns: 3, calls, tokens: { input: 30, output: 15 } }
    expect(records).toEqual([{ ...run, duration: expect.any(Number) }])
  })

  test('knows every way in which a run ends', async () => {
    const stopped = record({ model: endless() })
    await stopped.make({ turns: 2 }).run('go')
    expect(stopped.records).toMatchObject([{ outcome: 'stopped', turns: 2, reason: expect.stringContaining('limit of 2 turns') }])
    const failed = record({ hook: { beforeRecursion: () => Promise.reject(new Error('boom')) } })
    await failed.math.run('go')
    expect(failed.records).toMatchObject([{ outcome: 'failed', calls: { add: { count: 1 } }, reason: expect.stringContaining('boom') }])
  })

  test('keeps two runs at once apart, and two runs of a thread', async () => {
    const { records, math } = record({ model: forMany() })
    await Promise.all(['x', 'y'].map((thread) => math.run('go', { thread })))
    await math.run('again', { thread: 'x' })
    expect(records.map(({ thread, run, calls }) => [thread, run, calls['add']?.count]).sort()).toEqual([
      ['x', 'r1', 1],
      ['x', 'r2', 1],
      ['y', 'r1', 1],
    ])
  })

  test('is whole when another process drove the run before, and silent while it waits', async () => {
    const { records, make } = record({ hook: humanApproval({ tools: ['add'] }) })
    const { questions } = await make().run('go', { thread: 't' })
    expect(records).toEqual([])
    const elsewhere = make()
    await elsewhere.answer(questions[0]?.id ?? '', approve())
    expect((await elsewhere.resume('t').result()).status).toBe('done')
    expect(records).toMatchObject([{ turns: 2, calls: { add: { count: 1 } }, tokens: { input: 20, output: 10 } }])
  })

  test('cannot break a run', async () => {
    const sink = () => Promise.reject(new Error('disk full'))
    expect((await agent({ model: scriptedModel('Hi.'), hooks: [analytics({ sink })] }).run('go')).status).toBe('done')
  })
})

test('hooks that only observe add no commit to a turn', async () => {
  const commitsWith = async (hooks: readonly Hook[]): Promise<number> => {
    let commits = 0
    const journal = memoryJournal()
    const append: typeof journal.append = (thread, batch) => {
      commits += 1
      return journal.append(thread, batch)
    }
    await agent({ model: script(), tools: [add], hooks, journal: { ...journal, append } }).run('go')
    return commits
  }
  const looking = [loggingHook({ log: () => {} }), metricsHook(), analytics({ sink: () => {} })]
  expect(await commitsWith(looking)).toBe(await commitsWith([]))
})
