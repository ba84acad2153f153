/**
 * Signatures and encrypted reasoning. Vendors give tokens that only they can read and refuse any that are not theirs; so do the wire servers.
 * A token proves itself: no server has to remember what it gave, and validators stay pure.
 */
import { createHash } from 'node:crypto'

const hash = (text: string): string => createHash('sha256').update(`loom wire ${text}`).digest('base64url').slice(0, 22)

/** A token around a text. */
export const seal = (text: string): string => `${Buffer.from(text).toString('base64url')}.${hash(text)}`

/** The text of a token, unless anything about it was changed. */
export function unseal(token: unknown): string | undefined {
  if (typeof token !== 'string') return undefined
  const text = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()
  return token === seal(text) ? text : undefined
}

/** The signature of a thinking block: it holds for this text alone. */
export const signThought = (thought: string): string => seal(hash(thought))

/** Whether the signature was given for this thought. */
export const isSigned = (thought: unknown, signature: unknown): boolean => typeof thought === 'string' && unseal(signature) === hash(thought)
