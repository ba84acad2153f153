import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compressedAxis, type Stretch } from '../../axis/compressed-axis.ts'
import { gapsOf, roundStep, ticksOf } from './ticks.ts'

const minute = 60_000

describe('the axis of time', () => {
  const stretches = fc.array(
    fc.tuple(fc.nat(1e7), fc.nat(1e5)).map(([from, long]): Stretch => [from, from + long]),
    { minLength: 1, maxLength: 30 },
  )

  test('puts what was later not further left, and finds again what it has placed where something happens', () => {
    fc.assert(
      fc.property(stretches, fc.nat(1e7), fc.nat(1e7), (busy, a, b) => {
        const axis = compressedAxis(busy, 11_000_000)
        expect(axis.place(Math.min(a, b))).toBeLessThanOrEqual(axis.place(Math.max(a, b)))
        for (const [from, to] of busy) for (const time of [from, to]) expect(axis.time(axis.place(time))).toBeCloseTo(time, 3)
      }),
    )
  })

  test('makes hours in which nothing happened short, and says how long they were', () => {
    const axis = compressedAxis(
      [
        [0, 4_000],
        [192 * minute, 192 * minute + 4_000],
      ],
      192 * minute + 4_000,
    )
    expect(axis.length).toBeLessThan(9_000)
    const gaps = gapsOf(axis, { from: 0, to: axis.length }, 1_000)
    expect(gaps.map(({ label }) => label)).toEqual(['3.2 h'])
    expect(gaps[0]?.width).toBeLessThan(60)
    const labels = ticksOf(axis, { from: 0, to: axis.length }, { width: 1_000, apart: 100 }).map(({ label }) => label)
    expect(labels).toEqual(['0 ms', '1 s', '2 s', '3 s', '4 s', '+1 s', '+2 s', '+3 s', '+4 s'])
  })

  test('leaves a thread of many short pauses as it was', () => {
    const busy = Array.from({ length: 50 }, (_, index): Stretch => [index * 1_000, index * 1_000 + 300])
    expect(compressedAxis(busy, 49_300).pieces.every(({ isGap }) => !isGap)).toBe(true)
  })
})

test.each([
  [0.2, 1],
  [3, 5],
  [728, 1_000],
  [1_400, 2_000],
  [40_000, 50_000],
  [55_000, minute],
  [7 * minute, 10 * minute],
])('the round step for %s ms is %s ms', (ms, step) => expect(roundStep(ms)).toBe(step))
