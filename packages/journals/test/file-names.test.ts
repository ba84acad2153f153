/** Every name has its own file name. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fileNameOf } from '../src/file/file-name.ts'

const odd = [
  '',
  '.',
  '..',
  '../a',
  'a/b',
  'a\\b',
  'a:b',
  'a b',
  'a.',
  ' a',
  'con',
  'CON',
  'nul',
  'com1',
  'LPT9',
  'aux.txt',
  'A',
  'a',
  '%',
  '%41',
  '~',
  'x\0y',
]
const alike = ['é', 'e\u0301', '\ud83e', '\uddf5', '🧵', 'ı', 'İ', 'ß', 'ẞ', 'ſ', 'ﬁ', '線程', '%u7dda']
const long = ['x'.repeat(140), 'x'.repeat(141), 'x'.repeat(200), `${'x'.repeat(199)}y`, 'X'.repeat(60), '🧵'.repeat(100), `${'🧵'.repeat(99)}🧶`]

test('odd names, names that look alike and long names have different file names, also where case does not count', () => {
  const names = [...odd, ...alike, ...long].map(fileNameOf)
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
})

test('plain names stay readable', () => {
  expect(fileNameOf('user-123_b')).toBe('user-123_b')
  expect(fileNameOf('Team/7')).toBe('%54eam%2f7')
})

test('every file name is safe and short', () => {
  const strings = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 300 }), fc.constantFrom(...odd, ...alike, ...long))
  fc.assert(
    fc.property(strings, (name) => {
      expect(fileNameOf(name)).toMatch(/^[a-z0-9_%~-]{1,140}$/)
      expect(fileNameOf(name)).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)$/)
    }),
    { numRuns: 2000 },
  )
})

test('different names have different file names', () => {
  // Halves of surrogate pairs are names too.
  const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 }).map((codes) => String.fromCharCode(...codes))
  const few = fc.string({ unit: fc.constantFrom('a', 'A', '%', '4', '1', 'u', '~', 'é'), maxLength: 5 })
  fc.assert(
    fc.property(fc.oneof(units, few), fc.oneof(units, few), (a, b) => (a === b) === (fileNameOf(a) === fileNameOf(b))),
    { numRuns: 5000 },
  )
})
