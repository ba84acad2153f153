import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editableJson, hiddenIn, textParts } from './hidden-characters.ts'

describe('a text in parts', () => {
  test.each([
    ['a line that is turned around', 'rm \u202e/tmp', 'U+202E'],
    ['a space without width', 'pay\u200bpal', 'U+200B'],
    ['a letter of tags', 'ok\u{e0041}', 'U+E0041'],
    ['a space that does not break', 'a\u00a0b', 'U+00A0'],
    ['a filler without a shape', 'a\u3164b', 'U+3164'],
    ['braille without a dot', 'a\u2800b', 'U+2800'],
    ['an escape', 'a\u001b[2Jb', 'U+001B'],
    ['a carriage return', 'rm -rf /\rls', 'U+000D'],
  ])('names %s', (_, text, name) => {
    expect(textParts(text).filter(({ isHidden }) => isHidden)).toEqual([{ text: name, isHidden: true }])
    expect(hiddenIn(text)).toBe(1)
  })

  test('leaves what is seen as it is, also a text that spells a name', () => {
    const text = 'U+202E \\u202e 中文 é ❤️\n\tend'
    expect(textParts(text)).toEqual([{ text, isHidden: false }])
  })

  test('loses no character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const parts = textParts(text)
        expect(parts.filter(({ isHidden }) => isHidden)).toHaveLength(hiddenIn(text))
        const back = parts.map(({ text: part, isHidden }) => (isHidden ? String.fromCodePoint(Number.parseInt(part.slice(2), 16)) : part))
        expect(back.join('')).toBe(text)
      }),
    )
  })
})

test('JSON to be edited shows hidden characters as escapes and is the same value', () => {
  expect(editableJson({ path: '/tmp/\u202etxt' })).toBe('{\n  "path": "/tmp/\\u202etxt"\n}')
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = editableJson(value)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(hiddenIn(text)).toBe(0)
    }),
  )
})
