import { isDeepStrictEqual } from 'node:util'
import { type Batch, encodeBatch, type Json } from '@loom-agent/kernel'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blobHash } from './chain.ts'
import { blobsOf, longestText, offloadBlobs, restoreTexts, type StoredLine, textsOf } from './offload-blobs.ts'

const batchOf = (...values: readonly Json[]): Batch => ({
  id: '1.1',
  incarnation: 'first',
  expected: 0,
  time: 1,
  events: values.map((value) => ({ type: 'memory.recorded', data: { key: 'k', value } })),
  summary: { status: 'idle' },
})

const big = 'x'.repeat(longestText + 1)
const restored = ({ line, blobs }: StoredLine): string => restoreTexts(line, (hash) => blobs.get(hash))

describe('big texts', () => {
  test('a small line is stored as it is', () => {
    const batch = batchOf('small', 'x'.repeat(1000))
    expect(offloadBlobs(batch)).toEqual({ line: encodeBatch(batch), blobs: new Map() })
    expect(blobsOf(encodeBatch(batch))).toEqual([])
  })

  test('a text leaves the line when it is longer than the limit, and not before', () => {
    expect(offloadBlobs(batchOf('x'.repeat(longestText))).blobs.size).toBe(0)
    const stored = offloadBlobs(batchOf(big, 'beside'))
    expect([...stored.blobs.keys()]).toEqual([blobHash(new TextEncoder().encode(big))])
    expect(stored.line.length).toBeLessThan(300)
    expect(textsOf(stored.line)).toEqual([...stored.blobs.keys()])
  })

  test('the same text twice is one blob', () => {
    const batch = batchOf(big, { deep: [big] })
    const stored = offloadBlobs(batch)
    expect(stored.blobs.size).toBe(1)
    expect(restored(stored)).toBe(encodeBatch(batch))
  })

  test('texts of every script come back as they went in', () => {
    const batch = batchOf('\ufeffé🧵線\0\u2028"\\'.repeat(20_000))
    const stored = offloadBlobs(batch)
    expect(stored.blobs.size).toBe(1)
    expect(restored(stored) === encodeBatch(batch)).toBe(true)
  })

  test('a text with half a surrogate pair stays in the line, because UTF-8 cannot encode it', () => {
    const batch = batchOf(`${big}\ud800`)
    const stored = offloadBlobs(batch)
    expect(stored.blobs.size).toBe(0)
    expect(restored(stored) === encodeBatch(batch)).toBe(true)
  })

  test('a long batch of small texts has no big text', () => {
    const batch = batchOf(...Array.from({ length: 2000 }, (_, number) => `value ${number} ${'y'.repeat(60)}`))
    expect(offloadBlobs(batch)).toEqual({ line: encodeBatch(batch), blobs: new Map() })
  })

  test('a missing blob is named', () => {
    const { line, blobs } = offloadBlobs(batchOf(big))
    expect(() => restoreTexts(line, () => undefined)).toThrow([...blobs.keys()][0])
  })

  test('blobs that came with the batch are listed, copied, and no text', () => {
    const bytes = Uint8Array.of(1, 2)
    const stored = offloadBlobs({ ...batchOf('small', big), blobs: new Map([['given', bytes]]) })
    bytes[0] = 9
    expect(stored.blobs.get('given')).toEqual(Uint8Array.of(1, 2))
    expect(blobsOf(stored.line)).toEqual([...stored.blobs.keys()])
    expect(textsOf(stored.line)).not.toContain('given')
    expect(restored(stored)).toBe(encodeBatch(batchOf('small', big)))
  })
})

test('a blob under the SHA-256 of other bytes is refused', () => {
  const bytes = Uint8Array.of(1, 2)
  const named = (name: string): Batch => ({ ...batchOf('small'), blobs: new Map([[name, bytes]]) })
  expect(() => offloadBlobs(named(blobHash(Uint8Array.of(3))))).toThrow(`its SHA-256 is ${blobHash(bytes)}. Name it by its SHA-256`)
  expect(offloadBlobs(named(blobHash(bytes))).blobs.size).toBe(1)
})

describe('what looks like a reference', () => {
  test.each([
    [{ $blob: 'x' }],
    [{ $$blob: 'x' }],
    [{ $blob: { $blob: 'x' } }],
    [{ $blob: big }],
    [{ $$$blob: [{ $blob: 1 }] }],
    [{ $blob: 'x', bytes: 3 }],
    ['$blob":'],
    [JSON.parse(`{"__proto__":{"$blob":"${big}"}}`) as Json],
  ] as readonly [Json][])('case %# comes back as it went in', (value) => {
    const batch = batchOf(value, 'beside')
    const stored = offloadBlobs(batch)
    expect(restored(stored) === encodeBatch(batch)).toBe(true)
    expect(textsOf(stored.line)).toEqual([...stored.blobs.keys()])
  })

  test('every value comes back as it went in', () => {
    const key = fc.oneof(fc.constantFrom('$blob', '$$blob', 'blob', '$sealed', '__proto__'), fc.string())
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('$blob', '{"$blob":"x"}'),
      fc.string({ minLength: 1, maxLength: 3 }).map((part) => part.repeat(longestText)),
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
        const batch = batchOf(given)
        const stored = offloadBlobs(batch)
        expect(restored(stored) === encodeBatch(batch)).toBe(true)
        expect(isDeepStrictEqual(new Set(blobsOf(stored.line)), new Set(stored.blobs.keys()))).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

describe('lines of version 1', () => {
  const line = (value: unknown): string => JSON.stringify({ id: '1.1', time: 1, events: [['memory.recorded', { key: 'k', value }]] })

  test.each([
    ['a marked text', { $blob: 'h' }, 'the text'],
    ['an escaped mark', { $$blob: 'h' }, { $blob: 'h' }],
    ['an escaped mark around a text', { $$blob: { $blob: 'h' } }, { $blob: 'the text' }],
    ['a reference of the kernel', { $blob: 'h', bytes: 3 }, { $blob: 'h', bytes: 3 }],
  ])('%s is read as its writer meant it', (_what, stored, meant) => {
    expect(restoreTexts(line(stored), () => new TextEncoder().encode('the text'))).toBe(line(meant))
  })

  test('their blobs are found', () => {
    expect(blobsOf(line([{ $blob: 'a' }, { $$blob: 'b' }, { $blob: 'c', bytes: 1 }]))).toEqual(['a'])
  })
})
