import { LoomError } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { type FallbackEvent, fallback } from './fallback.ts'

const failing = (error: unknown) => async (): Promise<string> => {
  throw error
}
const final = new LoomError('LOOM_PERMISSION_DENIED', 'no')
const passing = new LoomError('LOOM_MODEL_FAILED', 'overloaded')

describe('fallback', () => {
  test('takes the first way as long as it works', async () => {
    let taken = 0
    expect(
      await fallback(
        () => 'first',
        () => `second ${++taken}`,
      ),
    ).toBe('first')
    expect(taken).toBe(0)
  })

  test('takes the second way when the first fails, and tells it why', async () => {
    expect(await fallback(failing(passing), (error) => `instead of ${(error as Error).message}`)).toBe('instead of overloaded')
    const throwsAtOnce = (): string => {
      throw passing
    }
    expect(await fallback(throwsAtOnce, () => 'second')).toBe('second')
  })

  test('does not follow a final error, unless it is told to', async () => {
    await expect(fallback(failing(final), () => 'second')).rejects.toBe(final)
    expect(await fallback(failing(final), () => 'second', { recoverableOnly: false })).toBe('second')
  })

  test('throws the second error when both fail', async () => {
    const second = new Error('that too')
    await expect(fallback(failing(passing), failing(second))).rejects.toBe(second)
  })

  test('tells what happens, to listeners that cannot break it', async () => {
    const events: FallbackEvent[] = []
    const onEvent = (event: FallbackEvent) => {
      events.push(event)
      throw new Error('a listener that fails')
    }
    await fallback(failing(passing), () => 'second', { onEvent })
    expect(events).toEqual([
      { type: 'attempt', of: 'primary' },
      { type: 'failed', of: 'primary', error: passing },
      { type: 'attempt', of: 'secondary' },
      { type: 'success', of: 'secondary' },
    ])
  })
})
