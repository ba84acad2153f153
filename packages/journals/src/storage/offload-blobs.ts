/**
 * Big texts are stored once, beside the line, under their hash.
 *
 * A stored line names every blob that its batch brings in a list of its own, in front of the events:
 *
 *     {"id":"1.1","v":2,"blobs":[["<hash>",0,"data","text"],["<hash>"]],"time":3,...,"events":[["tool.finished",{"text":null}]]}
 *
 * An entry with a path is a text that was taken out of the events, and the path says where it belongs; an entry without one is a blob that came with
 * the batch. So nothing inside an event is ever read as a reference, whatever a user or a model wrote there.
 */
import { type Batch, encodeBatch, type Json, type JsonObject, LoomError } from '@loom-agent/kernel'
import { blobHash } from './chain.ts'
import { journalError } from './failure.ts'
import { blobsOfRecord1, restoreRecord1 } from './record-1.ts'

/** How long a text may be inside a line, in UTF-16 units. */
export const longestText = 65_536

/** A line as it is stored, and the blobs that it names. */
export interface StoredLine {
  readonly line: string
  readonly blobs: ReadonlyMap<string, Uint8Array>
}

type Path = readonly (string | number)[]
type BlobEntry = readonly [hash: string, ...path: Path]
type ParsedLine = { readonly blobs?: readonly BlobEntry[]; readonly events: Json }

const none: ReadonlyMap<string, Uint8Array> = new Map()
const encoder = new TextEncoder()
const isDigest = /^[0-9a-f]{64}$/
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
/** The start of a line of version 2; the group matches when the line has a list of blobs. */
const beginning = /^\{"id":"(?:[^"\\]|\\.)*","v":2(,"blobs":)?/

/** Encodes a batch without its big texts. The blobs are copies: the writer may change its bytes afterwards. */
export function offloadBlobs(batch: Batch): StoredLine {
  const line = encodeBatch(batch)
  // No text is longer than the line that holds it, and almost no line needs a second look.
  if (!batch.blobs?.size && line.length <= longestText) return { line, blobs: none }
  const blobs = new Map<string, Uint8Array>()
  const entries: BlobEntry[] = []
  for (const [name, bytes] of batch.blobs ?? []) {
    if (isMisnamed(name, bytes)) throw misnamed(name, blobHash(bytes))
    blobs.set(name, bytes.slice())
    entries.push([name])
  }
  const { id, v, ...rest } = JSON.parse(line) as ParsedLine & { id: string; v: number }
  const events = withoutTexts(rest.events, [], (text, path) => {
    const bytes = encoder.encode(text)
    const hash = blobHash(bytes)
    blobs.set(hash, bytes)
    entries.push([hash, ...path])
  })
  return entries.length === 0 ? { line, blobs: none } : { line: JSON.stringify({ id, v, blobs: entries, ...rest, events }), blobs }
}

/** Whether a blob has the digest of other bytes as its name. */
export function isMisnamed(name: string, bytes: Uint8Array): boolean {
  return isDigest.test(name) && blobHash(bytes) !== name
}

/** A blob under the digest of other bytes would be read in place of a text that has this digest. */
function misnamed(name: string, digest: string): LoomError {
  const message = `A blob is named ${name}, and its SHA-256 is ${digest}. Name it by its SHA-256; nothing was stored.`
  return new LoomError('LOOM_OPTION_INVALID', message, { context: { blob: name, digest } })
}

/** The value with each big text replaced by null; the same object when it has none. */
function withoutTexts(value: Json, path: Path, found: (text: string, path: Path) => void): Json {
  if (typeof value === 'string') {
    // Half a surrogate pair has no UTF-8: such a text stays in the line, where JSON escapes it.
    if (value.length <= longestText || !value.isWellFormed()) return value
    found(value, path)
    return null
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: Json, index) => withoutTexts(item, [...path, index], found))
  const fields = Object.entries(value as JsonObject) as [string, Json][]
  return Object.fromEntries(fields.map(([key, field]) => [key, withoutTexts(field, [...path, key], found)]))
}

/** The hashes of all blobs that a stored line names. */
export function blobsOf(line: string): readonly string[] {
  const start = beginning.exec(line)
  if (!start) return blobsOfRecord1(line)
  return start[1] === undefined ? [] : [...new Set((JSON.parse(line) as ParsedLine).blobs?.map(([hash]) => hash))]
}

/** The hashes of the texts that were taken out of a stored line. */
export function textsOf(line: string): readonly string[] {
  const start = beginning.exec(line)
  if (!start) return blobsOfRecord1(line)
  return start[1] === undefined
    ? []
    : [...new Set((JSON.parse(line) as ParsedLine).blobs?.flatMap(([hash, ...path]) => (path.length > 0 ? [hash] : [])))]
}

/** Puts the texts back into a stored line; the result decodes to the events that were appended. `bytesOf` knows every hash of `textsOf`. */
export function restoreTexts(line: string, bytesOf: (hash: string) => Uint8Array | undefined): string {
  const start = beginning.exec(line)
  const textOf = (hash: string): string => {
    const bytes = bytesOf(hash)
    if (bytes === undefined) throw journalError('damaged', `The blob ${hash} is missing. Restore it from a copy of the journal.`)
    return decoder.decode(bytes)
  }
  if (!start) return restoreRecord1(line, textOf)
  if (start[1] === undefined) return line
  const { blobs = [], ...rest } = JSON.parse(line) as ParsedLine
  for (const [hash, ...path] of blobs) if (path.length > 0) put(rest.events, path, textOf(hash))
  return JSON.stringify(rest)
}

function put(root: Json, path: Path, text: string): void {
  let place = root as Record<string | number, Json>
  for (const key of path.slice(0, -1)) place = (Object.hasOwn(place, key) ? place[key] : {}) as Record<string | number, Json>
  const last = path.at(-1) as string | number
  if (Object.hasOwn(place, last)) place[last] = text
}
