import fc from 'fast-check'
import { expect, test } from 'vitest'
import { styleOf } from '../output/style.ts'
import { widthOf } from '../output/width.ts'
import { cutLine, type Line, lineBytes, lineWidth, wrapLine, wrapText } from './line.ts'

const span = fc.tuple(fc.string({ unit: 'binary' }), fc.constantFrom('bold', 'red', undefined))
const anyLine = fc.array(span, { maxLength: 4 }).map((spans): Line => spans.map(([text, look]) => (look === undefined ? [text] : [text, look])))

test('whatever is in a line, only its looks reach the terminal as sequences (SCREEN-1)', () => {
  const style = styleOf({ hasColour: true })
  const looks = ['\u001b[1m', '\u001b[22m', '\u001b[31m', '\u001b[39m']
  fc.assert(
    fc.property(anyLine, (line) => {
      const rest = looks.reduce((bytes, look) => bytes.replaceAll(look, ''), lineBytes(line, style))
      expect(rest).not.toMatch(/(?!\ufe0f)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u)
    }),
  )
})

const words = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '日', '👍🏽', 'é'), maxLength: 120 })

test('rows of a text hold all of it but the spaces between them, and none is too wide', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 2, max: 40 }), (text, width) => {
      const rows = wrapText(text, width)
      expect(rows.every((row) => widthOf(row.text) <= width)).toBe(true)
      expect(
        rows
          .map((row) => row.text)
          .join('')
          .replaceAll(' ', ''),
      ).toBe(text.replaceAll(' ', ''))
      expect(rows.at(-1)?.end).toBe(text.length)
    }),
  )
})

test('rows of a line keep its looks, its text, and its width, indented or not', () => {
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 3 }), fc.integer({ min: 6, max: 40 }), fc.constantFrom(0, 2), (texts, width, indent) => {
      const given: Line = texts.map((text, at) => (at % 2 === 0 ? [text, 'bold'] : [text]))
      const rows = wrapLine(given, width, indent)
      expect(rows.every((row) => lineWidth(row) <= width)).toBe(true)
      const bold = (lines: readonly Line[]): string =>
        lines
          .flatMap((row) => row.filter(([, look]) => look === 'bold').map(([text]) => text))
          .join('')
          .replaceAll(' ', '')
      expect(bold(rows)).toBe(bold([given]))
      expect(lineWidth(cutLine(given, width))).toBeLessThanOrEqual(width)
    }),
  )
})

test('words stay whole where there is room', () => {
  expect(wrapText('one two three', 9).map((row) => row.text)).toEqual(['one two', 'three'])
  expect(wrapText('abcdefghij', 4).map((row) => row.text)).toEqual(['abcd', 'efgh', 'ij'])
})
