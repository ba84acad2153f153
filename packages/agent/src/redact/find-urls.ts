/** Finds what addresses carry to log in: `scheme://name:password@host`, `scheme://token@host`. */
import { alphabets } from './alphabets.ts'
import type { Span } from './find-keys.ts'
import { isMixed, looksOf } from './random.ts'
import type { Reader } from './reader.ts'

/** The part before a host is looked for within so many characters. */
const longest = 512

/** The password of an address whose `://` stands here. */
export function passwordAt(reader: Reader, colon: number): Span | undefined {
  const { text } = reader
  const from = colon + 3
  const end = Math.min(reader.next(' \t\r\n"\'`<>\\', from), from + longest)
  const slash = Math.min(reader.next('/?#', from), end)
  const near = text.slice(from, slash)
  const separator = near.indexOf(':')
  const sign = signOf(reader, near, { from, separator, end })
  reader.steps += near.length
  if (sign === undefined || sign <= separator + 1) return undefined
  const start = from + separator + 1
  if ('[${'.includes(text.charAt(start))) return undefined
  // A name without a password is a token only where it looks like one.
  if (separator < 0 && !(sign >= 16 && isMixed(looksOf(text, from, from + sign)))) return undefined
  return { start, end: from + sign }
}

/** Where the host begins, counted from `from`: behind the last `@`. A password may hold a slash: then no port stands before it. */
function signOf(reader: Reader, near: string, { from, separator, end }: { from: number; separator: number; end: number }): number | undefined {
  const sign = near.lastIndexOf('@')
  if (sign > 0) return sign
  if (separator < 0 || reader.endOf(alphabets.digits, from + separator + 1) >= from + near.length) return undefined
  if (reader.next('@', from) >= end) return undefined
  const rest = reader.text.slice(from, end)
  reader.steps += rest.length
  return rest.lastIndexOf('@')
}
