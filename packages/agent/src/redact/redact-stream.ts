/**
 * Redaction of a text that comes in pieces.
 *
 * REDACT-5. What comes out is what redacting the whole text at once gives, wherever the pieces were cut, as long as no line is longer than is held back. A
 *     line is judged when it has ended: no secret but a private key goes on in the next one, and lines that may belong to such a key are held back.
 * REDACT-6. What is held back is bounded. A longer line is judged in parts, each with so much of what came before that a secret which lies across is found.
 */
import { alphabets, isIn } from './alphabets.ts'
import { findSecrets, type TextKind } from './find.ts'
import type { Span } from './find-keys.ts'
import { createReader } from './reader.ts'
import { type RedactOptions, redactedMark } from './redact.ts'

/** A redaction that takes a text piece by piece. */
export interface RedactStream {
  /** Takes a piece; returns what can be shown now. */
  push(piece: string): string
  /** The text has ended; returns the rest. */
  end(): string
}

/** How many characters are held back at most, and how many of them are kept when a line is longer. */
const most = { held: 32_768, kept: 8_192 }

/** A redaction for a text that comes in pieces. */
export function createRedactStream({ kind = 'text', markOf = () => redactedMark }: RedactOptions = {}): RedactStream {
  let held = ''
  /** Shows what was held up to a place, or to the beginning of the secret that lies across it. */
  const show = (place: number): string => {
    const spans = spansIn(held, kind)
    const across = spans.find(({ start, end }) => start < place && end > place)
    // A secret that fills all that may be held is shown as a mark, and what follows is judged as if it began there.
    const cut = across ? (across.start > 0 ? across.start : across.end) : place
    let clean = ''
    let at = 0
    for (const { start, end } of spans) {
      if (end > cut) break
      clean += held.slice(at, start) + markOf(held.slice(start, end))
      at = end
    }
    clean += held.slice(at, cut)
    held = held.slice(cut)
    return clean
  }
  return {
    push(piece) {
      held += piece
      const line = lastWholeLine(held)
      if (line > 0) return show(line)
      return held.length > most.held ? show(held.length - most.kept) : ''
    },
    end: () => show(held.length),
  }
}

const spansIn = (text: string, kind: TextKind): readonly Span[] => findSecrets(createReader(text), kind)

/** Where the last line begins that is not whole, or, before it, lines that may be part of a private key. */
function lastWholeLine(text: string): number {
  const place = text.lastIndexOf('\n') + 1
  const begun = text.lastIndexOf('-----BEGIN ', place)
  if (begun >= 0 && !hasWholeEnd(text, begun) && text.includes('PRIVATE KEY', begun)) {
    const start = text.lastIndexOf('\n', begun) + 1
    return text.length - start > most.held ? place : start
  }
  return keyLinesBefore(text, place)
}

function hasWholeEnd(text: string, begun: number): boolean {
  const end = text.indexOf('-----END ', begun)
  return end >= 0 && text.includes('\n', end)
}

/** A line of a private key has so many characters; its last one may have fewer. */
const leastLine = 16

/** Where the lines begin that end before a place and may be those of a private key. */
function keyLinesBefore(text: string, place: number): number {
  let from = place
  for (let at = place; at > 0 && text.length - at < most.kept; ) {
    // Before the first character there is no line: a place of -1 would be taken for 0.
    const start = at < 2 ? 0 : text.lastIndexOf('\n', at - 2) + 1
    const length = keyLineLength(text, start, at - 1)
    if (length === 0 || (length < leastLine && at !== place)) break
    if (length >= leastLine) from = start
    at = start
  }
  return from
}

/** How long a line is that may be one of a private key; 0 for any other. */
function keyLineLength(text: string, start: number, end: number): number {
  const last = text[end - 1] === '\r' ? end - 1 : end
  for (let at = start; at < last; at += 1) if (!isIn(alphabets.base64, text.charCodeAt(at))) return 0
  return last - start
}
