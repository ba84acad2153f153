/**
 * Finds secrets by the names that they stand under: `password=...`, `"api_key": "..."`, `Cookie: ...`, `--token ...`, `<secret>...`.
 *
 * REDACT-2. What a name says is judged with its value: a type, a reference, a placeholder or a word of a sentence is no secret.
 */
import { alphabets, isIn } from './alphabets.ts'
import { keyAt, type Span } from './find-keys.ts'
import { type Meaning, meaningOf } from './names.ts'
import { isMixed, isNoWord, type Looks, looksOf } from './random.ts'
import type { Reader } from './reader.ts'

/** How far a name reaches back. */
const longestName = 48
/** A longer value in quotes is a text. */
const longestQuoted = 4_096
/** Where a value without quotes ends. */
const delimiters = ' \t\r\n"\'`,;&<>(){}[]\\'

/** A value and how it stands there. */
interface Value extends Span {
  readonly isQuoted: boolean
  /** It follows its name at once, as in a line of an environment, a query or a connection string. */
  readonly isTight: boolean
  readonly looks: Looks
}

/** The secret after a separator, where the name before it says that it is one. */
export function valueAfter(reader: Reader, separator: number, isError: boolean): Span | undefined {
  const { text } = reader
  const place = valuePlace(text, separator)
  if (place === undefined) return undefined
  const name = nameBefore(reader, separator)
  const header = headerOf(name)
  if (header) return headerValue(reader, place, header)
  const value = valueAt(reader, place, { isTight: place === separator + 1 })
  if (!value || isPlaceholder(text, value) || !couldBe(value, isError)) return undefined
  if (!isSecret(value, meaningOf(name), isError) || isAddress(text, value)) return undefined
  // A key of a known format is redacted as such, so that its beginning stays.
  return keyAt(reader, value.start) ? undefined : { start: value.start, end: value.end }
}

/** The secret after an option of a command, as in `--token abc`. */
export function optionValue(reader: Reader, at: number, isError: boolean): Span | undefined {
  const { text } = reader
  if (text[at + 1] === 'u' && text[at + 2] === ' ') return userAfter(reader, at + 3)
  if (text[at + 1] !== '-') return undefined
  const end = Math.min(reader.endOf(alphabets.dashed, at), at + longestName)
  if (text[end] !== ' ') return undefined
  const name = text.slice(at + 2, end)
  if (name === 'user') return userAfter(reader, end + 1)
  const value = valueAt(reader, end + 1, { isTight: true })
  if (!value || isPlaceholder(text, value) || text[value.start] === '-' || !isSecret(value, meaningOf(name), isError)) return undefined
  return keyAt(reader, value.start) ? undefined : { start: value.start, end: value.end }
}

/** The password of `name:password`, as commands take it. */
function userAfter(reader: Reader, from: number): Span | undefined {
  const { text } = reader
  const value = valueAt(reader, from, { isTight: true })
  if (!value) return undefined
  const colon = reader.next(':', value.start)
  const isPair = colon - value.start >= 2 && value.end - colon > 3 && text[colon + 1] !== '/' && colon < value.end
  return isPair && !isPlaceholder(text, { start: colon + 1 }) ? { start: colon + 1, end: value.end } : undefined
}

/** Where the value after a separator begins; undefined where this is a comparison, a type or the like. */
function valuePlace(text: string, separator: number): number | undefined {
  const mark = text[separator]
  const before = text[separator - 1] ?? ''
  const after = text[separator + 1] ?? ''
  if (mark === '>') return before === '=' || before === '-' || after === '=' ? undefined : separator + 1
  if (after === '=' || (mark === '=' && '=!<>'.includes(before)) || (mark === ':' && (after === ':' || before === ':'))) return undefined
  let at = separator + (mark === '=' && after === '>' ? 2 : 1)
  for (let blanks = 0; blanks < 4 && (text[at] === ' ' || text[at] === '\t'); blanks += 1) at += 1
  return at
}

function nameBefore(reader: Reader, separator: number): string {
  const { text } = reader
  let end = separator
  for (let skipped = 0; skipped < 5 && ' \t"\'`\\])?'.includes(text.charAt(end - 1)) && end > 0; skipped += 1) end -= 1
  const start = reader.startOf(alphabets.name, end, longestName)
  // An element is no name unless it is opened: `<password>`.
  if (text[separator] === '>' && text[start - 1] !== '<') return ''
  return text.slice(start, end)
}

function valueAt(reader: Reader, from: number, { isTight }: { isTight: boolean }): Value | undefined {
  const { text } = reader
  const isEscaped = text[from] === '\\'
  const quote = text.charAt(isEscaped ? from + 1 : from)
  const isQuoted = quote !== '' && '"\'`'.includes(quote)
  const start = isQuoted ? from + (isEscaped ? 2 : 1) : from
  let end = isQuoted ? Math.min(reader.next(quote, start), reader.next('\n', start)) : reader.next(delimiters, start)
  if (isQuoted && isEscaped && text[end - 1] === '\\') end -= 1
  // A call, a member of a list and a template are no values.
  if (end <= start || (isQuoted && end - start > longestQuoted) || (!isQuoted && end < text.length && '([{'.includes(text.charAt(end))))
    return undefined
  while (!isQuoted && end > start && '.:!?'.includes(text.charAt(end - 1))) end -= 1
  reader.steps += 96
  return { start, end, isQuoted, isTight, looks: looksOf(text, start, end) }
}

/** What Loom or others have put in place of a secret, and what stands for one. */
function isPlaceholder(text: string, { start }: { readonly start: number }): boolean {
  return '[<{$*%'.includes(text.charAt(start)) || text.startsWith('process.env', start) || text.startsWith('redacted', start)
}

/** What addresses carry is found in them. */
const isAddress = (text: string, { start, end }: Span): boolean => text.slice(start, Math.min(end, start + 20)).includes('://')

/** Whether a value may be a secret under any name: most are not, and their names need not be looked at. */
function couldBe({ looks, isQuoted, isTight }: Value, isError: boolean): boolean {
  if (looks.length < 4 || looks.different < 3) return false
  return (isError && (isQuoted || isTight)) || looks.hasDigit || looks.changes > 0 || looks.hasSymbol
}

function isSecret(value: Value, meaning: Meaning, isError: boolean): boolean {
  const { looks, isQuoted, isTight } = value
  if (meaning === undefined) return false
  if (meaning !== 'secret') return isRandom(looks, meaning)
  if (looks.hasBlank) return isQuoted && looks.hasDigit && looks.hasLetter && looks.changes > 0
  if (isError && (isQuoted || isTight)) return true
  return looks.length >= 6 && looks.hasLetter && (looks.hasDigit || (isQuoted && isNoWord(looks) && isMixed(looks)))
}

function isRandom(looks: Looks, meaning: 'hint' | 'service'): boolean {
  if (looks.hasBlank || looks.length < 14) return false
  if (meaning === 'service' && !looks.hasLetter && !looks.hasSymbol) return looks.length >= 15 && looks.hasDigit
  return isMixed(looks)
}

type Header = 'authorization' | 'cookie'

function headerOf(name: string): Header | undefined {
  const lower = name.toLowerCase()
  if (lower.endsWith('authorization')) return 'authorization'
  return lower.endsWith('cookie') ? 'cookie' : undefined
}

const schemes = /^(?:basic|bearer|token|digest|negotiate|apikey|api-key|aws4-hmac-sha256|hmac|key|bot|ntlm|signature|splunk|sso-key)[ \t]+/i

/** The value of a header: behind its scheme, to the end of its line or of its quotes. */
function headerValue(reader: Reader, from: number, header: Header): Span | undefined {
  const { text } = reader
  const isEscaped = text[from] === '\\'
  const quote = text.charAt(isEscaped ? from + 1 : from)
  const isQuoted = quote !== '' && '"\'`'.includes(quote)
  const start = isQuoted ? from + (isEscaped ? 2 : 1) : from
  const ends = [reader.next('\r\n', start), reader.next('"', start), reader.next("'", start), reader.next('`', start), start + longestQuoted]
  let end = Math.min(text.length, ...ends)
  if (text[end - 1] === '\\') end -= 1
  const scheme = schemes.exec(text.slice(start, start + 40))?.[0].length ?? 0
  const value = start + scheme
  if (end - value < 4 || isPlaceholder(text, { start: value })) return undefined
  reader.steps += 96
  const looks = looksOf(text, value, end)
  const isValue =
    header === 'cookie' ? reader.next('=', start) < end && looks.changes > 0 : scheme > 0 ? isNoWord(looks) : isToken(text, value, looks)
  if (!isValue || keyAt(reader, start)) return undefined
  const lastOf = (at: number): number =>
    header === 'authorization' && scheme > 0 && !/^digest|^aws4|^sig/i.test(text.slice(start, start + 5)) ? tokenEnd(reader, at) : end
  return { start: value, end: lastOf(value) }
}

const tokenEnd = (reader: Reader, at: number): number => reader.next(' \t\r\n"\'`,;<>\\', at)

const isToken = (text: string, at: number, looks: Looks): boolean =>
  !looks.hasBlank && looks.length >= 8 && isNoWord(looks) && isIn(alphabets.path, text.charCodeAt(at))
