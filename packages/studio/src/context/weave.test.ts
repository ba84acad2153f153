import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countsIn, rowsIn, stateIn, states, strandsOf, turnAt, turnsPerWarp, warpPath } from './weave.ts'

const row = {
  ...{ from: 1, to: 2, seq: 7, text: 'policy' },
  turns: [
    { from: 2, to: 4, as: 'in' },
    { from: 5, to: 5, as: 'trimmed' },
    { from: 6, to: 9, as: 'summary' },
  ],
} as const

describe('a row of the weave', () => {
  test('is one strand for each range of turns, each state with a height of its own', () => {
    const strands = strandsOf(row)
    expect(strands.map(({ x, width, as }) => [x, width, as])).toEqual([
      [1, 3, 'in'],
      [4, 1, 'trimmed'],
      [5, 4, 'summary'],
    ])
    const heights = (['in', 'trimmed', 'summary', 'dropped'] as const).map((as) => strandsOf({ turns: [{ from: 1, to: 1, as }] })[0]?.height)
    expect(new Set(heights).size).toBe(4)
  })

  test('is not there before its first turn', () => {
    expect([1, 2, 5, 9].map((turn) => stateIn(row, turn))).toEqual(['later', 'in', 'trimmed', 'summary'])
  })

  test('covers every turn from its first one on, and no other', () => {
    const covered = strandsOf(row).flatMap(({ x, width }) => Array.from({ length: width }, (_, index) => x + index + 1))
    expect(covered).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
  })
})

describe('rows in a turn', () => {
  test('are counted by entries, and filtered by state', () => {
    const start = { from: 0, to: 0, seq: 2, text: 'start', turns: [{ from: 1, to: 9, as: 'in' }] } as const
    expect(countsIn([start, row], 7)).toEqual({ in: 1, trimmed: 0, summary: 2, dropped: 0, absent: 0, later: 0 })
    expect(rowsIn([start, row], 7, 'summary')).toEqual([row])
    expect(rowsIn([start, row], 7, undefined)).toHaveLength(2)
    const counted = states.map((state) => rowsIn([start, row], 1, state).length)
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(2)
  })
})

describe('the warp', () => {
  test('is as large for ten thousand turns as for sixty', () => {
    expect(warpPath(10_000, { row: 0, over: true }).length).toBeLessThan(1_000)
    expect(turnsPerWarp(20)).toBe(1)
  })

  test('passes over and under by turns, from line to line and from row to row', () => {
    expect(warpPath(4, { row: 0, over: true })).toBe(warpPath(4, { row: 1, over: false }))
    expect(warpPath(4, { row: 0, over: true })).not.toBe(warpPath(4, { row: 0, over: false }))
  })
})

test('a place along the weave is a turn that there is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), fc.double({ min: -0.1, max: 1.1, noNaN: true }), (turns, share) => {
      const turn = turnAt(share, turns)
      expect(turn >= 1 && turn <= turns).toBe(true)
    }),
  )
  expect([0, 0.49, 0.5, 1].map((share) => turnAt(share, 2))).toEqual([1, 1, 2, 2])
})
