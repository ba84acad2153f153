/** Lines of a screen: pieces of text, each with a look. */
import type { Look, Style } from '../output/style.ts'
import { visible, visibleLine } from '../output/visible.ts'
import { cutTo, placesOf, signsOf, widthOf } from '../output/width.ts'

/** A piece of a line, and how it stands out. */
export type Span = readonly [text: string, look?: Look]

/** A line of a screen. */
export type Line = readonly Span[]

/** A line of one piece. */
export const line = (text: string, look?: Look): Line => [look === undefined ? [text] : [text, look]]

/** The places that a line takes. */
export const lineWidth = (given: Line): number => given.reduce((sum, [text]) => sum + widthOf(visibleLine(text)), 0)

/**
 * A line as a terminal gets it.
 *
 * SCREEN-1. This is the one place where a text becomes bytes for the terminal: whatever wrote it, it has no control character here but those of its look.
 */
export function lineBytes(given: Line, style: Style): string {
  return given.map(([text, look]) => (look === undefined ? visibleLine(text) : style(look, visibleLine(text)))).join('')
}

/** A line in at most so many places. */
export function cutLine(given: Line, most: number): Line {
  const cut: Span[] = []
  let room = most
  for (const [text, look] of given) {
    const shown = cutTo(visibleLine(text), room)
    if (shown !== '' && room > 0) cut.push(look === undefined ? [shown] : [shown, look])
    room -= widthOf(shown)
    if (room <= 0) break
  }
  return cut
}

const tab = '  '

/** The lines of a text: its line breaks count, what it hides is shown by name, and a tab is a little room. */
export const textLines = (text: string): readonly string[] => visible(text).replaceAll('\t', tab).split('\n')

/** One row of a text that was wrapped. */
export interface Row {
  /** What stands in the row. */
  readonly text: string
  /** Where in the text the next row begins. */
  readonly end: number
}

/** The rows that one line of text takes: broken between words where there is a space, and anywhere else where there is none. */
export function wrapText(text: string, width: number): readonly Row[] {
  const rows: Row[] = []
  let start = 0
  while (start < text.length) {
    const end = rowEnd(text, start, Math.max(2, width))
    const next = text[end] === ' ' ? end + 1 : end
    rows.push({ text: text.slice(start, end), end: next })
    start = next
  }
  return rows.length > 0 ? rows : [{ text: '', end: text.length }]
}

/** Where a row ends that begins at `start`. Only as much is looked at as a row can hold. */
function rowEnd(text: string, start: number, width: number): number {
  let used = 0
  let at = start
  let space = -1
  for (const sign of signsOf(text, start)) {
    used += placesOf(sign)
    // A sign that is wider than the row stands alone.
    if (used > width && at > start) return sign === ' ' ? at : space > start ? space : at
    if (sign === ' ') space = at
    at += sign.length
  }
  return at
}

/** The rows of a line of several pieces; those after the first are indented. */
export function wrapLine(given: Line, width: number, indent = 0): readonly Line[] {
  const text = given.map(([piece]) => visibleLine(piece)).join('')
  if (widthOf(text) <= width) return [given]
  const rows = [...wrapText(text, width)]
  const first = rows[0]
  const rest = indent > 0 && first ? wrapText(text.slice(first.end), Math.max(2, width - indent)) : undefined
  const ranges = rest && first ? [first, ...rest.map(({ text: row, end }) => ({ text: row, end: end + first.end }))] : rows
  let start = 0
  return ranges.map((row, index) => {
    const spans = sliceOf(given, start, start + row.text.length)
    start = row.end
    return index > 0 && indent > 0 ? [[' '.repeat(indent)], ...spans] : spans
  })
}

/** The pieces of a line between two places of its text. */
function sliceOf(given: Line, from: number, to: number): Line {
  const spans: Span[] = []
  let at = 0
  for (const [piece, look] of given) {
    const text = visibleLine(piece)
    const part = text.slice(Math.max(0, from - at), Math.max(0, to - at))
    if (part !== '') spans.push(look === undefined ? [part] : [part, look])
    at += text.length
  }
  return spans
}
