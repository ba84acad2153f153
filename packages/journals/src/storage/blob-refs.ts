/** Which blobs events name. */
import type { Journal, Json, JsonObject, LoomEvent } from '@loom-agent/kernel'

/** The hashes of the blobs that a value refers to as `{ $blob, bytes }`. */
export function blobsIn(value: unknown): readonly string[] {
  const hashes = new Set<string>()
  collect(value as Json, hashes)
  return [...hashes]
}

/** The blobs that these events are the first of their thread to name, which it adds to `known`. A blob that the journal has lost is left out. */
export async function newBlobs(journal: Journal, events: readonly LoomEvent[], known: Set<string>): Promise<ReadonlyMap<string, Uint8Array>> {
  const blobs = new Map<string, Uint8Array>()
  for (const name of events.flatMap(({ data }) => blobsIn(data))) {
    const bytes = known.has(name) ? undefined : await journal.blob(name)
    if (!bytes) continue
    known.add(name)
    blobs.set(name, bytes)
  }
  return blobs
}

function collect(value: Json | undefined, hashes: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  const { $blob: hash, bytes } = value as JsonObject
  if (typeof hash === 'string' && typeof bytes === 'number') hashes.add(hash)
  for (const field of Object.values(value)) collect(field, hashes)
}
