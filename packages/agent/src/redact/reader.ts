/**
 * Reads a text for the redaction.
 *
 * REDACT-1. Reading is linear in the length of the text, by construction: a run of characters of one alphabet is read once, and its end is known to
 *     also when it is asked about from another place in it; the way to the next character of a kind as well. Whatever else looks around does so within a bound.
 */
import { type Alphabet, isIn } from './alphabets.ts'

interface Known {
  start: number
  end: number
}

/** A text, and what is known of it. */
export interface Reader {
  readonly text: string
  /** How many characters were looked at, however often: the measure of the work. */
  steps: number
  /** Where the run of characters of an alphabet ends that begins here. */
  readonly endOf: (alphabet: Alphabet, from: number) => number
  /** Where the run begins that ends before this place; at most so many characters before it. */
  readonly startOf: (alphabet: Alphabet, before: number, most: number) => number
  /** The next place at which one of these characters stands; the length of the text when there is none. */
  readonly next: (characters: string, from: number) => number
}

/** A reader of a text. */
export function createReader(text: string): Reader {
  const runs = new Map<Alphabet, Known>()
  const gaps = new Map<string, Known>()
  const { length } = text
  /** The end of the stretch from here on of which `isInside` holds. What is known of a stretch that begins later is used. */
  const stretch = (known: Known, from: number, isInside: (at: number) => boolean): number => {
    if (from >= known.start && from <= known.end) return known.end
    let at = from
    while (at < length && isInside(at)) {
      if (at === known.start && known.end > at) at = known.end
      else at += 1
      reader.steps += 1
    }
    known.start = from
    known.end = at
    return at
  }
  const knownIn = <K>(all: Map<K, Known>, key: K): Known => {
    const known = all.get(key) ?? { start: -1, end: -2 }
    all.set(key, known)
    return known
  }
  const reader: Reader = {
    text,
    steps: 0,
    endOf: (alphabet, from) => stretch(knownIn(runs, alphabet), from, (at) => isIn(alphabet, text.charCodeAt(at))),
    startOf(alphabet, before, most) {
      let at = before
      while (at > 0 && before - at < most && isIn(alphabet, text.charCodeAt(at - 1))) at -= 1
      reader.steps += before - at + 1
      return at
    },
    next: (characters, from) => stretch(knownIn(gaps, characters), from, (at) => !characters.includes(text.charAt(at))),
  }
  return reader
}
