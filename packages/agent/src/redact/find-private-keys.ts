/** Finds private keys in their lines: whole ones, and what is left of those whose beginning or end was cut off. */
import { alphabets, isIn } from './alphabets.ts'
import type { Span } from './find-keys.ts'
import type { Reader } from './reader.ts'

/** The first line of a key, or its last. */
interface Line extends Span {
  readonly isLast: boolean
}

const dashes = '-----'
/** A line of a key has at least so many characters; its last one may be shorter. */
const leastLine = 16

/** The private keys in a text: behind their first lines, which stay. */
export function findPrivateKeys(reader: Reader): readonly Span[] {
  const { text } = reader
  if (!text.includes('PRIVATE KEY')) return []
  const lines = keyLines(reader)
  const found: Span[] = []
  let at = 0
  let next = 0
  for (const line of lines) {
    // It is in a key that was found.
    if (line.end <= at) continue
    if (line.isLast) {
      const start = startOfKey(reader, at, line.start)
      if (start < line.start) found.push({ start, end: line.end })
      at = line.end
      continue
    }
    while (next < lines.length && !(lines[next]?.isLast && (lines[next]?.start ?? 0) >= line.end)) next += 1
    const end = lines[next]?.end ?? endOfKey(reader, line.end)
    if (end > line.end) found.push({ start: line.end, end })
    at = Math.max(end, line.end)
  }
  return found
}

function keyLines({ text }: Reader): readonly Line[] {
  const lines: Line[] = []
  for (let at = text.indexOf(dashes); at >= 0; at = text.indexOf(dashes, at + 1)) {
    const isLast = text.startsWith('END ', at + 5)
    if (!isLast && !text.startsWith('BEGIN ', at + 5)) continue
    const words = text.slice(at + 5, at + 100)
    const close = words.indexOf(dashes)
    if (close < 0 || !/PRIVATE KEY(?: BLOCK)?$/.test(words.slice(0, close))) continue
    lines.push({ start: at, end: at + 10 + close, isLast })
    at += 9 + close
  }
  return lines
}

/** Skips the ends of lines, escaped ones too. */
function skipEnds({ text }: Reader, from: number): number {
  let at = from
  while (at < text.length) {
    if (' \t\r\n'.includes(text.charAt(at))) at += 1
    else if (text[at] === '\\' && 'nr'.includes(text.charAt(at + 1) || '-')) at += 2
    else break
  }
  return at
}

/** The end of the lines of a key that begin here. */
function endOfKey(reader: Reader, from: number): number {
  let end = from
  for (;;) {
    const start = skipEnds(reader, end)
    reader.steps += start - end
    const next = reader.endOf(alphabets.base64, start)
    if (next - start < leastLine) return end
    end = next
  }
}

/** Where the lines of a key begin that end before a place, and not before `from`. They are read backwards, each character once. */
function startOfKey(reader: Reader, from: number, before: number): number {
  const { text } = reader
  let start = before
  let at = before
  for (let isLast = true; at > from; isLast = false) {
    at = skipEndsBack(text, from, at)
    let line = at
    while (line > from && isIn(alphabets.base64, text.charCodeAt(line - 1)) && !isEscapedEnd(text, line)) line -= 1
    reader.steps += at - line + 1
    if (at - line < leastLine && !isLast) return start
    if (at - line >= leastLine) start = line
    if (line === at || (line > from && !isEndBefore(text, line))) return start
    at = line
  }
  return start
}

const isEscapedEnd = (text: string, at: number): boolean => text[at - 2] === '\\' && 'nr'.includes(text.charAt(at - 1))

const isEndBefore = (text: string, at: number): boolean => ' \t\r\n'.includes(text.charAt(at - 1)) || isEscapedEnd(text, at)

function skipEndsBack(text: string, from: number, before: number): number {
  let at = before
  while (at > from && isEndBefore(text, at)) at -= isEscapedEnd(text, at) ? 2 : 1
  return at
}
