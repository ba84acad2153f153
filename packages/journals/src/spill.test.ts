import { isDeepStrictEqual } from 'node:util'
import { encodeBatch, type Json } from '@loom-agent/kernel'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blobHash } from './chain.ts'
import { spill, spilledIn, spillLimit, unspill } from './spill.ts'

const lineOf = (...values: readonly Json[]): string =>
  encodeBatch({
    id: '1.1',
    expected: 0,
    time: 1,
    events: values.map((value) => ({ type: 'memory.recorded', data: { key: 'k', value } })),
    summary: { status: 'idle' },
  })

const big = 'x'.repeat(spillLimit + 1)
const there = (spilled: ReturnType<typeof spill>): string => unspill(spilled.line, (hash) => spilled.blobs.get(hash))

describe('big texts', () => {
  test('a small line is kept as it is', () => {
    const line = lineOf('small', 'x'.repeat(1000))
    expect(spill(line)).toEqual({ line, blobs: new Map() })
    expect(spilledIn(line)).toEqual([])
  })

  test('a text leaves the line when it is longer than the limit, and not before', () => {
    const limit = spill(lineOf('x'.repeat(spillLimit)))
    expect(limit.blobs.size).toBe(0)
    const over = spill(lineOf(big, 'beside'))
    expect([...over.blobs.keys()]).toEqual([blobHash(new TextEncoder().encode(big))])
    expect(over.line.length).toBeLessThan(250)
    expect(spilledIn(over.line)).toEqual([...over.blobs.keys()])
  })

  test('the same text twice is one blob', () => {
    const spilled = spill(lineOf(big, { deep: [big] }))
    expect(spilled.blobs.size).toBe(1)
    expect(there(spilled)).toBe(lineOf(big, { deep: [big] }))
  })

  test('texts of every script come back as they went in', () => {
    const text = '\ufeffé🧵線\0\u2028"\\'.repeat(20_000)
    const spilled = spill(lineOf(text))
    expect(spilled.blobs.size).toBe(1)
    expect(there(spilled) === lineOf(text)).toBe(true)
  })

  test('a text with half a surrogate pair stays in the line, because UTF-8 has no place for it', () => {
    const text = `${big}\ud800`
    const spilled = spill(lineOf(text))
    expect(spilled.blobs.size).toBe(0)
    expect(there(spilled) === lineOf(text)).toBe(true)
  })

  test('a long batch of small texts is no big text', () => {
    const values = Array.from({ length: 2000 }, (_, number) => `value ${number} ${'y'.repeat(60)}`)
    expect(spill(lineOf(...values))).toEqual({ line: lineOf(...values), blobs: new Map() })
  })

  test('a missing blob is named', () => {
    const { line, blobs } = spill(lineOf(big))
    expect(() => unspill(line, () => undefined)).toThrow([...blobs.keys()][0])
  })
})

describe('what looks like a reference', () => {
  test.each([
    [{ $blob: 'x' }],
    [{ $$blob: 'x' }],
    [{ $blob: { $blob: 'x' } }],
    [{ $blob: big }],
    [{ $$$blob: [{ $blob: 1 }] }],
    [{ $blob: null }],
    [{ $blob: 'x', bytes: 3 }],
    [{ blob: 'x' }],
    ['$blob":'],
    [JSON.parse('{"__proto__":{"$blob":"x"}}') as Json],
  ] as readonly [Json][])('%j comes back as it went in', (value) => {
    const line = lineOf(value, 'beside')
    const spilled = spill(line)
    expect(there(spilled)).toBe(line)
    for (const hash of spilledIn(spilled.line)) expect(spilled.blobs.has(hash)).toBe(true)
  })

  test('a reference of the kernel, which has two keys, is stored as it is', () => {
    const line = lineOf({ $blob: 'hash', bytes: 3 })
    expect(spill(line)).toEqual({ line, blobs: new Map() })
  })

  test('every value comes back as it went in', () => {
    const key = fc.oneof(fc.constantFrom('$blob', '$$blob', 'blob', '$sealed', '__proto__'), fc.string())
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('$blob', '{"$blob":"x"}'),
      fc.string({ minLength: 1, maxLength: 3 }).map((part) => part.repeat(spillLimit)),
    )
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        text,
        fc.constantFrom(null, true, 0, -1.5),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries) as Json),
      ),
    }))
    fc.assert(
      fc.property(value, (given) => {
        const line = lineOf(given)
        const spilled = spill(line)
        expect(there(spilled) === line).toBe(true)
        expect(isDeepStrictEqual(new Set(spilledIn(spilled.line)), new Set(spilled.blobs.keys()))).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
