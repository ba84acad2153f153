/** Finds keys and tokens of known formats. */
import { alphabets, isIn } from './alphabets.ts'
import type { Format, Marked } from './format.ts'
import { formats } from './formats.ts'
import { markedFormats } from './marked-formats.ts'
import { isMixed, isNoWord, looksOf } from './random.ts'
import type { Reader } from './reader.ts'

/** A part of a text that must not be shown. */
export interface Span {
  readonly start: number
  readonly end: number
}

const pairOf = (first: number, second: number): number => first * 65_536 + second

let table: ReadonlyMap<number, readonly Format[]> | undefined

/** The formats by their first two characters, the longest beginning first: at most places of a text there are none. Made with the first text. */
function knownFormats(): ReadonlyMap<number, readonly Format[]> {
  table ??= tableOf(formats)
  return table
}

function tableOf(all: readonly Format[]): ReadonlyMap<number, readonly Format[]> {
  const found = new Map<number, Format[]>()
  for (const format of [...all].sort(([, a], [, b]) => b.length - a.length)) {
    const [, prefix, , , condition] = format
    const spellings = condition === 'cased' ? [...spellingsOf(prefix.slice(0, 2))] : [prefix]
    for (const spelling of spellings) {
      const pair = pairOf(spelling.charCodeAt(0), spelling.charCodeAt(1))
      found.set(pair, [...(found.get(pair) ?? []), format])
    }
  }
  return found
}

/** Two characters in small letters and capitals. */
function spellingsOf([first = '', second = '']: string): ReadonlySet<string> {
  const cases = (character: string): readonly string[] => [character.toLowerCase(), character.toUpperCase()]
  return new Set(cases(first).flatMap((a) => cases(second).map((b) => a + b)))
}

/** The marks by their first character. */
const marks: ReadonlyMap<number, readonly Marked[]> = Map.groupBy(markedFormats, ([, , mark]) => mark.charCodeAt(0))

/** The key of a known format that begins here, without its beginning. */
export function keyAt(reader: Reader, at: number): Span | undefined {
  const { text } = reader
  const candidates = knownFormats().get(pairOf(text.charCodeAt(at), text.charCodeAt(at + 1)))
  if (!candidates) return undefined
  for (const format of candidates) {
    reader.steps += 1
    const span = isPrefixAt(text, at, format) && (format[4] === 'inside' || isFree(text, at)) && bodyOf(reader, at, format)
    if (span) return span
  }
  return undefined
}

function isPrefixAt(text: string, at: number, [, prefix, , , condition]: Format): boolean {
  if (condition !== 'cased') return text.startsWith(prefix, at)
  return text.slice(at, at + prefix.length).toLowerCase() === prefix.toLowerCase()
}

/** Whether a word begins here. An escaped line end and an encoded character before it are no part of it. */
function isFree(text: string, at: number): boolean {
  if (!isIn(alphabets.word, text.charCodeAt(at - 1))) return true
  return (text[at - 2] === '\\' && 'nrt'.includes(text.charAt(at - 1))) || text[at - 3] === '%'
}

function bodyOf(reader: Reader, at: number, [, prefix, alphabet, least, condition]: Format): Span | undefined {
  const { text } = reader
  let start = at + prefix.length
  if (prefix.endsWith(' ')) start = Math.min(reader.endOf(alphabets.name & ~alphabets.dotted, start), start + 16)
  const end = withoutStops(text, start, reader.endOf(alphabet, start))
  if (end - start < least) return undefined
  reader.steps += Math.min(end - start, 96)
  if (condition === 'mixed' && !isMixed(looksOf(text, start, end))) return undefined
  if (condition === 'cased' && !isNoWord(looksOf(text, start, end))) return undefined
  if (condition === 'jwt' && reader.next('.', start) >= end - 1) return undefined
  return { start, end }
}

/** The end of a value without what ends the sentence that it stands in. */
function withoutStops(text: string, start: number, end: number): number {
  let last = end
  while (last > start && '.:|'.includes(text.charAt(last - 1))) last -= 1
  return last
}

/** The key of a known format that has its mark here; it begins before the mark, and not before `from`. */
export function markedAt(reader: Reader, at: number, from: number): Span | undefined {
  const { text } = reader
  for (const [, [before, nearest, farthest], mark, [after, least, most]] of marks.get(text.charCodeAt(at)) ?? []) {
    reader.steps += 1
    if (!text.startsWith(mark, at)) continue
    const start = reader.startOf(before, at, Math.min(farthest, at - from))
    if (at - start < nearest) continue
    const rest = at + mark.length
    const end = Math.min(withoutStops(text, rest, reader.endOf(after, rest)), rest + most)
    reader.steps += 96
    if (end - rest >= least && isMixed(looksOf(text, start, end))) return { start, end }
  }
  return undefined
}
