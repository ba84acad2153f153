import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from './normalize.ts'

/** Whether a value is what it was when it is written and read again. */
const stays = (value: unknown): void => {
  expect(JSON.parse(JSON.stringify(value))).toStrictEqual(value)
}

describe('a JSON text as a value', () => {
  test.each([
    '-0',
    ' -0.0',
    '[-0]',
    '[1,-0e5]',
    '{"a":-0}',
    '{"a": -1e-999}',
    '1e999',
    '[-1E+999]',
    '{"a":[0,\n1e400]}',
    '9'.repeat(400),
    '[-0.000]',
  ])('%s stays what it is when it is written again', (text) => stays(parseJson(text)))

  test('is what JSON.parse makes of it, whatever stands in its texts', () => {
    const text = '{"a":"1e999, -0 and :-0","b":[1.5e3,-0.5,0,-7,12345678901234567890]}'
    expect(parseJson(text)).toStrictEqual(JSON.parse(text))
  })

  test('stays what it is, for any text', () => {
    const number = fc.stringMatching(/^-?(0|[1-9]\d{0,3})(\.\d{1,4})?([eE][+-]?\d{1,3})?$/)
    const space = fc.stringMatching(/^[ \n\t]{0,2}$/)
    const numbers = fc.array(fc.tuple(space, number).map(([blank, digits]) => blank + digits)).map((items) => `[${items.join(',')}]`)
    fc.assert(fc.property(fc.oneof(fc.json(), number, numbers), (text) => stays(parseJson(text))))
  })
})
