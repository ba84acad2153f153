/** Which blobs an event names. */
import type { Json, JsonObject } from '@loom-agent/kernel'

/** The hashes of the blobs that a value refers to as `{ $blob, bytes }`. */
export function blobsIn(value: unknown): readonly string[] {
  const hashes = new Set<string>()
  collect(value as Json, hashes)
  return [...hashes]
}

function collect(value: Json | undefined, hashes: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  const { $blob: hash, bytes } = value as JsonObject
  if (typeof hash === 'string' && typeof bytes === 'number') hashes.add(hash)
  for (const field of Object.values(value)) collect(field, hashes)
}
