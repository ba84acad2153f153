/**
 * Tokens of a text, estimated by its scripts: about what a tokenizer of 200,000 tokens (o200k) makes of it.
 *
 * The text is cut as such tokenizers cut it, into words, groups of digits, marks and blanks, and each piece counts what pieces of its kind and length
 * have on average. One pass: no character is looked at twice, and nothing is allocated.
 */

const blank = 0
const line = 1
const digit = 2
/** Punctuation, in any script. */
const mark = 3
/** Emoji and other signs. */
const sign = 4
const lower = 5
const upper = 6
/** Chinese characters and kana. */
const wide = 7
const hangul = 8
const cyrillic = 9
/** Arabic, Hebrew and Greek. */
const semitic = 10
/** Letters of all other scripts. */
const letter = 11
/** The start or the end of a text. */
const edge = 12
/** One mark without a blank before it: the word that follows takes it into its own token. */
const glued = 13

/** Ranges beyond ASCII, in order: the last code of each, and the kind of what is in it. */
const ranges: readonly number[] = [
  ...[0xa0, blank, 0xbf, mark, 0x24f, lower, 0x2af, letter, 0x36f, mark, 0x3ff, semitic, 0x52f, cyrillic, 0x58f, letter, 0x77f, semitic],
  ...[0x10ff, letter, 0x11ff, hangul, 0x1fff, letter, 0x206f, mark, 0x2bff, sign, 0x2e7f, letter, 0x303f, mark, 0x312f, wide, 0x318f, hangul],
  ...[0x9fff, wide, 0xabff, letter, 0xd7ff, hangul, 0xf8ff, sign, 0xfaff, wide, 0xfdff, semitic, 0xfe2f, sign, 0xfe6f, mark, 0xfeff, semitic],
  ...[0xffff, mark],
]

const kindOfAscii = (code: number): number => {
  if (code === 10 || code === 13) return line
  if (code <= 32) return blank
  if (code >= 48 && code <= 57) return digit
  if (code >= 65 && code <= 90) return upper
  return code >= 97 && code <= 122 ? lower : mark
}

/** Stands for a code where a text has none: before its first, or after its last. */
const beyond = 0x10000

/** The kind of every UTF-16 code; made when the first text is counted. */
function makeKinds(): Uint8Array {
  const made = new Uint8Array(beyond + 1)
  made[beyond] = edge
  for (let code = 0; code < 128; code += 1) made[code] = kindOfAscii(code)
  let from = 128
  for (let index = 0; index < ranges.length; index += 2) {
    const end = (ranges[index] as number) + 1
    made.fill(ranges[index + 1] as number, from, end)
    from = end
  }
  return made
}

let kinds: Uint8Array | undefined

const isWord = (kind: number): boolean => kind >= lower && kind <= letter

/** About how many tokens a text has; not rounded, so that those of parts can be added. */
export function tokensInText(text: string): number {
  kinds ??= makeKinds()
  const { length } = text
  let tokens = 0
  let before = edge
  let code = length > 0 ? text.charCodeAt(0) : beyond
  let kind = kinds[code] as number
  for (let at = 0; at < length; ) {
    const from = at
    const first = kind
    let capitals = 0
    let changes = 0
    // A word of Latin letters is capitals and then small letters: a capital after a small letter begins the next one.
    while (kind === first || (first === upper && kind === lower)) {
      if (kind === upper && at - from > capitals) break
      if (kind === upper) capitals += 1
      const last = code
      at += 1
      code = at < length ? text.charCodeAt(at) : beyond
      kind = kinds[code] as number
      if (code !== last) changes += 1
    }
    const size = at - from
    if (first >= lower) tokens += first >= wide ? ofLetters(first, size, before) : ofWord(size, before, capitals)
    else if (first === mark) tokens += ofMarks(size, changes, isGlued(size, before) && isWord(kind))
    else tokens += first === blank ? ofBlanks(size, kind) : ofOthers(first, size, before)
    before = first === mark && isGlued(size, before) ? glued : first
  }
  return tokens
}

/** Whether a word may take the mark before it into its own token. */
const isGlued = (size: number, before: number): boolean => size === 1 && before !== blank

/** What has more letters is no word. */
const longestWord = 18

/** A word of Latin letters. Common words are one token, above all after a blank. What has several capitals or follows a digit is rarely a word. */
function ofWord(size: number, before: number, capitals: number): number {
  if (size > longestWord) return 2 + (size - longestWord) * 0.35
  if (before === digit) return Math.max(1, size * 0.55)
  if (capitals > 1) return capitals === size ? 1 + Math.max(0, size - 3) * 0.25 : Math.min(size * 0.6, 3)
  if (before === blank) return 1 + Math.max(0, size - 5) * 0.03
  return before === glued ? 1 + Math.max(0, size - 2) * 0.11 : 1 + Math.max(0, size - 3) * 0.05
}

function ofLetters(kind: number, size: number, before: number): number {
  if (kind === wide) return size * 0.73 + (before === glued ? 0.6 : 0.2)
  if (kind === hangul) return size * 0.6 + 0.3
  if (kind === cyrillic) return 1 + Math.max(0, size - 3) * 0.16
  return kind === semitic ? 1 + Math.max(0, size - 2) * 0.26 : Math.max(1, size * 0.38)
}

/** Pairs of marks are common tokens, and so are lines of one and the same. */
function ofMarks(size: number, changes: number, isTaken: boolean): number {
  if (isTaken) return 0
  if (size <= 2) return 1
  return changes <= 1 ? 1 + size * 0.03 : 1 + (size - 2) * 0.3
}

/** The last blank before a word or a mark belongs to it, and those before the end of a line belong to that. */
function ofBlanks(size: number, next: number): number {
  if (next === line) return 0
  return size > 1 || next === digit || next === edge ? 1 : 0
}

function ofOthers(kind: number, size: number, before: number): number {
  if (kind === digit) return Math.ceil(size / 3)
  if (kind === line) return before === mark || before === glued ? 0 : 1
  return size * 0.75
}
