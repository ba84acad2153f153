import { agent, approve, reject, tool } from '@loom-agent/agent'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { eventsOf, factsOf } from './journals.ts'

const look = tool({ name: 'look', input: z.object({ n: z.number() }), effect: 'read', run: ({ n }) => `seen ${n}` })
const endless = () => scriptedModel((_, number) => ({ text: `turn ${number}`, calls: [{ tool: 'look', input: { n: number } }] }))

describe('limits', () => {
  test('of turns stop the run with what there is and what to do, and raising them goes on', async () => {
    const worker = agent({ model: endless(), tools: [look], limits: { turns: 3 } })
    const result = await worker.run('go', { thread: 't' })
    expect(result).toMatchObject({ status: 'stopped', kind: 'limit', text: 'turn 3', turns: 3 })
    expect(result.status === 'stopped' && result.reason).toMatch(/3 turns is reached \(3 turns used\).*resume/)
    expect(await worker.resume('t').result()).toMatchObject({ status: 'stopped', turns: 3 })
    expect(await worker.resume('t', { limits: { turns: 5 } }).result()).toMatchObject({ status: 'stopped', turns: 5, run: 'r1' })
  })

  test('of fifty turns are the default', async () => {
    const result = await agent({ model: endless(), tools: [look] }).run('go')
    expect(result).toMatchObject({ status: 'stopped', kind: 'limit', turns: 50 })
  })

  test('of calls are ten thousand by default, or as many as the turns that are asked for; a limit that is given stays', async () => {
    const model = scriptedModel(() => 'done')
    const callsOf = async (limits: object, forRun: object = {}): Promise<unknown> => {
      const worker = agent({ model, tools: [look], limits })
      await worker.run('go', { thread: 't', limits: forRun })
      return (await eventsOf(worker, 't')).flatMap((event) =>
        event.type === 'run.started' && 'request' in event.data ? [event.data.request.limits.calls] : [],
      )[0]
    }
    expect(await callsOf({})).toBe(10_000)
    expect(await callsOf({ turns: 17_000 })).toBe(17_000)
    expect(await callsOf({ turns: 5 }, { turns: 20_000 })).toBe(20_000)
    expect(await callsOf({ calls: 7 }, { turns: 20_000 })).toBe(7)
  })

  test('of tokens ask whether to go on; yes gives as much again, no stops with what there is', async () => {
    const worker = agent({ model: endless(), tools: [look], limits: { tokens: 40 } })
    const run = worker.start('go', { thread: 't' })
    const first = await run.result()
    expect(first).toMatchObject({ status: 'waiting', text: 'turn 3', questions: [{ kind: 'limit' }], usage: { input: 30, output: 15 } })
    await run.answer(first.questions[0]?.id ?? '', approve())
    const second = await run.result()
    expect(second).toMatchObject({ status: 'waiting', turns: 6 })
    await run.answer(second.questions[0]?.id ?? '', reject('enough'))
    expect(await run.result()).toMatchObject({ status: 'stopped', kind: 'budget', reason: 'enough', text: 'turn 6' })
    expect(await worker.resume('t', { limits: { tokens: 100 } }).result()).toMatchObject({ status: 'waiting', turns: 7 })
  })

  test.each([
    ['tokens', { tokens: 1 }, 'The limit of 1 token is reached (15 tokens used).'],
    ['cost', { cost: 2 }, 'The limit of 0.000002 money units is reached (0.000003 money units used).'],
  ])('of %s say in words what is used up, and which answer raises them', async (name, limits, reached) => {
    const worker = agent({ model: endless(), tools: [look], limits, ports: { price: () => 3 } })
    expect((await worker.run('go')).questions[0]?.prompt).toBe(
      `${reached} Approve to add as much again, or set it: approve({ limits: { ${name} } }). Pending: the model has not read the results of look.`,
    )
    const stopped = await worker.run('go', { limits: { onReached: 'stop' } })
    expect(stopped.status === 'stopped' && stopped.reason).toMatch(
      /\. Raise limits\.(tokens|cost) and resume the thread\. Pending: the model has not read the results of look\.$/,
    )
  })

  test('of tokens can be raised to what the answer says', async () => {
    const run = agent({ model: endless(), tools: [look], limits: { tokens: 15 } }).start('go')
    await run.answer((await run.result()).questions[0]?.id ?? '', approve({ limits: { tokens: 60 } }))
    expect(await run.result()).toMatchObject({ status: 'waiting', turns: 4 })
  })

  test('of tokens stop when asked to, or when nobody is there', async () => {
    expect(await agent({ model: endless(), tools: [look], limits: { tokens: 15, onReached: 'stop' } }).run('go')).toMatchObject({
      status: 'stopped',
      kind: 'budget',
    })
    expect(await agent({ model: endless(), tools: [look], limits: { tokens: 15 }, behaviour: { unattended: 'deny' } }).run('go')).toMatchObject({
      status: 'stopped',
      kind: 'budget',
    })
  })

  test('of tokens bound what the model is asked for, down to the least that vendors take', async () => {
    const model = endless()
    await agent({ model, tools: [look], limits: { tokens: 40 }, settings: { maxOutputTokens: 30 } }).run('go')
    expect(model.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([30, 25, 16])
  })

  test('of cost count integer micro-units, and an unknown price is unknown', async () => {
    const price = (_model: string, usage: { input: number; output: number }) => usage.input * 3 + usage.output * 15
    const worker = agent({ model: endless(), tools: [look], limits: { cost: 200 }, ports: { price } })
    expect(await worker.run('go')).toMatchObject({ status: 'waiting', cost: 210, questions: [{ kind: 'limit' }] })
    expect((await agent({ model: scriptedModel('x') }).run('go')).cost).toBeUndefined()
  })

  test('of time count driving, not waiting', async () => {
    const clock = manualClock()
    const slow = tool({
      name: 'look',
      effect: 'read',
      run: () => new Promise((resolve) => clock.at(clock.now() + 1000, () => resolve('x'))),
    })
    const asks = tool({ name: 'asks', permission: 'ask', run: () => 'x' })
    const model = scriptedModel([
      { calls: [{ tool: 'look' }] },
      { calls: [{ tool: 'asks' }] },
      { calls: [{ tool: 'look', input: { n: 2 } }] },
      'too late',
    ])
    const worker = agent({ model, tools: [slow, asks], limits: { time: 1500 }, ports: { clock } })
    const run = worker.start('go')
    await clock.advance(1100)
    const waiting = await run.result()
    await clock.advance(1_000_000)
    await run.answer(waiting.questions[0]?.id ?? '', approve())
    const ended = run.result()
    await clock.advance(1100)
    expect(await ended).toMatchObject({ status: 'stopped', kind: 'limit', turns: 3 })
  })
})

describe('loops', () => {
  const same = (count: number) => scriptedModel((_, number) => (number <= count ? { calls: [{ tool: 'look', input: { n: 1 } }] } : 'done'))

  test('of the same call with the same result are warned of, nudged, then stopped', async () => {
    const model = same(100)
    const worker = agent({ model, tools: [look] })
    const result = await worker.run('go', { thread: 't' })
    expect(result).toMatchObject({ status: 'stopped', kind: 'loop', turns: 5 })
    const entered = await factsOf(worker, 't', 'turn.entered')
    expect(entered.map(({ data }) => data.loop?.level)).toEqual([undefined, undefined, undefined, 'warn', 'nudge'])
    expect(JSON.stringify(model.requests[4]?.prompt)).toContain('Do something else')
    expect(JSON.stringify(model.requests[3]?.prompt)).not.toContain('Do something else')
  })

  test('are not seen where arguments or results differ', async () => {
    let n = 0
    const changing = tool({ name: 'look', input: z.object({ n: z.number() }), effect: 'read', run: () => ++n })
    expect((await agent({ model: same(20), tools: [changing] }).run('go')).status).toBe('done')
    expect((await agent({ model: endless(), tools: [look], limits: { turns: 20 } }).run('go')).status).toBe('stopped')
    expect(await agent({ model: endless(), tools: [look], limits: { turns: 20 } }).run('go')).toMatchObject({ kind: 'limit' })
  })

  test('are seen when two calls alternate, and in arguments of another order', async () => {
    const pair = tool({ name: 'pair', effect: 'read', run: () => 'x' })
    const model = scriptedModel((_, number) => ({
      calls: [{ tool: 'pair', input: number % 2 ? '{"a":1,"b":2}' : number % 4 ? '{"b":2,"a":1}' : '{"c":3}' }],
    }))
    expect(await agent({ model, tools: [pair] }).run('go')).toMatchObject({ status: 'stopped', kind: 'loop' })
  })

  test('count the same call once a turn', async () => {
    const model = scriptedModel([{ calls: Array.from({ length: 8 }, () => ({ tool: 'look', input: { n: 1 } })) }, 'done'])
    expect((await agent({ model, tools: [look] }).run('go')).status).toBe('done')
  })

  test('can be allowed, or judged otherwise', async () => {
    expect((await agent({ model: same(20), tools: [look], limits: { loop: false } }).run('go')).status).toBe('done')
    expect(await agent({ model: same(20), tools: [look], limits: { loop: { warn: 8, nudge: 9, stop: 10 } } }).run('go')).toMatchObject({
      turns: 10,
    })
  })
})

describe('the end that is required', () => {
  test('is asked for once, then the answer counts', async () => {
    const done = tool({ name: 'done', effect: 'pure', run: () => 'noted' })
    const model = scriptedModel(['I think so.', 'Yes, finished.'])
    const worker = agent({ model, tools: [done], behaviour: { requireDone: 'done' } })
    expect(await worker.run('go', { thread: 't' })).toMatchObject({ status: 'done', text: 'Yes, finished.', turns: 2 })
    expect(JSON.stringify(await eventsOf(worker, 't'))).toContain('call done')
  })

  test('is not asked for when the tool was called', async () => {
    const done = tool({ name: 'done', effect: 'pure', run: () => 'noted' })
    const model = scriptedModel([{ calls: [{ tool: 'done' }] }, 'Finished.'])
    expect(await agent({ model, tools: [done], behaviour: { requireDone: 'done' } }).run('go')).toMatchObject({ status: 'done', turns: 2 })
  })
})
