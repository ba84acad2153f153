/**
 * SHA-256 (FIPS 180-4) without Node: the web's own is asynchronous, and authorising a call needs a digest at once. Names in brackets are those of the
 * standard.
 */

/** The state before the first block: the first 32 bits of the fractions of the square roots of the first 8 primes (H). */
const initial = ['6a09e667 bb67ae85 3c6ef372 a54ff53a 510e527f 9b05688c 1f83d9ab 5be0cd19']

/** What the rounds add: the first 32 bits of the fractions of the cube roots of the first 64 primes (K). */
const additions = [
  '428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5',
  'd807aa98 12835b01 243185be 550c7dc3 72be5d74 80deb1fe 9bdc06a7 c19bf174',
  'e49b69c1 efbe4786 0fc19dc6 240ca1cc 2de92c6f 4a7484aa 5cb0a9dc 76f988da',
  '983e5152 a831c66d b00327c8 bf597fc7 c6e00bf3 d5a79147 06ca6351 14292967',
  '27b70a85 2e1b2138 4d2c6dfc 53380d13 650a7354 766a0abb 81c2c92e 92722c85',
  'a2bfe8a1 a81a664b c24b8b70 c76c51a3 d192e819 d6990624 f40e3585 106aa070',
  '19a4c116 1e376c08 2748774c 34b0bcb5 391c0cb3 4ed8aa4a 5b9cca4f 682e6ff3',
  '748f82ee 78a5636f 84c87814 8cc70208 90befffa a4506ceb bef9a3f7 c67178f2',
]

const wordsIn = (rows: readonly string[]): Int32Array => Int32Array.from(rows.join(' ').split(' '), (word) => Number.parseInt(word, 16))

/** Read at the first digest: importing does no work. */
let constants: Int32Array | undefined

/** The SHA-256 of a text, in hexadecimal. */
export const sha256 = (text: string): string => {
  constants ??= wordsIn(additions)
  const message = padded(new TextEncoder().encode(text))
  const state = wordsIn(initial)
  const words = new Int32Array(64)
  for (let block = 0; block < message.byteLength; block += 64) {
    for (let index = 0; index < 16; index += 1) words[index] = message.getInt32(block + 4 * index)
    compress(state, expand(words), constants)
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

/** The bytes, a one bit, zeros, and the number of bits in the last 8 bytes: whole blocks of 64 bytes. */
function padded(bytes: Uint8Array): DataView {
  const message = new Uint8Array(64 * Math.ceil((bytes.length + 9) / 64))
  message.set(bytes)
  message[bytes.length] = 0x80
  const view = new DataView(message.buffer)
  view.setBigUint64(message.length - 8, 8n * BigInt(bytes.length))
  return view
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/** Makes the other 48 words of a block from its first 16 (W). */
function expand(words: Int32Array): Int32Array {
  const at = (index: number): number => words[index] as number
  for (let index = 16; index < 64; index += 1) {
    const early = at(index - 15)
    const late = at(index - 2)
    const mixedEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const mixedLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    words[index] = at(index - 16) + mixedEarly + at(index - 7) + mixedLate
  }
  return words
}

/** Adds a block to the state: 64 rounds over eight variables (a to h). */
function compress(state: Int32Array, words: Int32Array, constants: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let round = 0; round < 64; round += 1) {
    const chosen = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const mixedE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const mixedA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const first = (h + mixedE + chosen + (constants[round] as number) + (words[round] as number)) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + mixedA + majority) | 0
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] as number) + word
}
