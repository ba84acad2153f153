/** A result with notes on how it came about: they are stored with the call, and the model does not read them. */
import type { Blobs, FileChange, JsonObject } from '@loom-agent/kernel'

/** The brand (BAND-1). */
const brand = Symbol.for('loom.noted')

/** Files that were changed, or are about to be. */
export interface ChangedFiles {
  /** Each with its content before and after. */
  readonly files: readonly FileChange[]
  /** Those of their contents that are to be stored, by their SHA-256. */
  readonly kept?: Blobs | undefined
  /** Why there may be more changes than these. */
  readonly unseen?: string | undefined
}

/** What is noted on a value. */
interface Notes {
  /** What is stored as `meta` of the result. */
  readonly meta?: JsonObject
  /** The files that the call has changed. */
  readonly changed?: ChangedFiles
}

/** A value, and the notes on it. */
export interface Noted extends Notes {
  /** What the model reads: anything that a tool may return, also an error. */
  readonly value: unknown
}

/** Adds notes to what a tool returns. */
export const noted = (value: unknown, meta: JsonObject): Noted => addNotes(value, { meta: { ...notesOf(value)?.meta, ...meta } })

/** Adds notes, in place of those of their kind. */
export function addNotes(value: unknown, notes: Notes): Noted {
  const inner = notesOf(value)
  return Object.defineProperty({ value: inner ? inner.value : value, ...inner, ...notes }, brand, { value: true })
}

/** The value and its notes, where a function of Loom made them. */
export function notesOf(returned: unknown): Noted | undefined {
  try {
    return typeof returned === 'object' && returned !== null && Object.hasOwn(returned, brand) ? (returned as Noted) : undefined
  } catch {
    // What throws when it is looked at is none of Loom's own.
    return undefined
  }
}
