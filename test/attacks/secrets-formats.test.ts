/** Attacks on the redaction: values of many formats must not pass it, words must, and no text may occupy it for longer than its length asks for. */
import { runInNewContext } from 'node:vm'
import { redactSecrets } from '@loom-agent/testing'
import { describe, expect, it } from 'vitest'
import { numbersOf, secretOf, textsWith } from './made-secrets.ts'
import { detectSecrets, gitleaks, patternsDatabase, type Shape } from './secret-shapes.ts'

const redact = redactSecrets()
const seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

/** Which formats pass the redaction, in more than one of twenty texts. */
function passing(shapes: readonly Shape[]): { readonly recall: number; readonly formats: readonly string[] } {
  let hidden = 0
  let all = 0
  const formats: string[] = []
  for (const shape of shapes) {
    let passed = 0
    let texts = 0
    for (const seed of seeds) {
      const secret = secretOf(shape, numbersOf(seed))
      for (const text of textsWith(secret)) {
        texts += 1
        if (redact(text).includes(secret.core)) passed += 1
      }
    }
    all += texts
    hidden += texts - passed
    if (passed > texts / 20) formats.push(shape[0])
  }
  return { recall: hidden / all, formats }
}

describe('values of known formats', () => {
  it.each<[string, readonly Shape[], number]>([
    ['gitleaks', gitleaks, 200],
    ['detect-secrets', detectSecrets, 25],
    ['secrets-patterns-db', patternsDatabase, 10],
  ])('do not pass where they are made from the shapes of %s: 95 of 100 are found', (_, shapes, least) => {
    const { recall } = passing(shapes)
    expect(shapes.length).toBeGreaterThanOrEqual(least)
    expect(recall).toBeGreaterThanOrEqual(0.95)
  })

  it('are found for at least 120 formats, in 95 of 100 texts each', () => {
    const all = [...gitleaks, ...detectSecrets, ...patternsDatabase]
    expect(all.length - passing(all).formats.length).toBeGreaterThanOrEqual(120)
  })
})

/** Redacts within seconds, or throws: what never ends has to be ended. */
function redactInTime(text: string): string {
  return runInNewContext('redact(text)', { redact, text }, { timeout: 8_000 }) as string
}

const base64 = (length: number): string => secretOf(['', '', `{A-Za-z0-9+/ ${length}}`], numbersOf(length)).value

describe('a hostile text does not occupy the redaction', () => {
  it.each([
    ['a private key that is cut inside its only line', `-----BEGIN PRIVATE KEY-----\n${base64(240)}!`],
    ['a private key whose lines end in escapes', `-----BEGIN RSA PRIVATE KEY-----${'\\n'.repeat(40)}${base64(200)}\\n \\n-`],
    ['a thousand beginnings of private keys', `${`-----BEGIN PRIVATE KEY-----\n${base64(80)}\n`.repeat(1_000)}?`],
  ])('%s', (_, text) => {
    expect(redactInTime(text)).toContain('[redacted:')
  })

  it.each([
    ['schemes without hosts', 'a://b:'],
    ['beginnings of tokens', 'eyJ'],
    ['tokens of two parts', 'eyJabcdefghijklmnop.'],
    ['names without values', 'password='],
    ['quotes that do not end', 'secret: "'],
    ['headers', 'Authorization: '],
    ['bearers', 'Bearer '],
    ['dashes', '-----BEGIN '],
    ['separators', '=:'],
    ['addresses with signs', '://a@'],
  ])('two hundred thousand characters of %s end', (_, part) => {
    const text = part.repeat(200_000 / part.length)
    expect(redactInTime(text).length).toBeGreaterThan(0)
  })
})
