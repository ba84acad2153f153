import { agent, answerWith, approve, type ContextStrategy, everything, memoryJournal, reject, respond, tool } from '@loom-agent/agent'
import { manualClock, type ScriptedReply, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { caching } from '../src/hook/built-in/caching.ts'
import { contextInjection } from '../src/hook/built-in/context-injection.ts'
import { costBudget } from '../src/hook/built-in/cost-budget.ts'
import { humanApproval } from '../src/hook/built-in/human-approval.ts'
import { rateLimit } from '../src/hook/built-in/rate-limit.ts'
import type { Hook, HookContext } from '../src/hook/hook.ts'
import { factsOf } from './journals.ts'

const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })
const adding = (a: number, b: number): ScriptedReply => ({ calls: [{ tool: 'add', input: { a, b } }] })
const script = () => scriptedModel([adding(2, 2), 'It is 4.'])
const endless = () => scriptedModel((_, number) => adding(number, 1))

/** A hook all of whose points are called twice: as after a crash, when nothing later was durable. */
const twice = (hook: Hook): Hook =>
  Object.fromEntries(
    Object.entries(hook).map(([key, value]) => {
      if (typeof value !== 'function' || key === 'observe') return [key, value]
      const method = (value as (...given: unknown[]) => unknown).bind(hook)
      return [key, async (...given: unknown[]) => [await method(...given), await method(...given)][1]]
    }),
  )

describe('humanApproval', () => {
  const pay = tool({ name: 'pay', input: z.object({ amount: z.number() }), run: ({ amount }) => `paid ${amount}` })
  const start = (options: Parameters<typeof humanApproval>[0], behaviour = {}) => {
    const model = scriptedModel([
      {
        calls: [
          { tool: 'pay', input: { amount: 5 } },
          { tool: 'add', input: { a: 1, b: 1 } },
        ],
      },
      'Done.',
    ])
    const till = agent({ model, tools: [pay, add], hooks: [humanApproval(options)], behaviour })
    const shown = () => JSON.stringify(model.requests[1]?.prompt.at(-1)?.content)
    return { till, shown, run: till.start('go', { thread: 't' }) }
  }

  test('asks with name and arguments, and runs what is approved', async () => {
    const { run, shown } = start({ tools: ['pay'], reason: 'it costs money' })
    const waiting = await run.result()
    const prompt = 'May pay run with these arguments? (it costs money)\n{"amount":5}'
    expect(waiting).toMatchObject({ status: 'waiting', questions: [{ kind: 'hook', prompt }] })
    await run.answer(waiting.questions[0]?.id ?? '', approve())
    expect((await run.result()).status).toBe('done')
    expect(shown()).toContain('paid 5')
  })

  test('skips what is rejected and shows the model why', async () => {
    const { run, shown, till } = start({ tools: ({ tool: name }) => name === 'pay' })
    await run.answer((await run.result()).questions[0]?.id ?? '', reject('too dear'))
    expect((await run.result()).status).toBe('done')
    expect(shown()).toContain('Skipped: too dear')
    expect((await factsOf(till, 't', 'tool.started')).map(({ data }) => data.call)).toEqual(['1.1'])
  })

  test('gives the model the result that a human responds with', async () => {
    const { run, shown, till } = start({ tools: ['pay'] })
    await run.answer((await run.result()).questions[0]?.id ?? '', respond({ paid: 'by hand' }))
    expect((await run.result()).status).toBe('done')
    expect(shown()).toContain('by hand')
    expect((await factsOf(till, 't', 'tool.started')).map(({ data }) => data.call)).toEqual(['1.1'])
  })

  test('asks once for two runs each, and another process may answer', async () => {
    const journal = memoryJournal()
    const model = () => scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : adding(2, 2)))
    const make = () => agent({ model: model(), tools: [add], hooks: [twice(humanApproval({ tools: ['add'] }))], journal })
    const waiting = await Promise.all(['x', 'y'].map((thread) => make().run('go', { thread })))
    expect(waiting.map(({ questions }) => questions.length)).toEqual([1, 1])
    const elsewhere = make()
    await elsewhere.answer(waiting[1]?.questions[0]?.id ?? '', approve())
    expect((await elsewhere.resume('y').result()).status).toBe('done')
    expect((await elsewhere.resume('x').result()).status).toBe('waiting')
  })

  test('skips at once where questions are denied', async () => {
    const { run, shown } = start({ tools: ['pay'] }, { unattended: 'deny' })
    expect((await run.result()).status).toBe('done')
    expect(shown()).toContain('nobody is there')
  })
})

describe('rateLimit', () => {
  /** The moments, in seconds, at which the model was called. */
  const busy = (perMinute: number, hook?: (hook: Hook) => Hook) => {
    const clock = manualClock(0)
    const moments: number[] = []
    const model = scriptedModel(() => {
      moments.push(clock.now() / 1000)
      return 'Hi.'
    })
    const limit = rateLimit({ perMinute, clock })
    return { clock, moments, talker: agent({ model, hooks: [hook?.(limit) ?? limit], ports: { clock } }) }
  }

  test('lets the model be called so often in any sixty seconds, over all runs at once', async () => {
    const { clock, moments, talker } = busy(2)
    const runs = Promise.all(['a', 'b', 'c', 'd', 'e'].map((thread) => talker.run('go', { thread })))
    await clock.advance(30_000)
    expect(moments).toEqual([0, 0])
    await clock.advance(90_000)
    expect((await runs).every(({ status }) => status === 'done')).toBe(true)
    expect(moments).toEqual([0, 0, 60, 60, 120])
    expect(clock.timers).toBe(0)
  })

  test('slides: what is older than a minute does not count', async () => {
    const { clock, moments, talker } = busy(2)
    const run = async (thread: string) => void talker.run('go', { thread })
    await run('a')
    await clock.advance(40_000)
    await run('b')
    await run('c')
    await clock.advance(20_000)
    await run('d')
    await clock.advance(100_000)
    expect(moments).toEqual([0, 40, 60, 100])
  })

  test('stops waiting when the run is stopped, and gives the moment back', async () => {
    const { clock, moments, talker } = busy(1)
    await talker.run('go')
    const waiting = talker.start('go')
    await clock.advance(1000)
    await waiting.stop('enough')
    expect(await waiting.result()).toMatchObject({ status: 'stopped', kind: 'cancelled' })
    await clock.advance(0)
    expect(clock.timers).toBe(0)
    const next = talker.run('go')
    await clock.advance(60_000)
    await next
    expect(moments).toEqual([0, 60])
  })

  test('errs on the safe side when it is called twice', async () => {
    const { clock, moments, talker } = busy(2, twice)
    await talker.run('go')
    const second = talker.run('go')
    await clock.advance(60_000)
    await second
    expect(moments).toEqual([0, 60])
  })

  test('fails a run that would have to wait too long, so that it can be resumed', async () => {
    const clock = manualClock(0)
    const talker = agent({ model: scriptedModel(() => 'Hi.'), hooks: [rateLimit({ perMinute: 1, maxWait: 1000, clock })], ports: { clock } })
    await talker.run('go')
    const failed = await talker.run('go', { thread: 't' })
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'LOOM_HOOK_FAILED' } })
    expect(failed.status === 'failed' && failed.error.message).toContain('used up for 60000 ms')
    await clock.advance(60_000)
    expect((await talker.resume('t').result()).status).toBe('done')
    expect(() => rateLimit({} as { perMinute: number })).toThrow(/perMinute/)
  })
})

describe('costBudget', () => {
  const worker = (hook: Hook, options = {}) => agent({ model: endless(), tools: [add], hooks: [hook], ...options })

  test('stops a run that has spent its tokens, with what there is', async () => {
    const results = await Promise.all(['x', 'y'].map((thread) => worker(twice(costBudget({ tokens: 40, onReached: 'stop' }))).run('go', { thread })))
    for (const result of results) expect(result).toMatchObject({ status: 'stopped', kind: 'budget', turns: 3 })
  })

  test('asks with onReached: ask, and a raised limit is not lowered again', async () => {
    const run = worker(costBudget({ tokens: 40, onReached: 'ask' })).start('go')
    const waiting = await run.result()
    expect(waiting).toMatchObject({ status: 'waiting', turns: 3, questions: [{ kind: 'limit' }] })
    await run.answer(waiting.questions[0]?.id ?? '', approve({ limits: { tokens: 70 } }))
    expect(await run.result()).toMatchObject({ status: 'waiting', turns: 5 })
  })

  test('counts money where prices are known', async () => {
    const price = (_: string, usage: { input: number; output: number }) => usage.input * 3 + usage.output * 15
    const hook = costBudget({ cost: 200, onReached: 'stop' })
    expect(await worker(hook, { ports: { price } }).run('go')).toMatchObject({ status: 'stopped', kind: 'budget', cost: 210 })
  })

  test('leaves a stricter limit of the run alone', async () => {
    const hook = costBudget({ tokens: 1000, onReached: 'stop' })
    expect(await worker(hook, { limits: { tokens: 15, onReached: 'stop' } }).run('go')).toMatchObject({ status: 'stopped', turns: 1 })
    expect(() => costBudget({ onReached: 'ask' })).toThrow(/nothing to keep to/)
  })
})

describe('caching', () => {
  const counted = (effect: 'read' | 'unsafe' = 'read') => {
    let calls = 0
    const look = tool({ name: 'look', effect, run: (input) => `seen ${JSON.stringify(input)} ${++calls}` })
    return { look, calls: () => calls }
  }
  const looking = (...inputs: readonly unknown[]) =>
    scriptedModel([...inputs.map((input): ScriptedReply => ({ calls: [{ tool: 'look', input }] })), 'Done.'])

  test('gives the same call the same result, whatever the order of the arguments', async () => {
    const { look, calls } = counted()
    const model = looking({ a: 1, b: 2 }, '{"b":2,"a":1}', { a: 2 })
    const seer = agent({ model, tools: [look], hooks: [twice(caching())] })
    expect((await seer.run('go', { thread: 't' })).status).toBe('done')
    expect(calls()).toBe(2)
    const [first, second] = (await factsOf(seer, 't', 'tool.finished')).map(({ data }) => data)
    expect(second?.output).toEqual(first?.output)
    expect((await factsOf(seer, 't', 'tool.started')).map(({ data }) => data.call)).toEqual(['1.0', '3.0'])
  })

  test('never leaves out what may change the world, nor tools that are not listed, nor errors', async () => {
    const unsafe = counted('unsafe')
    await agent({ model: looking({}, {}), tools: [unsafe.look], hooks: [caching({ tools: ['look'] })] }).run('go')
    expect(unsafe.calls()).toBe(2)
    const other = counted()
    await agent({ model: looking({}, {}), tools: [other.look], hooks: [caching({ tools: ['search'] })] }).run('go')
    expect(other.calls()).toBe(2)
    let failures = 0
    const fails = tool({ name: 'look', effect: 'read', run: () => Promise.reject(new Error(`no ${++failures}`)) })
    await agent({ model: looking({}, {}), tools: [fails], hooks: [caching()] }).run('go')
    expect(failures).toBe(2)
  })

  test('forgets after its time, which a hit does not prolong', async () => {
    const clock = manualClock()
    const { look, calls } = counted()
    const ahead = { beforeIterationStart: () => clock.advance(40) }
    await agent({ model: looking({}, {}, {}, {}), tools: [look], hooks: [ahead, caching({ ttl: 100, clock })], limits: { loop: false } }).run('go')
    expect(calls()).toBe(2)
  })

  test('keeps no more than it may: the least recently used goes first', async () => {
    const { look, calls } = counted()
    const inputs = [{ n: 1 }, { n: 2 }, { n: 1 }, { n: 3 }, { n: 1 }, { n: 2 }]
    await agent({ model: looking(...inputs), tools: [look], hooks: [caching({ max: 2 })] }).run('go')
    expect(calls()).toBe(4)
  })

  test('keeps what one thread saw from others, unless it is shared', async () => {
    for (const [shared, expected] of [
      [false, 2],
      [true, 1],
    ] as const) {
      const { look, calls } = counted()
      const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool: 'look' }] }))
      const seer = agent({ model, tools: [look], hooks: [caching({ shared })] })
      await seer.run('go', { thread: 'x' })
      await Promise.all([seer.run('go', { thread: 'y' }), seer.run('go', { thread: 'x' })])
      expect(calls()).toBe(expected)
    }
  })

  test('does not keep what another hook answered', async () => {
    const { look, calls } = counted()
    let stand = true
    const standIn: Hook = { beforeToolExecution: () => (stand ? answerWith({ type: 'text', value: 'a stand-in' }) : undefined) }
    const seer = agent({
      model: scriptedModel((_, n) => (n % 2 ? { calls: [{ tool: 'look' }] } : 'Done.')),
      tools: [look],
      hooks: [standIn, caching()],
    })
    await seer.run('go', { thread: 't' })
    stand = false
    await seer.run('go', { thread: 't' })
    expect(calls()).toBe(1)
  })
})

describe('contextInjection', () => {
  const shown = (model: ReturnType<typeof script>, request: number): number =>
    JSON.stringify(model.requests[request]?.prompt).split('Mind the gap.').length - 1

  test('adds a message once a run, after the input', async () => {
    const model = scriptedModel([adding(2, 2), 'Four.', 'Again four.'])
    const math = agent({ model, tools: [add], hooks: [twice(contextInjection({ say: 'Mind the gap.' }))] })
    await math.run('2+2?', { thread: 't' })
    expect(model.requests[0]?.prompt.at(-1)).toMatchObject({ role: 'user', content: [{ text: 'Mind the gap.' }] })
    expect([shown(model, 0), shown(model, 1)]).toEqual([1, 1])
    await math.run('and again?', { thread: 't' })
    expect(shown(model, 2)).toBe(2)
  })

  test('adds a message every turn with every: turn', async () => {
    const model = script()
    await agent({ model, tools: [add], hooks: [contextInjection({ say: 'Mind the gap.', every: 'turn' })] }).run('2+2?')
    expect([shown(model, 0), shown(model, 1)]).toEqual([1, 2])
  })

  test('knows the situation, and adds nothing when the text is empty', async () => {
    const model = scriptedModel(() => 'Hi.')
    const say = ({ deps, metadata }: HookContext<{ user: string }>) => (metadata['quiet'] ? '' : `You talk to ${deps.user}.`)
    const talker = agent<{ user: string }>()({ model, hooks: [contextInjection({ say })] })
    const runs = ['Ada', 'Bob'].map((user) => talker.run('go', { deps: { user } }))
    await Promise.all([...runs, talker.run('go', { deps: { user: 'Eve' }, metadata: { quiet: true } })])
    const prompts = model.requests.map(({ prompt }) => JSON.stringify(prompt))
    expect(prompts.map((prompt) => /You talk to (\w+)/.exec(prompt)?.[1]).sort()).toEqual(['Ada', 'Bob', undefined])
  })

  test('does not repeat itself when the turn is taken up again', async () => {
    const model = scriptedModel(() => 'Hi.')
    let lost = true
    const context: ContextStrategy = {
      ...everything,
      async assemble(request) {
        if (lost) throw new Error('lost')
        return everything.assemble(request)
      },
    }
    const talker = agent({ model, context, hooks: [contextInjection({ say: 'Mind the gap.' })] })
    expect((await talker.run('go', { thread: 't' })).status).toBe('failed')
    lost = false
    expect((await talker.resume('t').result()).status).toBe('done')
    expect(shown(model, 0)).toBe(1)
  })
})
