/** The digest of a request: it rolls on with every message. */
import { freshDigest, type Json, rollJson } from '@loom-agent/kernel'

/** Takes messages into a digest, one after another. */
export function rollMessages(messages: readonly Json[], digest: number = freshDigest): number {
  return messages.reduce<number>(rollJson, digest)
}

/** A digest as it is kept. */
export function digestText(digest: number): string {
  return digest.toString(36)
}

/** Messages as plain data: addresses of files are objects, and count by their text. */
export function plainMessages(messages: readonly unknown[]): readonly Json[] {
  return JSON.parse(JSON.stringify(messages)) as readonly Json[]
}
