/**
 * The hash chain that links each batch of a thread to the batches before it.
 *
 * The hash of a batch is SHA-256 over the hash of the batch before it and the bytes of its line as stored. The chain of a thread starts with its
 * name and its incarnation: a batch that is changed, removed, inserted, swapped or moved to another thread no longer fits.
 */
import { sha256 } from './node-crypto.ts'

/** The end of a chain after some batch: the seq of the last event, and the hash in hex. */
export interface Link {
  readonly seq: number
  readonly hash: string
}

/** The hash that the first batch of a thread is linked to, in hex. Format 1 used the name alone; there the incarnation is the name. */
export function chainStart(thread: string, incarnation: string = thread): string {
  return sha256(incarnation === thread ? `loom:${thread}` : `loom:${thread}\n${incarnation}`)
}

/** The hash of a batch, in hex. */
export function chainLink(previous: string, line: string): string {
  return sha256(`${previous}\n${line}`)
}

/** SHA-256 of bytes, in hex: the name of a blob. */
export function blobHash(bytes: Uint8Array): string {
  return sha256(bytes)
}

/** The batch id inside a stored line; undefined when the line is no batch. */
export function idOf(line: string): string | undefined {
  // `encodeBatch` writes the id first, so a long line need not be parsed.
  const text = /^\{"id":("(?:[^"\\]|\\.)*")/.exec(line)?.[1]
  return text === undefined ? undefined : (JSON.parse(text) as string)
}
