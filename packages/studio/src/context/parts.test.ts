import { describe, expect, test } from 'vitest'
import type { ContextPart } from './facts.ts'
import { changesBetween, tokensOf, zonesOf } from './parts.ts'

const part = (entry: number, fate: ContextPart['fate'], tokens: number): ContextPart => ({
  ...{ kind: 'reply', entry, text: `entry ${entry}`, tokens, size: 10 },
  fate,
})
const sent = { as: 'verbatim', message: 1 } as const
const summarised = { as: 'summarised', message: 1 } as const

describe('changes between two requests', () => {
  test('are what came, what went, and what is shown otherwise', () => {
    const before = { parts: [part(0, sent, 10), part(1, sent, 10), part(2, sent, 10), part(3, { as: 'not yet', seq: 9 }, 0)] }
    const after = { parts: [part(0, sent, 10), part(1, summarised, 0), part(2, { as: 'trimmed', message: 2, cuts: [] }, 4), part(3, sent, 10)] }
    expect(changesBetween(before, after).map(({ kind, part: { entry }, before: old, after: now }) => [kind, entry, old, now])).toEqual([
      ['gone', 1, 10, 0],
      ['changed', 2, 10, 4],
      ['added', 3, 0, 10],
    ])
    expect(changesBetween(after, after)).toEqual([])
  })

  test('have parts that are in the first alone', () => {
    expect(changesBetween({ parts: [part(0, sent, 10)] }, { parts: [] })).toMatchObject([{ kind: 'gone', before: 10, after: 0 }])
  })
})

test('zones are shares of all tokens', () => {
  expect(zonesOf({ tokens: { total: 40, by: { system: 10, reply: 30, note: 0 } } })).toEqual([
    { kind: 'system', tokens: 10, share: 0.25 },
    { kind: 'reply', tokens: 30, share: 0.75 },
  ])
})

test('tokens of a row are those of its entries', () => {
  expect(tokensOf({ parts: [part(0, sent, 10), part(1, sent, 10), part(2, summarised, 0)] }, { from: 1, to: 2 })).toEqual([10, 20])
})
