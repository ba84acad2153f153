/** Parses JSON as models write it: with single quotes, bare keys, comments, too many or too few commas, and words of other languages. */
import type { Json } from '@loom-agent/kernel'

/** The deepest nesting that is read. */
const deepest = 64

/** Characters of a text that is repaired: arguments that are longer are refused anyway. */
const longest = 256 * 1024

/** Texts in any quotes (raw line breaks are part of them), numbers, words, marks; white space and comments. */
const pieces = new RegExp(
  [
    String.raw`(?<text>"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|“(?:[^”\\]|\\[\s\S])*”|\x60(?:[^\x60\\]|\\[\s\S])*\x60)`,
    String.raw`(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)`,
    String.raw`(?<word>[\p{L}_$][\p{L}\p{N}_$-]*)`,
    String.raw`(?<mark>[{}[\]:,])`,
    String.raw`\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/`,
  ].join('|'),
  'guy',
)

const aliases = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
  ['undefined', 'null'],
])
const closers: { readonly [mark: string]: string } = { '{': '}', '[': ']' }
const escapes: { readonly [letter: string]: string } = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

/**
 * Returns the value of a text that is almost JSON; undefined when it is not clear. Only the syntax is repaired, never the meaning. What is open at the end
 * is closed only when the caller knows that nothing was cut off.
 */
export function parseLoosely(text: string, { mayClose }: { readonly mayClose: boolean }): Json | undefined {
  const repaired = parsed(text) === undefined ? repair(text, mayClose) : text
  return repaired === undefined ? undefined : parsed(repaired)
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

type Piece = { readonly [kind: string]: string | undefined }

/** The pieces that say something; undefined when a part of the text is no piece. */
function piecesOf(text: string): readonly Piece[] | undefined {
  const found = [...text.matchAll(pieces)]
  if (found.reduce((sum, [piece]) => sum + piece.length, 0) < text.length) return undefined
  return found.map(({ groups = {} }) => groups).filter((piece) => Object.values(piece).some((part) => part !== undefined))
}

/** The text with the syntax of JSON, as far as it has one: commas are set anew, one between two items. */
function repair(text: string, mayClose: boolean): string | undefined {
  if (text.length > longest) return undefined
  const open: string[] = []
  const json: string[] = []
  for (const piece of piecesOf(text) ?? []) {
    const { mark = '' } = piece
    const closer = closers[mark]
    // Only objects and lists are repaired: any other text could mean anything.
    if (open.length === 0 && (json.length > 0 || closer === undefined)) return undefined
    if (mark === ':') json.push(mark)
    else if (mark === '}' || mark === ']') {
      if (open.pop() !== mark) return undefined
      json.push(mark)
    } else if (mark !== ',') {
      const isKey = open.at(-1) === '}' && json.at(-1) !== ':'
      if (follows(json.at(-1))) json.push(',')
      json.push(itemOf(piece, isKey))
    }
    if (closer !== undefined) open.push(closer)
    if (open.length > deepest) return undefined
  }
  return open.length > 0 && !mayClose ? undefined : [...json, ...open.reverse()].join('')
}

/** Whether an item that comes after this mark or item needs a comma before it. */
const follows = (last: string | undefined): boolean => last !== undefined && last !== '{' && last !== '[' && last !== ':'

/** A piece as JSON writes it; a word that JSON does not know stays, and the whole cannot be parsed. */
function itemOf({ text, number, word, mark = '' }: Piece, isKey: boolean): string {
  if (text !== undefined) return JSON.stringify(textIn(text))
  if (number !== undefined) return String(Number(number))
  if (word === undefined) return mark
  return isKey ? JSON.stringify(word) : (aliases.get(word) ?? word)
}

const textIn = (quoted: string): string =>
  quoted.slice(1, -1).replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, code: string | undefined, letter: string) => {
    return code === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16))
  })
