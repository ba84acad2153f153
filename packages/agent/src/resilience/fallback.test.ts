import { LoomError } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { type FallbackEvent, fallback } from './fallback.ts'

const failing = (error: unknown) => async (): Promise<string> => {
  throw error
}
const final = new LoomError('LOOM_PERMISSION_DENIED', 'no')
const passing = new LoomError('LOOM_MODEL_FAILED', 'overloaded')

describe('fallback', () => {
  test('calls only the first function while it works', async () => {
    let taken = 0
    expect(
      await fallback(
        () => 'first',
        () => `second ${++taken}`,
      ),
    ).toBe('first')
    expect(taken).toBe(0)
  })

  test('calls the second function when the first fails, and passes it the error', async () => {
    expect(await fallback(failing(passing), (error) => `instead of ${(error as Error).message}`)).toBe('instead of overloaded')
    const throwsAtOnce = (): string => {
      throw passing
    }
    expect(await fallback(throwsAtOnce, () => 'second')).toBe('second')
  })

  test('does not follow a final error, unless the options say so', async () => {
    await expect(fallback(failing(final), () => 'second')).rejects.toBe(final)
    expect(await fallback(failing(final), () => 'second', { recoverableOnly: false })).toBe('second')
  })

  test('throws the second error when both fail', async () => {
    const second = new Error('that too')
    await expect(fallback(failing(passing), failing(second))).rejects.toBe(second)
  })

  test('notifies listeners, which cannot break it', async () => {
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
