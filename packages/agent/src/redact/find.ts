/**
 * Finds the secrets in a text: one way through it, from left to right.
 *
 * REDACT-3. What is found does not overlap and is in order. What was found once is not found in what is left when it was replaced by a mark.
 */
import { alphabets, isIn } from './alphabets.ts'
import { keyAt, markedAt, type Span } from './find-keys.ts'
import { findPrivateKeys } from './find-private-keys.ts'
import { passwordAt } from './find-urls.ts'
import { optionValue, valueAfter } from './find-values.ts'
import { looksOf } from './random.ts'
import type { Reader } from './reader.ts'

/**
 * What a text is. In a `message` of an error, values under names of secrets need not look random. In a message that is `foreign`, what looks random is
 * a secret under no name too.
 */
export type TextKind = 'text' | 'message' | 'foreign'

const equals = 61
const colon = 58
const greater = 62
const dash = 45

/** The secrets in a text. */
export function findSecrets(reader: Reader, kind: TextKind): readonly Span[] {
  const { text } = reader
  const privateKeys = findPrivateKeys(reader)
  const found: Span[] = []
  let nextKey = 0
  let from = 0
  const take = (span: Span | undefined): boolean => {
    if (span) {
      found.push({ start: Math.max(span.start, from), end: span.end })
      from = span.end
    }
    return span !== undefined
  }
  for (let at = 0; at < text.length; at = Math.max(at + 1, from)) {
    reader.steps += 1
    const privateKey = privateKeys[nextKey]
    if (privateKey && at >= privateKey.start) {
      nextKey += 1
      if (take(privateKey)) continue
    }
    const limit = privateKey?.start ?? text.length
    const span = secretAt(reader, at, { kind, from })
    if (span && span.start < limit) take(span)
  }
  return found
}

function secretAt(reader: Reader, at: number, { kind, from }: { readonly kind: TextKind; readonly from: number }): Span | undefined {
  const { text } = reader
  const code = text.charCodeAt(at)
  const isError = kind !== 'text'
  const key = keyAt(reader, at) ?? markedAt(reader, at, from)
  if (key) return key
  switch (code) {
    case colon:
      return text.startsWith('//', at + 1) ? passwordAt(reader, at) : valueAfter(reader, at, isError)
    case equals:
    case greater:
      return valueAfter(reader, at, isError)
    case dash:
      return isIn(alphabets.word | 64, text.charCodeAt(at - 1)) ? undefined : optionValue(reader, at, isError)
    default:
      return kind === 'foreign' ? randomAt(reader, at) : undefined
  }
}

/** What looks random has at least so many characters. */
const leastRandom = 30
/** How ids of requests begin: an error without them is hard to follow. */
const ids = /(?:^|[^a-z])(?:req|request|msg|chatcmpl|resp|run|call|toolu|trace|span|thread|evt|event|batch|gen|file)[ _-]?(?:id)?["':= _-]{0,4}$/i

/** A word of an error that looks random: not the digits of a hash or of an id, which have small letters alone. */
function randomAt(reader: Reader, at: number): Span | undefined {
  const { text } = reader
  const alphabet = alphabets.dashed | alphabets.base64
  const code = text.charCodeAt(at)
  if (!isIn(alphabet, code) || isIn(alphabet, text.charCodeAt(at - 1))) return undefined
  const end = reader.endOf(alphabet, at)
  if (end - at < leastRandom) return undefined
  reader.steps += 96
  const looks = looksOf(text, at, end)
  const isId =
    /^(?:sha\d+|req|msg|chatcmpl|resp|run|call|toolu|thread|evt|batch|gen|file)[_-]/.test(text.slice(at, at + 10)) ||
    ids.test(text.slice(Math.max(0, at - 20), at))
  const isRandom =
    looks.hasSmall && looks.hasCapital && looks.meetings >= 4 && looks.changes >= Math.min(looks.length, 96) / 6 && looks.different >= 12
  return isRandom && !isId ? { start: at, end } : undefined
}
