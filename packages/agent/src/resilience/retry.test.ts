import { LoomError } from '@loom-agent/kernel'
import { manualClock } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { until } from '../../../../test/support/event-loop.ts'
import { type RetryEvent, type RetryOptions, retry } from './retry.ts'

/** Fails with the given errors, one a call, then returns. */
const failing = (...errors: readonly unknown[]) => {
  const times: number[] = []
  return {
    times,
    run:
      (now: () => number = () => 0) =>
      (attempt: number) => {
        times.push(now())
        if (attempt <= errors.length) throw errors[attempt - 1]
        return `answer ${attempt}`
      },
  }
}
const boom = new Error('boom')

/** The moments at which attempts were made, in milliseconds from the first. */
const momentsOf = async (errors: readonly unknown[], options: RetryOptions = {}): Promise<readonly number[]> => {
  const clock = manualClock(0)
  const work = failing(...errors)
  const ended = retry(work.run(clock.now), { clock, ...options }).catch(() => {})
  await clock.advance(10_000_000)
  await ended
  expect(clock.timers).toBe(0)
  return work.times
}

describe('retry', () => {
  test('returns what the first success returns', async () => {
    expect(await retry(() => 4)).toBe(4)
    expect(await retry(failing(boom, boom).run(), { delay: 0 })).toBe('answer 3')
  })

  test('makes three attempts, after one second and after two, and throws the last error as it is', async () => {
    expect(await momentsOf([boom, boom, boom])).toEqual([0, 1000, 3000])
    await expect(retry(failing(new Error('1'), new Error('2'), boom).run(), { delay: 0 })).rejects.toBe(boom)
  })

  test('doubles the delay up to a minute', async () => {
    const moments = await momentsOf(Array(9).fill(boom), { attempts: 9 })
    const delays = moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0))
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  })

  test('grows by the given factor up to the cap', async () => {
    expect(await momentsOf([boom, boom, boom], { attempts: 4, delay: 10, factor: 10, cap: 500 })).toEqual([0, 10, 110, 610])
  })

  test('leaves the given part to chance', async () => {
    expect(await momentsOf([boom, boom], { jitter: 1, random: () => 0.25 })).toEqual([0, 750, 2250])
    expect(await momentsOf([boom, boom], { jitter: 0.1, random: () => 0.5 })).toEqual([0, 950, 2850])
  })

  test('retries whatever may be recovered from, not only rate limits', async () => {
    const errors: readonly unknown[] = [
      boom,
      'a text',
      undefined,
      { statusCode: 500 },
      { statusCode: 429 },
      { status: 408 },
      { statusCode: 400, isRetryable: true },
      new LoomError('LOOM_MODEL_TIMEOUT', 'slow'),
      new LoomError('LOOM_CIRCUIT_OPEN', 'open'),
      new DOMException('slow', 'TimeoutError'),
    ]
    for (const error of errors) expect(await retry(failing(error).run(), { delay: 0 })).toBe('answer 2')
  })

  test('does not retry what is final', async () => {
    const errors: readonly unknown[] = [
      { statusCode: 401 },
      { status: 404 },
      { statusCode: 503, isRetryable: false },
      new LoomError('LOOM_PERMISSION_DENIED', 'no'),
      new LoomError('LOOM_ABORTED', 'stopped'),
      new DOMException('stopped', 'AbortError'),
    ]
    for (const error of errors) await expect(retry(failing(error).run(), { delay: 0 })).rejects.toBe(error)
  })

  test('asks shouldRetry whether to go on', async () => {
    const asked: unknown[] = []
    const shouldRetry = async (error: unknown, attempt: number) => asked.push([(error as Error).message, attempt]) < 2
    await expect(retry(failing(boom, boom, boom).run(), { delay: 0, shouldRetry })).rejects.toBe(boom)
    expect(asked).toEqual([
      ['boom', 1],
      ['boom', 2],
    ])
  })

  test('refuses options that are not valid', async () => {
    await expect(retry(() => 1, { attempts: 0 })).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
    await expect(retry(() => 1, { jitter: Number.NaN })).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
    await expect(retry(() => 1, { atempts: 5 } as RetryOptions)).rejects.toThrow(/Did you mean "attempts"/)
  })
})

describe('what the error asks for', () => {
  const asks: readonly [string, unknown, number][] = [
    ['seconds in a header', { responseHeaders: { 'retry-after': '7' } }, 7000],
    ['a date in a header', { responseHeaders: { 'Retry-After': 'Thu, 01 Jan 1970 00:00:09 GMT' } }, 9000],
    ['a date that is past', { responseHeaders: { 'retry-after': 'Wed, 31 Dec 1969 23:00:00 GMT' } }, 0],
    ['milliseconds in a header', { headers: { 'retry-after-ms': '450', 'retry-after': '1' } }, 450],
    ['headers of a fetch response', { response: new Response('', { headers: { 'Retry-After': '3' } }) }, 3000],
    ['seconds in a field', Object.assign(new Error('slow down'), { retryAfter: 5 }), 5000],
    ['a date in a field', Object.assign(new Error('slow down'), { retryAfter: new Date(4000) }), 4000],
    ['milliseconds in the context of a Loom error', new LoomError('LOOM_CIRCUIT_OPEN', 'x', { context: { retryAfterMs: 2500 } }), 2500],
  ]
  test.each(asks)('is waited for: %s', async (_, error, wait) => {
    expect(await momentsOf([error])).toEqual([0, wait])
  })

  const blanks: readonly [string, unknown][] = [
    ['null in a field', { retryAfter: null, retryAfterMs: null }],
    ['an empty header', { responseHeaders: { 'retry-after': '', 'retry-after-ms': ' ' } }],
    ['no headers', { responseHeaders: null, headers: undefined, response: null }],
    ['a negative number', { retryAfter: '-5' }],
    ['a word', { retryAfter: 'soon' }],
  ]
  test.each(blanks)('falls back to the own delay: %s (present but null broke the back-off)', async (_, error) => {
    expect(await momentsOf([error])).toEqual([0, 1000])
  })

  test('is final when it is longer than the cap', async () => {
    expect(await momentsOf([{ retryAfter: 61 }])).toEqual([0])
    expect(await momentsOf([{ retryAfter: 61 }], { cap: 61_000 })).toEqual([0, 61_000])
  })

  test('can be read in another way', async () => {
    expect(await momentsOf([boom, boom], { retryAfter: (error) => (error === boom ? 42 : null) })).toEqual([0, 42, 84])
    expect(await momentsOf([{ retryAfter: 9 }], { retryAfter: () => null })).toEqual([0, 1000])
  })
})

describe('an abort', () => {
  test('ends the wait at once, though no time passes', async () => {
    const clock = manualClock()
    const controller = new AbortController()
    const reason = new Error('enough')
    const retrying = retry(failing(boom).run(), { signal: controller.signal, clock })
    await until(() => clock.timers === 1)
    controller.abort(reason)
    await expect(retrying).rejects.toMatchObject({ code: 'LOOM_ABORTED', cause: reason })
  })

  test('leaves no timer behind', async () => {
    const clock = manualClock()
    const controller = new AbortController()
    const ended = retry(failing(boom).run(), { signal: controller.signal, clock })
    await clock.advance(500)
    expect(clock.timers).toBe(1)
    controller.abort()
    await expect(ended).rejects.toMatchObject({ code: 'LOOM_ABORTED' })
    expect(clock.timers).toBe(0)
  })

  test('before the first attempt makes none', async () => {
    const work = failing()
    await expect(retry(work.run(), { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'LOOM_ABORTED' })
    expect(work.times).toEqual([])
  })

  test('during an attempt is not followed by another', async () => {
    const controller = new AbortController()
    const work = () => {
      controller.abort()
      throw boom
    }
    await expect(retry(work, { signal: controller.signal })).rejects.toBe(boom)
  })
})

describe('events', () => {
  test('name every attempt and how it ended', async () => {
    const events: RetryEvent[] = []
    const retries: unknown[] = []
    const onRetry: RetryOptions['onRetry'] = (error, next) => retries.push([error, next])
    await retry(failing(boom).run(), { delay: 1, onEvent: (event) => events.push(event), onRetry })
    expect(events).toEqual([
      { type: 'attempt', attempt: 1 },
      { type: 'failed', attempt: 1, error: boom, retryIn: 1 },
      { type: 'attempt', attempt: 2 },
      { type: 'success', attempt: 2 },
    ])
    expect(retries).toEqual([[boom, { attempt: 2, delay: 1 }]])
  })

  test('cannot break the retrying', async () => {
    const onEvent = () => {
      throw new Error('a listener that fails')
    }
    expect(await retry(failing(boom).run(), { delay: 0, onEvent, onRetry: onEvent })).toBe('answer 2')
  })
})
