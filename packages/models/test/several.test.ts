/** Several models: a fallback when one fails, and the healthiest of a pool. */
import { agent, tool } from '@loom-agent/agent'
import { type WireStep, wires } from '@loom-agent/harness/wire'
import { breaker, fallbackModel, type ModelFallbackEvent, pool } from '@loom-agent/models'
import { manualClock } from '@loom-agent/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { asking, createServers, down, modelOn, partsOf, textOf } from './on-wire.ts'

const servers = createServers()
afterEach(servers.close)

const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })

describe('another model', () => {
  const early: readonly [what: string, step: WireStep][] = [
    ['an overload', down],
    ['a rate limit', { fault: { kind: 'status', status: 429 } }],
    ['a torn socket', { fault: { kind: 'cut' } }],
    ['a page of a gateway', { fault: { kind: 'html' } }],
    ['a stream that breaks before its first word', { text: ['a '], fault: { kind: 'cut', after: 0 } }],
    ['a stream that says only that it begins', { text: ['a '], fault: { kind: 'end', after: 1 } }],
  ]

  test.for(early)('answers after %s', async ([, step]) => {
    const [first, second] = [await servers.start([step, step]), await servers.start(['from b', 'from b'])]
    const events: ModelFallbackEvent[] = []
    const model = fallbackModel([modelOn('openai-chat', first), modelOn('anthropic', second)], { onEvent: (event) => events.push(event) })
    expect(await textOf(model)).toBe('from b')
    expect(events).toMatchObject([
      { type: 'failed', model: 'openai.chat/gpt-4.1' },
      { type: 'answered', model: 'anthropic.messages/claude-sonnet-4-5' },
    ])
    expect([first.requests.length, second.requests.length]).toEqual([1, 1])
  })

  test.for([400, 401, 403, 404, 413])('is not called after status %i, which it would get as well', async (status) => {
    const [first, second] = [await servers.start([{ fault: { kind: 'status', status } }]), await servers.start(['from b'])]
    await expect(textOf(fallbackModel([modelOn('openai-chat', first), modelOn('anthropic', second)]))).rejects.toMatchObject({ statusCode: status })
    expect(second.requests).toEqual([])
  })

  test('is never called once the reader has content', async () => {
    const [first, second] = [await servers.start([{ text: ['one ', 'two '], fault: { kind: 'cut', after: 3 } }]), await servers.start(['from b'])]
    const model = fallbackModel([modelOn('openai-chat', first), modelOn('anthropic', second)])
    const { stream } = await model.doStream(asking())
    const heard: string[] = []
    const reading = (async () => {
      const reader = stream.getReader()
      for (let next = await reader.read(); !next.done; next = await reader.read()) if (next.value.type === 'text-delta') heard.push(next.value.delta)
    })()
    await expect(reading).rejects.toMatchObject({ name: 'AI_APICallError' })
    expect(heard.join('')).toMatch(/^one /)
    expect(second.requests).toEqual([])
  })

  test('is not called after an abort', async () => {
    const [first, second] = [await servers.start([{ fault: { kind: 'stall' } }]), await servers.start(['from b'])]
    const abort = new AbortController()
    const reading = textOf(fallbackModel([modelOn('openai-chat', first), modelOn('anthropic', second)]), asking('hi', { abortSignal: abort.signal }))
    await expect.poll(() => first.requests.length, { interval: 2 }).toBe(1)
    abort.abort()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    expect(second.requests).toEqual([])
  })

  test('answers at once while a circuit is open', async () => {
    const [first, second] = [await servers.start(() => down), await servers.start(() => 'from b')]
    const model = fallbackModel([breaker({ minimum: 2 })(modelOn('openai-chat', first)), modelOn('anthropic', second)])
    for (let call = 0; call < 10; call += 1) expect(await textOf(model)).toBe('from b')
    expect(first.requests).toHaveLength(2)
  })

  test('answers in one piece, too', async () => {
    const [first, second] = [await servers.start([down]), await servers.start(['from b'])]
    const result = await fallbackModel([modelOn('openai-chat', first), modelOn('anthropic', second)]).doGenerate(asking())
    expect(result).toMatchObject({ content: [{ text: 'from b' }], providerMetadata: { loom: { model: 'anthropic.messages/claude-sonnet-4-5' } } })
  })

  test('all that failed: the last error, and one request each', async () => {
    const all = await Promise.all([1, 2, 3].map(() => servers.start(() => down)))
    await expect(textOf(fallbackModel(all.map((server) => modelOn('openai-chat', server))))).rejects.toMatchObject({ statusCode: 503 })
    expect(all.map(({ requests }) => requests.length)).toEqual([1, 1, 1])
  })

  test('has the name of its provider if there is one, and a mixed name if there are several', async () => {
    const server = await servers.start(() => 'ok')
    expect(fallbackModel([modelOn('anthropic', server), modelOn('anthropic', server)])).toMatchObject({
      provider: 'anthropic.messages',
      modelId: 'claude-sonnet-4-5',
    })
    expect(fallbackModel([modelOn('anthropic', server), modelOn('google', server)]).provider).toBe('mixed')
    expect(() => fallbackModel([])).toThrow(/at least one model/)
  })
})

describe('an agent on two vendors', () => {
  const pairs = wires.flatMap((from) => wires.filter((to) => to !== from).map((to) => [from, to] as const))
  const settings = { maxOutputTokens: 4000, providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1500 } } } }
  const call = { reasoning: 'hm', text: 'Adding.', calls: [{ tool: 'add', input: { a: 1, b: 1 } }] }

  test.for(pairs)(
    '%s fails in the middle of a run, %s goes on, and the first comes back: every request is one that its vendor takes',
    async ([from, to]) => {
      const first = await servers.start([call, down, call, 'done'])
      const second = await servers.start([call])
      const model = fallbackModel([modelOn(from, first), modelOn(to, second)])
      const worker = agent({
        instructions: 'Be exact.',
        model,
        tools: { add },
        settings,
        output: z.object({ n: z.number().optional() }),
        behaviour: { repairs: 0 },
      })
      const result = await worker.run('go', { thread: 't' })
      expect([first.requests, second.requests].map((requests) => requests.flatMap(({ problems }) => problems))).toEqual([[], []])
      expect([first.requests.length, second.requests.length]).toEqual([4, 1])
      expect(result.turns).toBe(4)
    },
  )

  test('the model that answered is recorded, and the cost is its price', async () => {
    const [first, second] = [await servers.start([down]), await servers.start([{ text: 'ok', usage: { input: 10, output: 5 } }])]
    const priced: string[] = []
    const model = fallbackModel([modelOn('openai-chat', first), modelOn('anthropic', second)])
    const price = (id: string) => {
      priced.push(id)
      return 7
    }
    const run = agent({ model, ports: { price } }).start('hi')
    const models: unknown[] = []
    for await (const event of run.events()) if (event.type === 'model.replied') models.push(event.data.model)
    expect(models).toEqual(['anthropic.messages/claude-sonnet-4-5'])
    expect(priced).toEqual(['anthropic.messages/claude-sonnet-4-5'])
    expect((await run.result()).cost).toBe(7)
  })
})

describe('a pool', () => {
  test('spreads calls over its models', async () => {
    const all = await Promise.all([1, 2, 3].map(() => servers.start(() => 'ok')))
    const model = pool(all.map((server) => modelOn('openai-chat', server)))
    for (let call = 0; call < 9; call += 1) await textOf(model)
    expect(all.map(({ requests }) => requests.length)).toEqual([3, 3, 3])
    expect(model.health()).toMatchObject([{ state: 'healthy', calls: 3, failures: 0, inFlight: 0 }, {}, {}])
  })

  test('gives calls at the same time to the least busy models', async () => {
    const stalled: WireStep = { text: ['a ', 'b '], fault: { kind: 'stall', after: 2 } }
    const all = await Promise.all([1, 2].map(() => servers.start(() => stalled)))
    const model = pool(all.map((server) => modelOn('openai-chat', server)))
    const streams = await Promise.all(Array.from({ length: 6 }, () => model.doStream(asking())))
    expect(model.health().map(({ inFlight }) => inFlight)).toEqual([3, 3])
    await Promise.all(streams.map(({ stream }) => stream.cancel()))
    expect(model.health().map(({ inFlight }) => inFlight)).toEqual([0, 0])
  })

  test('gives an unhealthy model no calls, tests it with one call after a rest, and uses it again', async () => {
    const clock = manualClock(0)
    let isDown = true
    const [sick, well] = [await servers.start(() => (isDown ? down : 'back')), await servers.start(() => 'ok')]
    const model = pool([modelOn('openai-chat', sick), modelOn('openai-chat', well)], { rest: 1000, clock })
    for (let call = 0; call < 30; call += 1) await textOf(model).catch(() => {})
    expect(model.health()).toMatchObject([{ state: 'unhealthy', failures: 5 }, { state: 'healthy' }])
    expect(sick.requests).toHaveLength(5)
    await clock.advance(1000)
    await textOf(model).catch(() => {})
    for (let call = 0; call < 10; call += 1) await textOf(model)
    expect(sick.requests).toHaveLength(6)
    isDown = false
    await clock.advance(1000)
    for (let call = 0; call < 10; call += 1) await textOf(model)
    expect(model.health()[0]).toMatchObject({ state: 'healthy', failures: 0 })
    expect(sick.requests.length).toBeGreaterThan(8)
  })

  test('without a healthy model calls one nevertheless', async () => {
    const server = await servers.start(() => down)
    const model = pool([modelOn('openai-chat', server)])
    for (let call = 0; call < 10; call += 1) await expect(textOf(model)).rejects.toMatchObject({ statusCode: 503 })
    expect(server.requests).toHaveLength(10)
  })

  test('is degraded by one failure in four; refusals do not count', async () => {
    const server = await servers.start((_, { number }) => (number > 8 ? { fault: { kind: 'status', status: 400 } } : number % 4 === 0 ? down : 'ok'))
    const model = pool([modelOn('openai-chat', server)])
    for (let call = 0; call < 20; call += 1) await partsOf(model).catch(() => {})
    expect(model.health()).toMatchObject([{ state: 'degraded', calls: 8, failures: 2 }])
  })
})
