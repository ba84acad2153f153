/** Sets of characters that secrets are made of, as bits: whether a character belongs to a set is one look into a table. */

const digits = 1
const smallHex = 2
const capitalHex = 4
const small = 8
const capital = 16
const underscore = 32
const dash = 64
const dot = 128
const slash = 256
const plus = 512
const equals = 1024
const percent = 2048
const tilde = 4096
const colon = 8192
const bar = 16_384
const blank = 32_768
const dollar = 65_536
const at = 131_072

/** A set of characters. */
export type Alphabet = number

type AlphabetName =
  | 'digits'
  | 'hex'
  | 'capitals'
  | 'letters'
  | 'alnum'
  | 'word'
  | 'dashed'
  | 'dotted'
  | 'base64'
  | 'token'
  | 'path'
  | 'dollars'
  | 'name'

/** The sets, by name. */
export const alphabets: Readonly<Record<AlphabetName, Alphabet>> = {
  digits,
  hex: digits | smallHex | capitalHex,
  capitals: digits | capitalHex | capital,
  letters: smallHex | capitalHex | small | capital,
  alnum: digits | smallHex | capitalHex | small | capital,
  word: digits | smallHex | capitalHex | small | capital | underscore,
  dashed: digits | smallHex | capitalHex | small | capital | underscore | dash,
  dotted: digits | smallHex | capitalHex | small | capital | underscore | dash | dot | equals,
  base64: digits | smallHex | capitalHex | small | capital | plus | slash | equals,
  token: digits | smallHex | capitalHex | small | capital | underscore | dash | dot | slash | plus | equals | percent | tilde,
  path: digits | smallHex | capitalHex | small | capital | underscore | dash | dot | slash | plus | equals | percent | tilde | colon | bar | at,
  dollars: digits | smallHex | capitalHex | small | capital | dollar,
  name: digits | smallHex | capitalHex | small | capital | underscore | dash | dot | blank,
}

const singles: readonly (readonly [string, Alphabet])[] = [
  ['0123456789', digits],
  ['abcdef', smallHex],
  ['ABCDEF', capitalHex],
  ['ghijklmnopqrstuvwxyz', small],
  ['GHIJKLMNOPQRSTUVWXYZ', capital],
  ['_', underscore],
  ['-', dash],
  ['.', dot],
  ['/', slash],
  ['+', plus],
  ['=', equals],
  ['%', percent],
  ['~', tilde],
  [':', colon],
  ['|', bar],
  [' \t', blank],
  ['$', dollar],
  ['@', at],
]

const bits = new Uint32Array(128)
for (const [characters, bit] of singles) for (const character of characters) bits[character.charCodeAt(0)] = bit

/** Whether the character with this code belongs to a set. The code of no character, NaN, belongs to none. */
export const isIn = (alphabet: Alphabet, code: number): boolean => ((bits[code] ?? 0) & alphabet) !== 0
