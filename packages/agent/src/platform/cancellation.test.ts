import { manualClock } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { createLeash } from './cancellation.ts'

const never = new Promise<never>(() => {})

describe('a leash', () => {
  test('that nobody pulls gives back what the work gives', async () => {
    const clock = manualClock()
    const leash = createLeash({ clock, grace: 10 })
    expect(await leash.hold(Promise.resolve(1))).toBe(1)
    await expect(leash.hold(Promise.reject(new Error('its own')))).rejects.toThrow('its own')
    expect(clock.timers).toBe(0)
  })

  test('tells the work to end, and waits for its end', async () => {
    const clock = manualClock()
    const leash = createLeash({ clock, grace: 10 })
    const listening = new Promise<string>((resolve) => leash.signal.addEventListener('abort', () => resolve(String(leash.signal.reason))))
    const held = leash.hold(listening)
    leash.abort('enough')
    expect(await held).toBe('enough')
    expect([leash.aborted, clock.timers]).toEqual([true, 0])
  })

  test('lets go of work that does not listen when its grace is over', async () => {
    const clock = manualClock()
    const leash = createLeash({ clock, grace: 10 })
    const held = leash.hold(never)
    leash.abort()
    leash.abort()
    void clock.advance(10)
    await expect(held).rejects.toMatchObject({ code: 'LOOM_ABORTED' })
    expect(clock.timers).toBe(0)
  })

  test('pulled before the work began counts from its beginning, and its signal is aborted already', async () => {
    const clock = manualClock()
    const leash = createLeash({ clock, grace: 10 })
    leash.abort('early')
    expect([leash.signal.aborted, leash.signal.reason]).toEqual([true, 'early'])
    const held = leash.hold(never)
    void clock.advance(10)
    await expect(held).rejects.toMatchObject({ code: 'LOOM_ABORTED' })
  })

  test('in a hurry gives the work its grace without a word', async () => {
    const clock = manualClock()
    const leash = createLeash({ clock, grace: 10 })
    leash.hurry()
    const held = leash.hold(never)
    void clock.advance(10)
    await expect(held).rejects.toMatchObject({ code: 'LOOM_ABORTED' })
    expect(leash.aborted).toBe(false)
  })
})
