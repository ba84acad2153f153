/** Limits on rate and concurrency: which calls wait, and in which order. */
import { agent } from '@loom-agent/agent'
import { compose, concurrency, defineModel, throttle } from '@loom-agent/models'
import { manualClock } from '@loom-agent/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { asking, createServers, modelOn, settle, textOf } from './on-wire.ts'

const servers = createServers()
afterEach(servers.close)

/** A model that records when each call came. */
const noting = (clock: { now(): number }, usage?: { input: number; output: number }) => {
  const came: [string, number][] = []
  const model = defineModel({
    id: 'x/noting',
    generate: ({ text }) => {
      came.push([text, clock.now()])
      return { text: 'ok', ...(usage && { usage }) }
    },
  })
  return { came, model }
}

describe('a rate limit', () => {
  test('of requests lets through what a minute allows, the rest in order', async () => {
    const clock = manualClock(0)
    const { came, model } = noting(clock)
    const limited = throttle({ rpm: 2, clock })(model)
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((text) => textOf(limited, asking(text))))
    await clock.advance(30_000)
    expect(came).toEqual([
      ['a', 0],
      ['b', 0],
    ])
    await clock.advance(90_000)
    expect(came).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 60_000],
      ['d', 60_000],
      ['e', 120_000],
    ])
    await all
    expect(clock.timers).toBe(0)
  })

  test('uses a sliding minute', async () => {
    const clock = manualClock(0)
    const { came, model } = noting(clock)
    const limited = throttle({ rpm: 2, clock })(model)
    await textOf(limited, asking('a'))
    await clock.advance(40_000)
    await textOf(limited, asking('b'))
    const third = textOf(limited, asking('c'))
    await clock.advance(19_999)
    expect(came).toHaveLength(2)
    await clock.advance(1)
    await third
    expect(came.at(-1)).toEqual(['c', 60_000])
  })

  test('no call overtakes: a call that comes while others wait goes behind them', async () => {
    const clock = manualClock(0)
    const { came, model } = noting(clock)
    const limited = throttle({ rpm: 1, clock })(model)
    const first = Promise.all([textOf(limited, asking('a')), textOf(limited, asking('b'))])
    await clock.advance(59_999)
    const late = textOf(limited, asking('c'))
    await clock.advance(60_001)
    await Promise.all([first, late])
    expect(came.map(([text]) => text)).toEqual(['a', 'b', 'c'])
  })

  test('an abort ends the wait at once, and the next one takes the place', async () => {
    const clock = manualClock(0)
    const { came, model } = noting(clock)
    const limited = throttle({ rpm: 1, clock })(model)
    await textOf(limited, asking('a'))
    const abort = new AbortController()
    const given = textOf(limited, asking('b', { abortSignal: abort.signal }))
    const third = textOf(limited, asking('c'))
    await settle()
    abort.abort()
    await expect(given).rejects.toMatchObject({ code: 'LOOM_ABORTED' })
    await clock.advance(60_000)
    await third
    expect(came).toEqual([
      ['a', 0],
      ['c', 60_000],
    ])
    expect(clock.timers).toBe(0)
  })

  test('of tokens is corrected by what the vendor counted', async () => {
    const clock = manualClock(0)
    const { came, model } = noting(clock, { input: 600, output: 300 })
    const limited = throttle({ tpm: 1000, clock })(model)
    await textOf(limited, asking('a'))
    const second = textOf(limited, asking('b'))
    await clock.advance(59_999)
    expect(came).toHaveLength(1)
    await clock.advance(1)
    await second
    expect(came).toHaveLength(2)
  })

  test('a request that is bigger than the limit starts when no other one counts any more', async () => {
    const clock = manualClock(0)
    const { came, model } = noting(clock)
    const limited = throttle({ tpm: 50, clock })(model)
    await textOf(limited, asking('a'))
    const big = textOf(limited, asking('x'.repeat(4000)))
    await clock.advance(60_000)
    await big
    expect(came.map(([, time]) => time)).toEqual([0, 60_000])
  })

  test('is shared by all models that it is given', async () => {
    const clock = manualClock(0)
    const [one, two] = [noting(clock), noting(clock)]
    const limit = throttle({ rpm: 1, clock })
    const both = Promise.all([textOf(limit(one.model)), textOf(limit(two.model))])
    await settle()
    expect([one.came.length, two.came.length]).toEqual([1, 0])
    await clock.advance(60_000)
    await both
  })

  test('counts the calls that wait already: a call that would wait too long behind them is refused at once', async () => {
    const clock = manualClock(0)
    const { came, model } = noting(clock)
    const limited = throttle({ rpm: 1, maxWait: 60_000, clock })(model)
    const two = Promise.all([textOf(limited, asking('a')), textOf(limited, asking('b'))])
    await expect(textOf(limited, asking('c'))).rejects.toMatchObject({ code: 'LOOM_RATE_LIMITED', context: { retryAfterMs: 120_000 } })
    await clock.advance(60_000)
    await two
    expect(came.map(([text]) => text)).toEqual(['a', 'b'])
    expect(clock.timers).toBe(0)
  })

  test('that would be waited for too long is an error, which the agent waits for', async () => {
    const clock = manualClock(0)
    const server = await servers.start(() => 'ok')
    const model = throttle({ rpm: 1, maxWait: 1000, clock })(modelOn('openai-chat', server))
    await textOf(model)
    await expect(textOf(model)).rejects.toMatchObject({ code: 'LOOM_RATE_LIMITED', context: { retryAfterMs: 60_000 } })
    const result = agent({ model, ports: { clock } }).run('hi')
    for (let tick = 0; tick < 62; tick += 1) {
      await settle()
      await clock.advance(1000)
    }
    expect(await result).toMatchObject({ status: 'done', text: 'ok' })
    expect(server.requests).toHaveLength(2)
  })
})

describe('a concurrency limit', () => {
  test('only the allowed number of calls is in flight, until their streams have ended', async () => {
    let [now, most] = [0, 0]
    const full = Promise.withResolvers<void>()
    const server = await servers.start(async () => {
      now += 1
      most = Math.max(most, now)
      if (now === 3) full.resolve()
      // No call ends before the limit was reached once, however slow the machine is.
      await full.promise
      await settle()
      now -= 1
      return 'ok'
    })
    const model = concurrency(3)(modelOn('anthropic', server))
    await Promise.all(Array.from({ length: 12 }, () => textOf(model)))
    expect(most).toBe(3)
    expect(server.requests).toHaveLength(12)
  })

  test('a failure, an abort and a cancelled stream let the next call start', async () => {
    const server = await servers.start((_, { number }) =>
      number === 1 ? { fault: { kind: 'status', status: 500 } } : number < 4 ? { text: ['a ', 'b '], fault: { kind: 'stall', after: 2 } } : 'ok',
    )
    const model = compose(concurrency(1))(modelOn('openai-chat', server))
    await expect(textOf(model)).rejects.toMatchObject({ statusCode: 500 })
    await (await model.doStream(asking())).stream.cancel()
    const abort = new AbortController()
    const aborted = textOf(model, asking('hi', { abortSignal: abort.signal }))
    await expect.poll(() => server.requests.length, { interval: 2 }).toBe(3)
    abort.abort()
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
    expect(await textOf(model)).toBe('ok')
  })

  test('an abort while waiting leaves no gap', async () => {
    const server = await servers.start([{ text: ['a ', 'b '], fault: { kind: 'stall', after: 2 } }, 'ok'])
    const model = concurrency(1)(modelOn('openai-chat', server))
    const { stream } = await model.doStream(asking())
    const abort = new AbortController()
    const waiting = textOf(model, asking('hi', { abortSignal: abort.signal }))
    const next = textOf(model)
    abort.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'LOOM_ABORTED' })
    await stream.cancel()
    expect(await next).toBe('ok')
    expect(server.requests).toHaveLength(2)
  })

  test('a limit of zero is refused', () => {
    expect(() => concurrency(0)).toThrow(/Give a number of at least 1/)
    expect(() => throttle({ rpm: 0 })).toThrow(/rpm is 0/)
    expect(() => throttle({ rmp: 5 } as never)).toThrow(/Did you mean "rpm"\?/)
  })
})
