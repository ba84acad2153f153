import { describe, expect, test } from 'vitest'
import { findSecrets, type TextKind } from './find.ts'
import { formats } from './formats.ts'
import { markedFormats } from './marked-formats.ts'
import { meaningOf } from './names.ts'
import { createReader } from './reader.ts'
import { redactJson, redactText } from './redact.ts'
import { createRedactStream } from './redact-stream.ts'

/** Made here, so that no file holds it. */
const key = ['ghp', 'aB3dE5'.repeat(6)].join('_')
const privateKey = ['-----BEGIN', 'PRIVATE KEY-----\nQUJDREVGR0hJSktMTU5P\nUFFSU1RVVldYWVo=\n-----END', 'PRIVATE KEY-----'].join(' ')

describe('redactText', () => {
  test.each<[string, TextKind, string, string]>([
    ['a key, of which the beginning stays', 'text', `use ${key}.`, 'use ghp_[redacted].'],
    ['a key behind an escaped line end', 'text', `\\n${key}`, '\\nghp_[redacted]'],
    ['a password in an address', 'text', 'redis://:pw7@host/0', 'redis://:[redacted]@host/0'],
    ['a password with a slash in an address', 'text', 'amqp://me:a/b@c@host', 'amqp://me:[redacted]@host'],
    ['a value under a name', 'text', 'DB_PASSWORD=hunter22 x', 'DB_PASSWORD=[redacted] x'],
    ['a word under a name, in an error', 'message', 'password=hunter failed', 'password=[redacted] failed'],
    ['JSON inside JSON', 'message', '{"body":"{\\"clientSecret\\":\\"abcd\\"}"}', '{"body":"{\\"clientSecret\\":\\"[redacted]\\"}"}'],
    ['an element', 'text', '<password>s3cretpw</password>', '<password>[redacted]</password>'],
    ['a header', 'text', 'X-Api-Key: 0a1b2c3d4e5f6a7b', 'X-Api-Key: [redacted]'],
    ['a header with a scheme', 'text', "authorization: 'Token 0a1b2c3d4e'", "authorization: 'Token [redacted]'"],
    ['a command', 'text', 'curl -u ann:pass1word x', 'curl -u ann:[redacted] x'],
    ['a private key', 'text', `a ${privateKey} b`, 'a -----BEGIN PRIVATE KEY-----[redacted] b'],
  ])('redacts %s', (_, kind, text, clean) => {
    expect(redactText(text, { kind })).toBe(clean)
    expect(redactText(clean, { kind })).toBe(clean)
  })

  test.each([
    'password: string',
    'apiKey: process.env.API_KEY',
    'const token = createToken(options)',
    'secret = sha256(text)',
    'the key is: nothing',
    'Basic authentication and Bearer authorization',
    'http://localhost:3000/@scope/package',
    'sha512-a1B2c3D4e5F6a1B2c3D4e5F6a1B2c3D4e5F6a1B2c3D4e5F6',
    'request id req_011CSHoEeqs5C35K2UUqR7Fy42aBcDeF',
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  ])('leaves %s', (text) => {
    for (const kind of ['text', 'message', 'foreign'] as const) expect(redactText(text, { kind })).toBe(text)
  })

  test('takes what looks random for a secret in foreign messages alone', () => {
    const text = `refused ${'aB3dE5gH7jK9mN1pQ2'.repeat(2)}`
    expect(redactText(text)).toBe(text)
    expect(redactText(text, { kind: 'message' })).toBe(text)
    expect(redactText(text, { kind: 'foreign' })).toBe('refused [redacted]')
  })

  test('redacts what stands under the name of a secret in a value, and leaves a value without secrets as it is', () => {
    expect(redactJson({ password: 'abcd', list: [{ api_key: 'word' }], [key]: 1, name: 'Ann' })).toEqual({
      password: '[redacted]',
      list: [{ api_key: '[redacted]' }],
      'ghp_[redacted]': 1,
      name: 'Ann',
    })
    const clean = { name: 'Ann', list: [1, { a: null }] }
    expect(redactJson(clean)).toBe(clean)
  })

  test('knows at least 120 formats, each under one beginning', () => {
    const beginnings = formats.map(([, prefix]) => prefix)
    expect(formats.length + markedFormats.length).toBeGreaterThanOrEqual(120)
    expect(new Set(beginnings).size).toBe(beginnings.length)
  })

  test('knows what a name says', () => {
    expect(['dbPassword', 'X-API-KEY', 'client secret', 'passwordLength', 'secretName', 'tokens', 'algolia_id'].map(meaningOf)).toEqual([
      'secret',
      'secret',
      'secret',
      undefined,
      undefined,
      'hint',
      'service',
    ])
  })
})

describe('the work', () => {
  const stepsOf = (text: string): number => {
    const reader = createReader(text)
    findSecrets(reader, 'foreign')
    return reader.steps
  }

  test.each(
    ['QUJD', 'password=', 'secret: "', 'a://b:', '://a:b@', `x://${'a:'.repeat(40)}`, '-eyJ', '.eyJhbGciOiJIUzI1NiJ9', ' sk-proj-ghp_xoxb-'].concat([
      '-----BEGIN PRIVATE KEY-----',
      '-----END PRIVATE KEY-----',
      `${'QUJD'.repeat(16)}\n`,
      'Cookie: a=b; ',
      '--token ',
      '=:>',
      '\\"pwd\\":\\"',
    ]),
  )('grows with the length of the text and no faster, for %j', (part) => {
    const steps = (length: number): number => stepsOf(part.repeat(length / part.length))
    expect(steps(200_000) / steps(20_000)).toBeLessThan(10.5)
    expect(steps(200_000)).toBeLessThan(200_000 * 80)
  })
})

describe('createRedactStream', () => {
  const text = `first line\nuse ${key} now\npassword="aB3dE5" and\n${privateKey}\nQUJDREVGR0hJSktMTU5P\nlast ${key}`

  test('gives what redacting at once gives, wherever the text is cut', () => {
    const whole = redactText(text)
    expect(whole).not.toContain('aB3dE5')
    for (let cut = 0; cut <= text.length; cut += 1) {
      const stream = createRedactStream()
      expect(stream.push(text.slice(0, cut)) + stream.push(text.slice(cut)) + stream.end()).toBe(whole)
    }
    const stream = createRedactStream()
    expect(
      text
        .split('')
        .map((character) => stream.push(character))
        .join('') + stream.end(),
    ).toBe(whole)
  })

  test('shows lines as soon as they have ended', () => {
    const stream = createRedactStream()
    expect(stream.push('one\ntwo ')).toBe('one\n')
    expect(stream.push(`${key}\nthree`)).toBe('two ghp_[redacted]\n')
  })

  test('holds back a bounded part of a line that does not end, and shows no secret across its parts', () => {
    const stream = createRedactStream()
    const long = `${'word '.repeat(10_000)}${key} ${'word '.repeat(10_000)}`
    let shown = ''
    for (let at = 0; at < long.length; at += 777) {
      shown += stream.push(long.slice(at, at + 777))
      expect(at - shown.length).toBeLessThan(34_000)
    }
    expect(shown + stream.end()).toBe(redactText(long))
  })
})
