/** Texts and digests of JSON depend on what it says, and on nothing else. */
import { canonicalJson, freshDigest, type Json, rollJson } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'

/** Values that say the same, written in different ways. */
const same: readonly (readonly [string, Json, Json])[] = [
  ['keys in another order', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
  ['a key without a value', { a: 1, b: undefined }, { a: 1 }],
  ['a key without a value, deep in a list', [{ a: [{ b: undefined }] }], [{ a: [{}] }]],
  ['the first key without a value', { a: undefined, b: 1 }, { b: 1 }],
]
/** Values that do not. */
const different: readonly (readonly [string, Json, Json])[] = [
  ['a number and its text', { a: 1 }, { a: '1' }],
  ['null and nothing', { a: null }, {}],
  ['an order of items', [1, 2], [2, 1]],
  ['one list and two', [['a', 'b']], [['a'], ['b']]],
  ['an empty list and an empty object', [], {}],
  ['a key and a value', { a: 'b' }, { b: 'a' }],
  ['nothing and the word for it', [null], ['null']],
  ['what is in an object and what is beside it', { a: { b: 1 }, c: 2 }, { a: { b: 1, c: 2 } }],
  ['what is in a list and what is beside it', [['a'], 'b'], [['a', 'b']]],
  ['a list and its brackets as texts', [[]], ['[']],
]

describe.each([
  ['canonicalJson', canonicalJson],
  ['rollJson', (value: Json) => rollJson(freshDigest, value)],
] as const)('%s', (_, render) => {
  test.each(same)('is the same for %s', (_, a, b) => {
    expect(render(a)).toBe(render(b))
  })

  test.each(different)('distinguishes %s', (_, a, b) => {
    expect(render(a)).not.toBe(render(b))
  })
})

test('canonical JSON is JSON', () => {
  const value: Json = { b: [1, 'two', null, { z: true, y: false }], a: '"quoted"' }
  expect(canonicalJson(value)).toBe('{"a":"\\"quoted\\"","b":[1,"two",null,{"y":false,"z":true}]}')
  expect(JSON.parse(canonicalJson(value))).toEqual(value)
})
