/** Reads the text of a regular expression with the flag `u`. The platform has found it well-formed before: only its structure is read here. */

/** A part of a pattern. */
export type PatternNode =
  | { readonly kind: 'char'; readonly fits: (point: number) => boolean }
  | { readonly kind: 'begin' }
  | { readonly kind: 'end' }
  | { readonly kind: 'border'; readonly is: boolean }
  | { readonly kind: 'ahead'; readonly is: boolean; readonly part: PatternNode }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly from: number; readonly to: number }
  | { readonly kind: 'sequence' | 'either'; readonly parts: readonly PatternNode[] }

/** A pattern that is being read. */
interface Reader {
  readonly source: string
  at: number
  depth: number
}

/** How deep groups may be nested, and how long a pattern may be. */
const most = { depth: 100, length: 10_000 }

/** Reads a pattern; throws where it is none, or has what is refused. */
export function parsePattern(source: string): PatternNode {
  if (source.length > most.length) throw new Error(`it has more than ${most.length} characters`)
  void new RegExp(source, 'u')
  return readEither({ source, at: 0, depth: 0 })
}

function readEither(reader: Reader): PatternNode {
  reader.depth += 1
  if (reader.depth > most.depth) throw new Error(`its groups are nested more than ${most.depth} deep`)
  const parts = [readSequence(reader)]
  while (reader.source[reader.at] === '|') {
    reader.at += 1
    parts.push(readSequence(reader))
  }
  reader.depth -= 1
  return parts.length === 1 ? (parts[0] as PatternNode) : { kind: 'either', parts }
}

function readSequence(reader: Reader): PatternNode {
  const parts: PatternNode[] = []
  for (let next = reader.source[reader.at]; next !== undefined && next !== '|' && next !== ')'; next = reader.source[reader.at])
    parts.push(readRepeated(reader, readTerm(reader, next)))
  return { kind: 'sequence', parts }
}

function readTerm(reader: Reader, next: string): PatternNode {
  switch (next) {
    case '^':
      reader.at += 1
      return { kind: 'begin' }
    case '$':
      reader.at += 1
      return { kind: 'end' }
    case '(':
      return readGroup(reader)
    default:
      return readAtom(reader)
  }
}

const openings = { '(?:': 'group', '(?=': 'ahead', '(?!': 'not ahead', '(?<=': 'behind', '(?<!': 'behind' } as const

function readGroup(reader: Reader): PatternNode {
  const [opening = '('] = /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[^:]*:))?/.exec(reader.source.slice(reader.at, reader.at + 200)) ?? []
  const kind = openings[opening as keyof typeof openings] ?? 'group'
  if (kind === 'behind') throw new Error('it looks behind')
  if (/^\(\?[a-z-]+:/.test(opening)) throw new Error('it has flags inside')
  reader.at += opening.length
  const part = readEither(reader)
  reader.at += 1
  return kind === 'group' ? part : { kind: 'ahead', is: kind === 'ahead', part }
}

/** What stands for one character: a class, an escape, a dot or the character itself. */
const atom =
  /\[(?:[^\\\]]|\\[\s\S])*\]|\\(?:u\{[^}]*\}|u[dD][89abAB][\s\S]{2}\\u[dD][c-fC-F][\s\S]{2}|u[\s\S]{4}|x[\s\S]{2}|c[\s\S]|[pP]\{[^}]*\}|[\s\S])|[\s\S]/uy

function readAtom(reader: Reader): PatternNode {
  atom.lastIndex = reader.at
  const [text = ''] = atom.exec(reader.source) ?? []
  reader.at += text.length
  if (text === '\\b' || text === '\\B') return { kind: 'border', is: text === '\\b' }
  if (/^\\[1-9k]/.test(text)) throw new Error('it refers back to what it has matched')
  if (/^[^\\[.]$/u.test(text)) {
    const wanted = text.codePointAt(0)
    return { kind: 'char', fits: (point) => point === wanted }
  }
  return { kind: 'char', fits: fitting(text) }
}

/** Whether a character fits, as the platform has it; what it said of the first 128 is remembered. */
function fitting(text: string): (point: number) => boolean {
  const one = new RegExp(`^${text}$`, 'u')
  const known = new Int8Array(128)
  return (point) => {
    const before = known[point] ?? 0
    if (before !== 0) return before === 1
    const fits = one.test(String.fromCodePoint(point))
    if (point < 128) known[point] = fits ? 1 : 2
    return fits
  }
}

const quantifier = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y

function readRepeated(reader: Reader, part: PatternNode): PatternNode {
  quantifier.lastIndex = reader.at
  const found = quantifier.exec(reader.source)
  if (!found) return part
  reader.at += found[0].length
  const [, sign, least = '0', comma, last] = found
  if (sign !== undefined) return { kind: 'repeat', part, from: sign === '+' ? 1 : 0, to: sign === '?' ? 1 : Number.POSITIVE_INFINITY }
  const from = Number(least)
  if (comma === '') return { kind: 'repeat', part, from, to: from }
  return { kind: 'repeat', part, from, to: last === '' ? Number.POSITIVE_INFINITY : Number(last) }
}
