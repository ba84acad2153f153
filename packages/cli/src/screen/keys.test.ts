import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decode, flush, type Key, nothingTyped } from './keys.ts'

/** What keys come to, by their names and texts. */
const words = (keys: readonly Key[]): readonly string[] => keys.map((key) => (key.kind === 'key' ? key.name : `${key.kind}:${key.text}`))

function keysOf(...chunks: readonly string[]): readonly string[] {
  let decoding = nothingTyped
  const found: Key[] = []
  for (const chunk of chunks) {
    const [keys, next] = decode(decoding, chunk)
    found.push(...keys)
    decoding = next
  }
  return words([...found, ...flush(decoding)[0]])
}

test.each([
  ['text, and the keys that end it', 'hello\r', ['text:hello', 'enter']],
  ['control keys', '\u0003\u0004\t\u007f\n', ['ctrl-c', 'ctrl-d', 'tab', 'backspace', 'ctrl-j']],
  ['arrows, in both of their forms', '\u001b[A\u001bOB\u001b[1;5C', ['up', 'down', 'ctrl-right']],
  ['keys with a number', '\u001b[3~\u001b[5~\u001b[Z', ['delete', 'page-up', 'shift-tab']],
  ['Alt and a key', '\u001b\r\u001bb\u001b\u007f', ['alt-enter', 'alt-b', 'alt-backspace']],
  ['Shift and Enter, where a terminal reports it', '\u001b[13;2u\u001b[27;2;13~', ['shift-enter', 'shift-enter']],
  ['Escape alone, and twice', '\u001b\u001b', ['escape', 'escape']],
  ['the report of a mouse, which is no key', '\u001b[<0;10;20Mx', ['text:x']],
  ['signs of several characters', '日本👍🏽', ['text:日本👍🏽']],
])('%s', (_, text, expected) => {
  expect(keysOf(text)).toEqual(expected)
})

test('a paste is one key, with the line breaks and the sequences that are in it', () => {
  expect(keysOf('a\u001b[200~one\rtwo\u001b[A\u0003\u001b[201~b')).toEqual(['text:a', 'paste:one\rtwo\u001b[A\u0003', 'text:b'])
})

test('keys are the same, wherever what a terminal sends is cut', () => {
  const whole = 'ab\u001b[A\u001b[200~pasted\u001b[31m text\u001b[201~\u001b[1;5Cc\r\u001b[13;2u'
  const pieces = (cuts: readonly number[]): readonly string[] => {
    const places = [...new Set(cuts.map((cut) => cut % whole.length))].toSorted((a, b) => a - b)
    return [0, ...places].map((from, at) => whole.slice(from, places[at] ?? whole.length))
  }
  const joined = (found: readonly string[]): string => found.join('|').replaceAll('|text:', '')
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length - 1), { maxLength: 6 }), (cuts) => {
      expect(joined(keysOf(...pieces(cuts)))).toBe(joined(keysOf(whole)))
    }),
  )
})

test('whatever comes, something that is no end is not waited for without a bound', () => {
  const [keys, { rest }] = decode(nothingTyped, `\u001b[${'1;'.repeat(100)}`)
  expect(rest.length).toBeLessThanOrEqual(64)
  expect(keys.length).toBeGreaterThan(0)
})
