/**
 * Lines of version 1, which are still read and never written: big texts were marked among the events.
 *
 * In such a line `{"$blob":"<hash>"}`, with no other key, stands for a text. A user's own `$blob` was escaped: an object whose only key is `$blob`,
 * with any number of `$`, got one `$` more, and loses it when it is read. A `{ $blob, bytes }` of the kernel has two keys and stays as it is.
 */
import type { Json, JsonObject } from '@loom-agent/kernel'

type Record1 = { readonly events: Json }

const mentions = (line: string): boolean => line.includes('$blob":')

/** The hashes of the texts that were taken out of a line of version 1. */
export function blobsOfRecord1(line: string): readonly string[] {
  if (!mentions(line)) return []
  const hashes = new Set<string>()
  rewrite((JSON.parse(line) as Record1).events, (key, value) => {
    if (key === '$blob' && typeof value === 'string') hashes.add(value)
    return { [key]: value }
  })
  return [...hashes]
}

/** Puts the texts back into a line of version 1. */
export function restoreRecord1(line: string, textOf: (hash: string) => string): string {
  if (!mentions(line)) return line
  const parsed = JSON.parse(line) as Record1
  const events = rewrite(parsed.events, (key, value) => (key === '$blob' ? textOf(String(value)) : { [key.slice(1)]: value }))
  return JSON.stringify({ ...parsed, events })
}

/** The value with every object rewritten whose only key is `$blob`, with any number of `$`. */
function rewrite(value: Json, marked: (key: string, value: Json) => Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: Json) => rewrite(item, marked))
  const fields = (Object.entries(value as JsonObject) as [string, Json][]).map(([key, field]): [string, Json] => [key, rewrite(field, marked)])
  const [only] = fields
  if (only && fields.length === 1 && /^\$+blob$/.test(only[0])) return marked(...only)
  return Object.fromEntries(fields)
}
