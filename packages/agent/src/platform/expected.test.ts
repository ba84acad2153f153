import { describe, expect, test } from 'vitest'
import { expected } from './expected.ts'
import { checkModelOptions, checkOptions, checkToolOptions } from './options.ts'

const secret = 'sk-secret'
const kinds = {
  function: expected.function,
  text: expected.text,
  flag: expected.flag,
  number: expected.number(),
  list: expected.list(expected.text, 'a list of texts'),
  'clock or function': expected.either(expected.clock, expected.function),
}

describe.each(Object.entries(kinds))('an object where a %s is expected (OPTION-3)', (_, kind) => {
  const values: readonly unknown[] = [{ OPENAI_API_KEY: secret }, { inner: { key: secret } }, [{ key: secret }], new Map([['key', secret]])]

  test.each([checkOptions, checkToolOptions, checkModelOptions])('is refused without any of its values', (check) => {
    for (const value of values) {
      expect(() => check('it', { env: value }, { env: kind })).toThrow(/it: env(?:\[0\])? is /)
      expect(() => check('it', { env: value }, { env: kind })).not.toThrow(secret)
    }
    expect(() => check('it', { env: values[0] }, { env: kind })).toThrow('it: env is {OPENAI_API_KEY}. Give')
  })
})

test('a list where options are expected is refused without the values of its objects (OPTION-3)', () => {
  expect(() => checkOptions('it', [{ key: secret }, 4], { env: expected.function })).toThrow('it takes an object of options, not a list of 2.')
})
