import { describe, expect, test } from 'vitest'
import { sha256 as node } from './sha256-node.ts'
import { sha256 as web } from './sha256-web.ts'

describe('SHA-256 outside of Node', () => {
  test('gives the digests of the standard', () => {
    expect(web('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(web('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(web('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')).toBe('248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1')
  })

  test('gives what Node gives for texts of every length up to four blocks', () => {
    for (let length = 0; length <= 256; length += 1) {
      const text = Array.from({ length }, (_, index) => String.fromCharCode(32 + ((index * 7 + length) % 90))).join('')
      expect(web(text), `${length} characters`).toBe(node(text))
    }
  })

  test('gives what Node gives for a long text, for all of Unicode, and for half a character', () => {
    for (const text of ['a'.repeat(1_000_000), 'Größe 織機 🧵 \u0000', '\ud83e alone', 'and \udded']) expect(web(text)).toBe(node(text))
  })
})
