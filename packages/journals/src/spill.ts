/**
 * Big texts are kept beside the line, once, under their hash.
 *
 * In a stored line `{"$blob":"<hash>"}`, with no other key, stands for a text. What a user calls so is escaped: an object whose only key is `$blob`,
 * with any number of `$`, gets one `$` more, and loses it when it is read. A `{ $blob, bytes }` of the kernel has two keys and stays as it is.
 */
import type { Json, JsonObject } from '@loom-agent/kernel'
import { blobHash } from './chain.ts'
import { journalError } from './failure.ts'

/** How long a text may be inside a line, in UTF-16 units. */
export const spillLimit = 65_536

/** A line without its big texts, and the texts as UTF-8 by their hashes. */
export interface Spilled {
  readonly line: string
  readonly blobs: ReadonlyMap<string, Uint8Array>
}

type Line = { readonly events: Json }
const none: ReadonlyMap<string, Uint8Array> = new Map()
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Takes the big texts out of an encoded batch. */
export function spill(line: string): Spilled {
  // No text is longer than the line that holds it, and almost no line needs a second look.
  if (line.length <= spillLimit && !mentions(line)) return { line, blobs: none }
  const blobs = new Map<string, Uint8Array>()
  const parsed = JSON.parse(line) as Line
  const events = rewrite(parsed.events, {
    text(text) {
      // Half a surrogate pair has no UTF-8: such a text stays in the line, where JSON escapes it.
      if (text.length <= spillLimit || !text.isWellFormed()) return text
      const bytes = encoder.encode(text)
      const hash = blobHash(bytes)
      blobs.set(hash, bytes)
      return { $blob: hash }
    },
    only: (key, value) => ({ [`$${key}`]: value }),
  })
  return events === parsed.events ? { line, blobs: none } : { line: JSON.stringify({ ...parsed, events }), blobs }
}

/** The hashes of the texts that a stored line has elsewhere. */
export function spilledIn(line: string): readonly string[] {
  if (!mentions(line)) return []
  const hashes = new Set<string>()
  rewrite((JSON.parse(line) as Line).events, {
    text: (text) => text,
    only(key, value) {
      if (key === '$blob' && typeof value === 'string') hashes.add(value)
      return { [key]: value }
    },
  })
  return [...hashes]
}

/** Puts the texts back into a stored line: it is what `spill` was given. `blobOf` answers the bytes for every hash of `spilledIn`. */
export function unspill(line: string, blobOf: (hash: string) => Uint8Array | undefined): string {
  if (!mentions(line)) return line
  const parsed = JSON.parse(line) as Line
  const events = rewrite(parsed.events, {
    text: (text) => text,
    only(key, value) {
      if (key !== '$blob') return { [key.slice(1)]: value }
      const bytes = typeof value === 'string' ? blobOf(value) : undefined
      if (bytes === undefined)
        throw journalError('damaged', `The blob ${JSON.stringify(value)} is missing. Bring it back from a copy of the journal.`)
      return decoder.decode(bytes)
    },
  })
  return JSON.stringify({ ...parsed, events })
}

interface Rewriting {
  text(text: string): Json
  /** An object whose only key is `$blob`, with any number of `$`; the value is rewritten already. */
  only(key: string, value: Json): Json
}

const mentions = (line: string): boolean => line.includes('$blob":')

/** The value with its texts and its marks rewritten; the same object when there is nothing to rewrite. */
function rewrite(value: Json, rewriting: Rewriting): Json {
  if (typeof value === 'string') return rewriting.text(value)
  if (typeof value !== 'object' || value === null) return value
  const before = Object.entries(value as JsonObject) as [string, Json][]
  const after = before.map(([key, field]): [string, Json] => [key, rewrite(field, rewriting)])
  const changed = after.some(([, field], index) => field !== before[index]?.[1])
  if (Array.isArray(value)) return changed ? after.map(([, field]) => field) : value
  const [only] = after
  if (only && after.length === 1 && /^\$+blob$/.test(only[0])) return rewriting.only(...only)
  return changed ? Object.fromEntries(after) : value
}
