import { diffFrames } from '@loom-agent/agent'
import { append, emptyList, evolve } from '@loom-agent/kernel'
import { facts, given } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const { started, turn } = facts

describe('the difference of two frames', () => {
  test('is nothing between a frame and itself, or its copy', () => {
    const { frame } = given(...started(), turn(1))
    expect(diffFrames(frame, frame)).toEqual([])
    expect(diffFrames(frame, structuredClone(frame))).toEqual([])
  })

  test('names every place by its path, before and after', () => {
    const before = given(...started()).frame
    const after = evolve(before, { v: 1, type: 'turn.entered', thread: 't', seq: 4, time: 4, run: 'r1', turn: 1, data: { turn: 1 } })
    expect(diffFrames(before, after)).toEqual([
      { path: 'seq', before: 3, after: 4 },
      { path: 'time', before: 3, after: 4 },
      { path: 'turn', before: 0, after: 1 },
      { path: 'run.phase', before: 'enter', after: 'context' },
    ])
  })

  test('sees what was added, what was taken away and what changed its kind', () => {
    expect(diffFrames({ a: 1, b: { c: 2 } }, { b: 3, d: null })).toEqual([
      { path: 'a', before: 1, after: undefined },
      { path: 'b', before: { c: 2 }, after: 3 },
      { path: 'd', before: undefined, after: null },
    ])
    expect(diffFrames([1, 2], [1])).toEqual([{ path: '1', before: 2, after: undefined }])
    expect(diffFrames(0, -0)).toEqual([{ path: '', before: 0, after: -0 }])
    expect(diffFrames(Number.NaN, Number.NaN)).toEqual([])
  })

  test('does not look at what the two share', () => {
    let reads = 0
    const shared = {
      get inside() {
        reads += 1
        return 1
      },
    }
    expect(diffFrames({ shared, n: 1 }, { shared, n: 2 })).toHaveLength(1)
    expect(reads).toBe(0)
  })

  test('of a long history and the next turn is small and found without looking through it', () => {
    let history = emptyList<object>()
    for (let n = 0; n < 10_000; n += 1) history = append(history, { n })
    const places = diffFrames({ history }, { history: append(history, { n: -1 }) }).map(({ path }) => path)
    expect(places[0]).toBe('history.length')
    expect(places.length).toBeLessThan(5)
  })

  test('applied to the frame before gives the frame after', () => {
    const json = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(fc.integer(), fc.dictionary(fc.constantFrom('x', 'y'), fc.boolean())))
    fc.assert(
      fc.property(json, json, (before, after) => {
        const patched: Record<string, unknown> = structuredClone(before)
        for (const { path, after: value } of diffFrames(before, after)) {
          const keys = path.split('.')
          const last = keys.pop() ?? ''
          let place = patched
          for (const key of keys) place = place[key] as Record<string, unknown>
          if (value === undefined) delete place[last]
          else place[last] = value
        }
        expect(patched).toEqual(after)
      }),
    )
  })
})
