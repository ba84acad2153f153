import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSystemClock } from './system-clock.ts'

/** A clock whose sources are set by hand. */
function handSet() {
  const sources = { wall: 1_000_000, monotonic: 0 }
  const clock = createSystemClock({ wall: () => sources.wall, monotonic: () => sources.monotonic })
  const pass = (ms: number): void => {
    sources.wall += ms
    sources.monotonic += ms
  }
  return { clock, sources, pass }
}

describe('a wall clock that is set back (CLOCK-1)', () => {
  test('does not set the time back: it goes on at the pace of the monotonic clock', () => {
    const { clock, sources, pass } = handSet()
    expect(clock.now()).toBe(1_000_000)
    sources.wall -= 3_600_000
    expect(clock.now()).toBe(1_000_000)
    pass(5000)
    expect(clock.now()).toBe(1_005_000)
  })

  test('is followed again once it has caught up', () => {
    const { clock, sources, pass } = handSet()
    clock.now()
    sources.wall -= 10_000
    pass(4000)
    expect(clock.now()).toBe(1_004_000)
    sources.wall += 10_000
    expect(clock.now()).toBe(1_004_000)
    sources.wall += 7
    expect(clock.now()).toBe(1_004_007)
  })

  test('is followed if it is only a little behind, so that two clocks of different speeds do not part', () => {
    const { clock, sources } = handSet()
    clock.now()
    for (let hour = 0; hour < 100; hour += 1) {
      sources.wall += 3_600_000 - 180
      sources.monotonic += 3_600_000
      expect(clock.now()).toBe(sources.wall)
    }
  })
})

test('a wall clock that is set forward sets the time forward (CLOCK-2)', () => {
  const { clock, sources, pass } = handSet()
  clock.now()
  sources.wall += 3_600_000
  expect(clock.now()).toBe(4_600_000)
  pass(1)
  expect(clock.now()).toBe(4_600_001)
})

describe('a timer', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test('rings after the time that was left, though the wall clock was set back meanwhile', () => {
    const { clock, sources, pass } = handSet()
    const ring = vi.fn()
    clock.at(clock.now() + 60_000, ring)
    sources.wall -= 3_600_000
    pass(60_000)
    vi.advanceTimersByTime(60_000)
    expect(ring).toHaveBeenCalledOnce()
    expect(clock.now()).toBe(1_060_000)
  })

  test('is not shortened when the wall clock is set forward', () => {
    const { clock, sources } = handSet()
    const ring = vi.fn()
    clock.at(clock.now() + 60_000, ring)
    sources.wall += 3_600_000
    vi.advanceTimersByTime(59_999)
    expect(ring).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(ring).toHaveBeenCalledOnce()
  })

  test('can be further away than the timers of the platform reach', () => {
    const { clock, pass } = handSet()
    const ring = vi.fn()
    const far = 2 ** 31 + 5000
    clock.at(clock.now() + far, ring)
    pass(2 ** 31 - 1)
    vi.advanceTimersByTime(2 ** 31 - 1)
    expect(ring).not.toHaveBeenCalled()
    vi.advanceTimersByTime(5001)
    expect(ring).toHaveBeenCalledOnce()
  })
})
