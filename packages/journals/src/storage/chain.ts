/**
 * The hash chain: what a thread's batches have in common with those before them.
 *
 * The hash of a batch is SHA-256 over the hash of the batch before it and the bytes of its line as stored. The chain of a thread begins with its
 * name and its incarnation, so that a batch changed, taken out, put in, swapped or moved to another thread does not fit any more.
 */
import { sha256 } from './node-crypto.ts'

/** What the first batch of a thread is linked to, in hex. In format 1 the name was all; there the incarnation is the name. */
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

/** The batch id inside a stored line; undefined when the line is none. */
export function idOf(line: string): string | undefined {
  // The id is what `encodeBatch` writes first: a long line need not be parsed for it.
  const text = /^\{"id":("(?:[^"\\]|\\.)*")/.exec(line)?.[1]
  return text === undefined ? undefined : (JSON.parse(text) as string)
}
