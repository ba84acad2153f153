import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textPattern } from './text-pattern.ts'

const atoms = [
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\w',
  '\\u0061',
  '\\p{L}',
  '\\.',
  '[\\]a-c]',
  '\\x62',
  '[\\s\\S]',
  '\\u{e9}',
  '^',
  '$',
  '\\b',
  '\\B',
]
const pattern = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(...atoms),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => a + b),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => `(${a}|${b})`),
    fc.tuple(tie('any'), fc.constantFrom('*', '+', '?', '{2}', '{0}', '{1,3}', '{2,}', '*?', '+?', '{1,2}?')).map(([a, times]) => `(?:${a})${times}`),
    fc.tuple(fc.constantFrom('(?=', '(?!', '(?:'), tie('any')).map(([open, a]) => `${open}${a})`),
  ),
})).any

/** How many steps it took to ask a pattern of a text. */
function stepsOf(source: string, text: string): number {
  let steps = 0
  textPattern(source)(text, (count) => {
    steps += count
  })
  return steps
}

const slow = [
  '^(a+)+$',
  '^(a|a)*$',
  '(.*)*x',
  '^(a|aa|ab)*$',
  '(a*)*$',
  'a*a*a*a*a*b',
  '(x+x+)+y',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(a?){20}a{20}$',
  '^(?:a?b?)*c',
  '\\s+$',
  'a+$',
  '^(?!(a+)+$)',
  '^(\\w+\\s?)*$',
]

describe('a pattern of a JSON Schema', () => {
  it('has a match where the platform finds one', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '1', '.', ' ', '\n', 'é', '字'), { maxLength: 8 }).map((chars) => chars.join(''))
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 4, maxLength: 8 }), (source, texts) => {
        const asked = textPattern(source)
        for (const each of texts) expect([each, asked(each, () => {})]).toEqual([each, new RegExp(source, 'u').test(each)])
      }),
      { numRuns: 2_000, seed: 12 },
    )
  })

  it('takes characters outside of the first 65,536 as one', () => {
    for (const [source, text] of [
      ['^.$', '😀'],
      ['^\\u{1F600}+$', '😀😀'],
      ['^\\ud83d\\ude00$', '😀'],
      ['^[😀-😂]{2}$', '😀😁'],
      ['^..$', '😀'],
    ] as const)
      expect([source, textPattern(source)(text, () => {})]).toEqual([source, new RegExp(source, 'u').test(text)])
  })

  it.each(slow)('%s is asked in steps that grow with the text alone', (source) => {
    const [short, long] = [1_000, 4_000].map((length) => stepsOf(source, `${'a'.repeat(length)}!`)) as [number, number]
    expect(long).toBeLessThan(4.5 * short)
  })

  it.each([
    ['(', /Invalid regular expression/],
    ['(a)\\1', /refers back/],
    ['(?<x>a)\\k<x>', /refers back/],
    ['(?<=a)b', /looks behind/],
    ['(?<!a)b', /looks behind/],
    ['((((a{50}){50}){50}){50})', /more than 20000 parts/],
    ['((?:){9999}){9999}', /more than 20000 parts/],
    [`${'('.repeat(200)}a${')'.repeat(200)}`, /nested more than 100 deep/],
    ['a'.repeat(20_000), /more than 10000 characters/],
  ])('%s is refused', (source, words) => {
    expect(() => textPattern(source)).toThrow(words)
  })
})
