/** Whether characters look as if nobody had chosen them. */
import { alphabets, isIn } from './alphabets.ts'

/** More than this of a value is not looked at. */
const longest = 96

/** What is known of the characters of a value. */
export interface Looks {
  readonly length: number
  readonly hasDigit: boolean
  readonly hasLetter: boolean
  readonly hasSmall: boolean
  readonly hasCapital: boolean
  readonly hasSymbol: boolean
  readonly hasBlank: boolean
  /** How often a letter meets a digit, or a small letter is followed by a capital. Words and dates have few of these, random characters many. */
  readonly changes: number
  /** How often a letter meets a digit. */
  readonly meetings: number
  /** How many different characters there are among those that were looked at. */
  readonly different: number
}

/** Looks at the characters of a part of a text, at most 96 of them. */
export function looksOf(text: string, start: number, end: number): Looks {
  const last = Math.min(end, start + longest)
  let isDigitBefore = false
  let isSmallBefore = false
  let isLetterBefore = false
  const has = { digit: false, small: false, capital: false, symbol: false, blank: false }
  let changes = 0
  let meetings = 0
  const seen = new Set<number>()
  for (let at = start; at < last; at += 1) {
    const code = text.charCodeAt(at)
    seen.add(code)
    const isDigit = isIn(alphabets.digits, code)
    const isLetter = isIn(alphabets.letters, code)
    const isSmall = isLetter && code >= 97
    if ((isDigit && isLetterBefore) || (isLetter && isDigitBefore)) meetings += 1
    else if (isLetter && !isSmall && isSmallBefore) changes += 1
    has.digit ||= isDigit
    has.small ||= isSmall
    has.capital ||= isLetter && !isSmall
    has.blank ||= code === 32 || code === 9
    has.symbol ||= !isDigit && !isLetter && code > 32
    isDigitBefore = isDigit
    isLetterBefore = isLetter
    isSmallBefore = isSmall
  }
  return {
    length: end - start,
    hasDigit: has.digit,
    hasLetter: has.small || has.capital,
    hasSmall: has.small,
    hasCapital: has.capital,
    hasSymbol: has.symbol,
    hasBlank: has.blank,
    changes: changes + meetings,
    meetings,
    different: seen.size,
  }
}

/** Whether a value looks random: letters and digits meet often, or it is long and has no digit where it could, and its letters change their case. */
export function isMixed({ length, changes, different, hasDigit, hasLetter }: Looks): boolean {
  if (!hasLetter || different < Math.min(8, length / 3)) return false
  const seen = Math.min(length, longest)
  return changes >= Math.max(hasDigit ? 2 : 4, seen / 12)
}

/** Whether a value has anything that a word has not: digits, capitals inside, or symbols. */
export const isNoWord = ({ hasDigit, changes, hasSymbol }: Looks): boolean => hasDigit || changes > 0 || hasSymbol
