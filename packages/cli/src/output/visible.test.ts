import fc from 'fast-check'
import { expect, test } from 'vitest'
import { visible, visibleLine } from './visible.ts'

test('no text keeps a control, an invisible character or one that turns a line around (TERMINAL-1)', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(visible(text)).not.toMatch(/(?!\n|\t|\ufe0f)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u)
      expect(visibleLine(text)).not.toMatch(/[\n\t]/)
    }),
  )
})

test('what people write stays as it is', () => {
  const texts = ['line\n\tline', '日本語', 'Ünïcödé', '❤️ 👍🏽', 'שלום']
  expect(texts.map(visible)).toEqual(texts)
})

test('a command cannot hide its end from who approves it', () => {
  expect(visible('ls\r rm -rf ~')).toBe('ls<U+000D> rm -rf ~')
  expect(visible('a\u202eb\u200bc\u001b[8md\u{e0041}')).toBe('a<U+202E>b<U+200B>c<U+001B>[8md<U+E0041>')
})
