/** The circuit breaker, the time-outs and the preset for production: over real HTTP, with a controlled clock. */
import { agent } from '@loom-agent/agent'
import type { WireStep } from '@loom-agent/harness/wire'
import { breaker, compose, defineModel, productionDefaults, productionModel, timeouts } from '@loom-agent/models'
import { manualClock } from '@loom-agent/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { asking, createServers, down, modelOn, partsOf, settle, textOf } from './on-wire.ts'

const servers = createServers()
afterEach(servers.close)

const broken: WireStep = { text: ['one ', 'two '], fault: { kind: 'cut', after: 3 } }

describe('a circuit', () => {
  test.for([
    ['refused requests', down],
    ['streams that are torn', broken],
    ['errors in the stream', { text: ['a ', 'b '], fault: { kind: 'error', after: 4 } } as const],
    ['streams that end too early', { text: ['a ', 'b '], fault: { kind: 'end', after: 2 } } as const],
  ] as const)('opens after %s, and then nothing arrives', async ([, fault]) => {
    const clock = manualClock(0)
    const server = await servers.start(() => fault)
    const model = breaker({ minimum: 4, openFor: 1000, clock })(modelOn('openai-chat', server))
    for (let call = 0; call < 4; call += 1) await partsOf(model).catch(() => {})
    expect(model.status).toBe('open')
    await expect(textOf(model)).rejects.toMatchObject({ code: 'LOOM_CIRCUIT_OPEN', context: { retryAt: 1000, retryAfterMs: 1000 } })
    await expect(model.doGenerate(asking())).rejects.toMatchObject({ code: 'LOOM_CIRCUIT_OPEN' })
    expect(server.requests).toHaveLength(4)
  })

  test('lets one call through as a test, and closes when it succeeds', async () => {
    const clock = manualClock(0)
    const server = await servers.start([down, down, 'fine', 'fine', 'fine'])
    const model = breaker({ minimum: 2, openFor: 1000, clock })(modelOn('openai-chat', server))
    for (let call = 0; call < 2; call += 1) await textOf(model).catch(() => {})
    await clock.advance(1000)
    expect(model.status).toBe('half-open')
    const outcomes = await Promise.allSettled([textOf(model), textOf(model), textOf(model)])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(model.status).toBe('closed')
    expect(server.requests).toHaveLength(3)
    expect(await textOf(model)).toBe('fine')
  })

  test('the test call has not succeeded before its stream has ended', async () => {
    const clock = manualClock(0)
    const server = await servers.start([down, down, broken])
    const model = breaker({ minimum: 2, openFor: 1000, clock })(modelOn('openai-chat', server))
    for (let call = 0; call < 2; call += 1) await textOf(model).catch(() => {})
    await clock.advance(1000)
    await expect(textOf(model)).rejects.toMatchObject({ name: 'AI_APICallError' })
    expect(model.status).toBe('open')
  })

  test('does not count refusals, aborts and cancelled streams', async () => {
    const server = await servers.start((_, { number }) =>
      number % 3 === 0 ? { fault: { kind: 'status', status: 400 } } : { text: ['a ', 'b '], fault: { kind: 'stall', after: 2 } },
    )
    const model = breaker({ minimum: 1 })(modelOn('openai-chat', server))
    for (let round = 0; round < 3; round += 1) {
      const abort = new AbortController()
      const aborted = textOf(model, asking('hi', { abortSignal: abort.signal }))
      await settle()
      abort.abort()
      await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
      await (await model.doStream(asking())).stream.cancel()
      await expect(textOf(model)).rejects.toMatchObject({ statusCode: 400 })
    }
    expect(model.status).toBe('closed')
  })

  test('counts the last calls when the option says so', async () => {
    const server = await servers.start((_, { number }) => (number <= 20 ? 'fine' : down))
    const model = breaker({ minimum: 2, calls: 2 })(modelOn('openai-chat', server))
    for (let call = 0; call < 22; call += 1) await textOf(model).catch(() => {})
    expect(model.status).toBe('open')
  })

  test('the agent waits for an open circuit, and records the wait', async () => {
    const clock = manualClock(0)
    const server = await servers.start([down, down, 'back'])
    const model = breaker({ minimum: 2, openFor: 5000, clock })(modelOn('openai-chat', server))
    for (let call = 0; call < 2; call += 1) await textOf(model).catch(() => {})
    const run = agent({ model, ports: { clock } }).start('hi', { thread: 't' })
    const result = run.result()
    const failures: unknown[] = []
    void (async () => {
      for await (const event of run.events()) if (event.type === 'model.failed') failures.push(event.data)
    })()
    for (let tick = 0; tick < 20; tick += 1) {
      await settle()
      await clock.advance(500)
    }
    expect(await result).toMatchObject({ status: 'done', text: 'back' })
    expect(failures).toMatchObject([{ error: { code: 'LOOM_CIRCUIT_OPEN' }, retryAt: 5000 }])
    expect(server.requests).toHaveLength(3)
  })
})

describe('time-outs', () => {
  const limits = { firstToken: 100, idle: 50, total: 1000 }
  const cases: readonly [what: string, step: WireStep, ms: number, said: string][] = [
    ['a vendor that does not answer', { fault: { kind: 'stall' } }, 100, '100 ms for its first word'],
    ['a vendor that sends headers and no word', { text: ['a '], fault: { kind: 'stall', after: 0 } }, 100, '100 ms for its first word'],
    ['a vendor that stops in the middle', { text: ['a ', 'b '], fault: { kind: 'stall', after: 3 } }, 50, '50 ms for its next word'],
  ]

  test.for(cases)('end %s, and the socket is closed', async ([, step, ms, said]) => {
    const clock = manualClock(0)
    const server = await servers.start([step])
    const reading = partsOf(timeouts({ ...limits, clock })(modelOn('openai-chat', server)))
    reading.catch(() => {})
    await expect.poll(() => server.requests.length, { interval: 2 }).toBe(1)
    await until(() => clock.timers > 0)
    await clock.advance(ms - 1)
    expect(server.requests[0]?.closedAt).toBeUndefined()
    await clock.advance(1)
    await expect(reading).rejects.toMatchObject({ code: 'LOOM_MODEL_TIMEOUT', message: expect.stringContaining(said) })
    await server.requests[0]?.over
    expect(server.requests[0]?.isAborted).toBe(true)
    expect(clock.timers).toBe(0)
  })

  test('end a reply that streams without end', async () => {
    const clock = manualClock(0)
    const endless = defineModel({
      id: 'x/endless',
      async *stream() {
        for (;;) {
          await clock.advance(30)
          yield 'word '
        }
      },
    })
    await expect(partsOf(timeouts({ ...limits, clock })(endless))).rejects.toMatchObject({
      message: expect.stringContaining('1000 ms for its reply'),
    })
    expect(clock.timers).toBe(0)
  })

  test('do not affect what is fast enough, and leave no timer behind', async () => {
    const clock = manualClock(0)
    const server = await servers.start(['a b c', 'a b c', 'a b c'])
    const model = timeouts({ ...limits, clock })(modelOn('anthropic', server))
    expect(await textOf(model)).toBe('a b c')
    expect((await model.doGenerate(asking())).content).toMatchObject([{ text: 'a b c' }])
    await (await model.doStream(asking())).stream.cancel()
    expect(clock.timers).toBe(0)
  })

  test('the time of a slow reader does not count', async () => {
    const clock = manualClock(0)
    const server = await servers.start(['a b c'])
    const { stream } = await timeouts({ ...limits, total: 10_000, clock })(modelOn('openai-chat', server)).doStream(asking())
    const reader = stream.getReader()
    let text = ''
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (next.value.type !== 'text-delta') continue
      text += next.value.delta
      await clock.advance(500)
    }
    expect(text).toBe('a b c')
  })

  test('an abort from outside is an abort', async () => {
    const server = await servers.start([{ fault: { kind: 'stall' } }])
    const abort = new AbortController()
    const reading = partsOf(timeouts()(modelOn('openai-chat', server)), asking('hi', { abortSignal: abort.signal }))
    await expect.poll(() => server.requests.length, { interval: 2 }).toBe(1)
    abort.abort()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('the preset for production', () => {
  test('has the defaults of the original Python project', () => {
    expect(productionDefaults).toEqual({
      rateLimit: { rpm: 60, maxWait: 45_000 },
      breaker: { failureRate: 0.5, minimum: 5, window: 60_000, openFor: 60_000 },
      timeouts: { firstToken: 60_000, idle: 60_000, total: 600_000 },
    })
  })

  test('sends the 61st request of a minute when the minute is over', async () => {
    const clock = manualClock(0)
    const server = await servers.start(() => 'ok')
    const model = productionModel(modelOn('openai-chat', server), { rateLimit: { maxWait: 60_000 }, clock })
    await Promise.all(Array.from({ length: 60 }, () => textOf(model)))
    const last = textOf(model)
    await settle()
    expect(server.requests).toHaveLength(60)
    await clock.advance(60_000)
    expect(await last).toBe('ok')
  })

  test('opens after five failures, and an open circuit does not use up the rate limit', async () => {
    const clock = manualClock(0)
    const server = await servers.start((_, { number }) => (number <= 5 ? down : 'ok'))
    const model = productionModel(modelOn('openai-chat', server), { rateLimit: { rpm: 6 }, clock })
    for (let call = 0; call < 5; call += 1) await textOf(model).catch(() => {})
    for (let call = 0; call < 50; call += 1) await expect(textOf(model)).rejects.toMatchObject({ code: 'LOOM_CIRCUIT_OPEN' })
    await clock.advance(60_000)
    expect(await textOf(model)).toBe('ok')
    expect(server.requests).toHaveLength(6)
  })

  test('never retries', async () => {
    const server = await servers.start(() => down)
    const model = compose()(productionModel(modelOn('openai-chat', server)))
    await expect(textOf(model)).rejects.toMatchObject({ statusCode: 503 })
    expect(server.requests).toHaveLength(1)
  })
})
