/**
 * The whole text of a result that is too long for the model.
 *
 * WHOLE-1. It is stored beside its event, in the same batch, and the event refers to it: no frame holds it, and no fold reads it.
 * WHOLE-2. What is kept is what the output was cut from: secrets that were taken out of that are not in it.
 */
import type { Blobs, WholeResult } from '@loom-agent/kernel'
import { sha256 } from '#sha256'

/** Keeps the first `limit` characters of a text; undefined where nothing is to be kept. */
export function keepWhole(text: string, limit: number): { readonly whole: WholeResult; readonly blobs: Blobs } | undefined {
  if (!limit) return undefined
  const kept = text.slice(0, limit).toWellFormed()
  const lost = text.length - kept.length
  // Journals refuse bytes under the digest of others: it is always SHA-256, whatever the agent digests with.
  const name = sha256(kept)
  const bytes = new TextEncoder().encode(kept)
  return {
    whole: { text: { $blob: name, bytes: bytes.length }, characters: kept.length, ...(lost > 0 && { lost }) },
    blobs: new Map([[name, bytes]]),
  }
}
