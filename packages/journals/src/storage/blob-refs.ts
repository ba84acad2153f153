/**
 * Which blobs events name.
 *
 * BLOB-1. A value refers to a blob only if a batch of the same thread brought it (JOURNAL-25). A tool or a model that writes the name of another thread's
 *     blob has written data: no export, copy or fixture carries those bytes for it, and no check misses them.
 */
import type { Journal, Json, JsonObject, LoomEvent } from '@loom-agent/kernel'

/** The blobs of a thread. */
export type OwnBlobs = ReadonlySet<string>

/** The blobs that batches of a thread brought. */
export async function ownBlobsOf(journal: Pick<Journal, 'blobNames'>, thread: string): Promise<OwnBlobs> {
  return new Set(await journal.blobNames(thread))
}

/** The names of a thread's blobs that a value refers to as `{ $blob, bytes }`. */
export function blobsIn(value: unknown, own: OwnBlobs): readonly string[] {
  if (own.size === 0) return []
  const hashes = new Set<string>()
  collect(value as Json, hashes)
  return [...hashes].filter((hash) => own.has(hash))
}

/** The blobs that these events are the first of their thread to name, which it adds to `known`. A blob that the journal has lost is left out. */
export async function newBlobs(
  journal: Journal,
  events: readonly LoomEvent[],
  { known, own }: { readonly known: Set<string>; readonly own: OwnBlobs },
): Promise<ReadonlyMap<string, Uint8Array>> {
  const blobs = new Map<string, Uint8Array>()
  for (const name of events.flatMap(({ data }) => blobsIn(data, own))) {
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
