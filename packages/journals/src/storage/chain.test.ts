import { createHash } from 'node:crypto'
import { encodeBatch } from '@loom-agent/kernel'
import { expect, test } from 'vitest'
import { blobHash, chainLink, chainStart, idOf } from './chain.ts'

test('a link depends on every line before it, on their order and on the thread', () => {
  const hashOf = (thread: string, ...lines: readonly string[]): string => lines.reduce(chainLink, chainStart(thread))
  const hashes = [hashOf('a', '1', '2'), hashOf('a', '2', '1'), hashOf('a', '2'), hashOf('a', '12'), hashOf('b', '1', '2'), hashOf('a', '1', '2', '')]
  expect(new Set(hashes).size).toBe(hashes.length)
  expect(hashOf('a', '1', '2')).toBe(hashOf('a', '1', '2'))
})

test('a link is SHA-256 over the hash before and the line, so that others can check it', () => {
  const start = createHash('sha256').update('loom:thread').digest('hex')
  expect(chainStart('thread')).toBe(start)
  expect(chainLink(start, '{"é":1}')).toBe(createHash('sha256').update(`${start}\n{"é":1}`).digest('hex'))
  expect(blobHash(Uint8Array.of(1, 2))).toBe(createHash('sha256').update(Uint8Array.of(1, 2)).digest('hex'))
})

test.each(['1.17', '', 'a"b\\c', '\ud800', '線\n', crypto.randomUUID()])('the id %j is found in its line', (id) => {
  expect(idOf(encodeBatch({ id, incarnation: 'first', expected: 0, time: 1, events: [], summary: { status: 'idle' } }))).toBe(id)
})

test.each(['', '{}', '{"time":1,"id":"a"}', '{"id":"a', 'null'])('%j holds no id', (line) => {
  expect(idOf(line)).toBeUndefined()
})
