import fc from 'fast-check'
import { expect, test } from 'vitest'
import { widthOf } from '../output/width.ts'
import { afterSending, type Editor, editBy, emptyEditor, insert, insertPaste, textOf, withText } from './editor.ts'
import { layOut } from './editor-rows.ts'

const press = (editor: Editor, ...names: readonly string[]): Editor => names.reduce((now, name) => editBy(now, name) ?? now, editor)
const written = (text: string): Editor => insert(emptyEditor, text)

test('a sign of several characters is one step and one deletion', () => {
  const editor = written('a👍🏽é日')
  expect(press(editor, 'backspace', 'backspace').text).toBe('a👍🏽')
  expect(press(editor, 'left', 'left', 'left', 'delete').text).toBe('aé日')
})

test('words and lines are deleted and walked over', () => {
  const editor = written('one two\nthree four')
  expect(press(editor, 'ctrl-w').text).toBe('one two\nthree ')
  expect(press(editor, 'ctrl-u').text).toBe('one two\n')
  expect(press(editor, 'ctrl-a', 'ctrl-k').text).toBe('one two\n')
  expect(insert(press(editor, 'up', 'home'), '>').text).toBe('>one two\nthree four')
  expect(insert(press(editor, 'alt-b', 'alt-b'), '>').text).toBe('one two\n>three four')
})

test('what was sent can be had back, and what was being written after it', () => {
  const second = insert(afterSending(insert(afterSending(written('first')), 'second')), 'draft')
  expect(press(second, 'up').text).toBe('second')
  expect(press(second, 'up', 'up', 'up').text).toBe('first')
  expect(press(second, 'up', 'up', 'down', 'down').text).toBe('draft')
})

test('a short paste is text; a long one is named, sent whole, and deleted at once', () => {
  expect(insertPaste(emptyEditor, 'one\r\ntwo').text).toBe('one\ntwo')
  const long = 'x'.repeat(100_000)
  const editor = insert(insertPaste(written('see '), long), ' and say')
  expect(editor.text).toBe('see [paste 1: 100,000 characters] and say')
  expect(textOf(editor)).toBe(`see ${long} and say`)
  expect(press(insertPaste(written('see '), long), 'backspace').text).toBe('see ')
  expect(textOf(insertPaste(written('$& '), '$1'.repeat(1_000)))).toBe(`$& ${'$1'.repeat(1_000)}`)
})

test('rows hold all of the text, fit the width, and the cursor is where the text before it ends', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '日', '👍🏽', '\u202e', 'é') })
  const shownOf = (given: string): string => given.replaceAll('\n', '').replaceAll('\u202e', '<U+202E>')
  fc.assert(
    fc.property(text, fc.integer({ min: 8, max: 30 }), fc.nat(100), (given, width, place) => {
      const all = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(given)].map(({ index }) => index)
      const cursor = [...all, given.length][place % (all.length + 1)] ?? 0
      const { rows, row, column } = layOut({ ...withText(emptyEditor, given), cursor }, width, 10_000)
      expect(rows.every((one) => widthOf(one) <= width)).toBe(true)
      expect(rows.join('')).toBe(shownOf(given))
      const before = shownOf(given.slice(0, cursor))
      const above = rows.slice(0, row).join('')
      expect(before.startsWith(above)).toBe(true)
      expect(column).toBe(widthOf(before.slice(above.length)))
    }),
  )
})

test('of a long text only the rows around the cursor are shown', () => {
  const editor = withText(emptyEditor, Array.from({ length: 50 }, (_, at) => `line ${at}`).join('\n'))
  expect(layOut(editor, 20, 3)).toEqual({ rows: ['line 47', 'line 48', 'line 49'], row: 2, column: 7 })
  expect(layOut({ ...editor, cursor: 0 }, 20, 3)).toEqual({ rows: ['line 0', 'line 1', 'line 2'], row: 0, column: 0 })
})
