import { manualClock } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { abort, createCancellation, signalOf, startGracePeriod, waitFor } from './cancellation.ts'

const never = new Promise<never>(() => {})

describe('a cancellation', () => {
  test('that is not used passes on what the work returns or throws', async () => {
    const clock = manualClock()
    const cancellation = createCancellation(clock, 10)
    expect(await waitFor(cancellation, Promise.resolve(1))).toBe(1)
    await expect(waitFor(cancellation, Promise.reject(new Error('its own')))).rejects.toThrow('its own')
    expect([clock.timers, cancellation.controller]).toEqual([0, undefined])
  })

  test('asks the work to end, and waits for its end', async () => {
    const clock = manualClock()
    const cancellation = createCancellation(clock, 10)
    const signal = signalOf(cancellation)
    const listening = new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve(String(signal.reason))))
    const waited = waitFor(cancellation, listening)
    abort(cancellation, 'enough')
    expect(await waited).toBe('enough')
    expect([cancellation.isAborted, clock.timers]).toEqual([true, 0])
  })

  test('stops waiting for work that does not end in its grace period', async () => {
    const clock = manualClock()
    const cancellation = createCancellation(clock, 10)
    const waited = waitFor(cancellation, never)
    abort(cancellation)
    abort(cancellation)
    void clock.advance(10)
    await expect(waited).rejects.toMatchObject({ code: 'LOOM_ABORTED' })
    expect(clock.timers).toBe(0)
  })

  test('used before the work began counts from its beginning, and its signal is aborted already', async () => {
    const clock = manualClock()
    const cancellation = createCancellation(clock, 10)
    abort(cancellation, 'early')
    expect([signalOf(cancellation).aborted, signalOf(cancellation).reason]).toEqual([true, 'early'])
    const waited = waitFor(cancellation, never)
    void clock.advance(10)
    await expect(waited).rejects.toMatchObject({ code: 'LOOM_ABORTED' })
  })

  test('may start the grace period without aborting', async () => {
    const clock = manualClock()
    const cancellation = createCancellation(clock, 10)
    startGracePeriod(cancellation)
    const waited = waitFor(cancellation, never)
    void clock.advance(10)
    await expect(waited).rejects.toMatchObject({ code: 'LOOM_ABORTED' })
    expect(cancellation.isAborted).toBe(false)
  })
})
