import { LoomError } from '@loom-agent/kernel'
import { manualClock } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { type BreakerEvent, type BreakerOptions, circuitBreaker } from './circuit-breaker.ts'
import { retry } from './retry.ts'

const boom = new Error('boom')

/** A guarded function whose calls end as the test says, with a manual clock. */
const setUp = (options: BreakerOptions = {}) => {
  const clock = manualClock(0)
  const events: BreakerEvent[] = []
  let calls = 0
  const guarded = circuitBreaker(
    async (outcome: unknown) => {
      calls += 1
      const settled = await outcome
      if (settled !== 'fine') throw settled
      return settled
    },
    { clock, onEvent: (event) => events.push(event), ...options },
  )
  const call = (outcome: unknown): Promise<unknown> => guarded(outcome).catch((error: unknown) => error)
  const fail = async (times: number): Promise<void> => {
    for (let index = 0; index < times; index += 1) await call(boom)
  }
  return { clock, events, guarded, call, fail, calls: () => calls }
}

describe('a closed circuit', () => {
  test('lets everything through and returns what the function returns', async () => {
    const add = circuitBreaker((a: number, b: number) => a + b)
    expect(await add(2, 2)).toBe(4)
    expect(add.status).toBe('closed')
  })

  test('is not opened by the first failure, nor by any before the minimum', async () => {
    const { guarded, fail, events } = setUp()
    await fail(1)
    expect(guarded.status).toBe('closed')
    await fail(3)
    expect(guarded.status).toBe('closed')
    await fail(1)
    expect(guarded.status).toBe('open')
    expect(events).toEqual([{ type: 'opened', calls: 5, failures: 5, retryAt: 60_000 }])
  })

  test('opens when half of the recent calls have failed, not before', async () => {
    const { guarded, call, fail } = setUp()
    for (let index = 0; index < 6; index += 1) await call('fine')
    await fail(5)
    expect(guarded.status).toBe('closed')
    await fail(1)
    expect(guarded.status).toBe('open')
  })

  test('forgets old failures', async () => {
    const { guarded, clock, fail } = setUp()
    await fail(4)
    await clock.advance(60_000)
    await fail(4)
    expect(guarded.status).toBe('closed')
    await fail(1)
    expect(guarded.status).toBe('open')
  })

  test('forgets old successes too', async () => {
    const { guarded, clock, call, fail } = setUp()
    for (let index = 0; index < 100; index += 1) await call('fine')
    await clock.advance(60_000)
    await fail(5)
    expect(guarded.status).toBe('open')
  })

  test('does not count errors of the caller', async () => {
    const { guarded, call } = setUp()
    const others = [{ statusCode: 400 }, new DOMException('stopped', 'AbortError'), new LoomError('LOOM_INPUT_INVALID', 'bad')]
    for (let index = 0; index < 30; index += 1) await call(others[index % 3])
    expect(guarded.status).toBe('closed')
    const strict = setUp({ isFailure: () => true })
    for (let index = 0; index < 5; index += 1) await strict.call(others[0])
    expect(strict.guarded.status).toBe('open')
  })

  test('opens at the given rate and minimum', async () => {
    const { guarded, call, fail } = setUp({ failureRate: 0.2, minimum: 10 })
    for (let index = 0; index < 8; index += 1) await call('fine')
    await fail(1)
    expect(guarded.status).toBe('closed')
    await fail(1)
    expect(guarded.status).toBe('open')
  })
})

describe('an open circuit', () => {
  test('refuses at once, without a call, and says when to try again', async () => {
    const { guarded, clock, call, fail, calls } = setUp({ name: 'search' })
    await fail(5)
    await clock.advance(10_000)
    const refusal = await call('fine')
    expect(refusal).toMatchObject({ code: 'LOOM_CIRCUIT_OPEN', context: { retryAt: 60_000, retryAfterMs: 50_000 } })
    expect((refusal as Error).message).toBe('The circuit of search is open: it kept failing. Try again in 50000 ms.')
    expect(calls()).toBe(5)
    expect(guarded.status).toBe('open')
  })

  test('lets one probe through when its time has come, however many come at once', async () => {
    const { guarded, clock, call, fail, calls, events } = setUp()
    await fail(5)
    await clock.advance(60_000)
    expect(guarded.status).toBe('half-open')
    const probe = Promise.withResolvers<string>()
    const first = call(probe.promise)
    const others = await Promise.all(Array.from({ length: 20 }, () => call('fine')))
    expect(others.every((error) => error instanceof LoomError && error.code === 'LOOM_CIRCUIT_OPEN')).toBe(true)
    expect(calls()).toBe(6)
    probe.resolve('fine')
    expect(await first).toBe('fine')
    expect(guarded.status).toBe('closed')
    expect(events.map(({ type }) => type)).toEqual(['opened', 'probing', 'closed'])
  })

  test('starts over once it is closed: old failures do not open it again', async () => {
    const { guarded, clock, call, fail } = setUp({ openFor: 1000 })
    await fail(5)
    await clock.advance(1000)
    await call('fine')
    await fail(4)
    expect(guarded.status).toBe('closed')
  })

  test('stays open for as long again when the probe fails', async () => {
    const { guarded, clock, call, fail, events } = setUp({ openFor: 1000 })
    await fail(5)
    await clock.advance(1000)
    await call(boom)
    expect(guarded.status).toBe('open')
    await clock.advance(999)
    expect(await call('fine')).toMatchObject({ code: 'LOOM_CIRCUIT_OPEN' })
    await clock.advance(1)
    expect(await call('fine')).toBe('fine')
    expect(events.map(({ type }) => type)).toEqual(['opened', 'probing', 'opened', 'probing', 'closed'])
  })

  test('sends another probe when one was inconclusive, or never ended', async () => {
    const { clock, call, fail, guarded } = setUp({ openFor: 1000 })
    await fail(5)
    await clock.advance(1000)
    await call(new DOMException('stopped', 'AbortError'))
    const lost = Promise.withResolvers<unknown>()
    const hanging = call(lost.promise)
    expect(await call('fine')).toMatchObject({ code: 'LOOM_CIRCUIT_OPEN' })
    await clock.advance(1000)
    expect(await call('fine')).toBe('fine')
    lost.resolve(boom)
    await hanging
    expect(guarded.status).toBe('closed')
  })

  test('is not closed by a probe that comes back after another has failed', async () => {
    const { clock, call, fail, guarded } = setUp({ openFor: 1000 })
    await fail(5)
    await clock.advance(1000)
    const late = Promise.withResolvers<string>()
    const first = call(late.promise)
    await clock.advance(1000)
    await call(boom)
    late.resolve('fine')
    await first
    expect(guarded.status).toBe('open')
  })

  test('is not closed by a call that was started before it opened', async () => {
    const { guarded, call, fail } = setUp()
    const slow = Promise.withResolvers<string>()
    const early = call(slow.promise)
    await fail(5)
    slow.resolve('fine')
    expect(await early).toBe('fine')
    expect(guarded.status).toBe('open')
  })

  test('is waited for by a retry around it', async () => {
    const { guarded, clock, fail } = setUp({ openFor: 5000 })
    await fail(5)
    const ended = retry(() => guarded('fine'), { clock })
    await clock.advance(5000)
    expect(await ended).toBe('fine')
  })
})

test('a listener that fails breaks nothing, and options are checked', async () => {
  const onEvent = () => {
    throw new Error('a listener that fails')
  }
  const { guarded, fail } = setUp({ onEvent, minimum: 1 })
  await fail(1)
  expect(guarded.status).toBe('open')
  expect(() => circuitBreaker(() => 1, { failureRate: 50 })).toThrow(/from 0 to 1/)
  expect(() => circuitBreaker(() => 1, { treshold: 1 } as BreakerOptions)).toThrow(/no option/)
})

test('with a number of calls, what happened before the last so many does not count', async () => {
  const clock = { now: () => 0 }
  let fails = false
  const guarded = circuitBreaker(async () => (fails ? Promise.reject(new Error('down')) : 'up'), { calls: 4, minimum: 4, clock })
  for (let call = 0; call < 100; call += 1) await guarded()
  fails = true
  await expect(guarded()).rejects.toThrow('down')
  expect(guarded.status).toBe('closed')
  await expect(guarded()).rejects.toThrow('down')
  expect(guarded.status).toBe('open')
})
