/** A result with notes on how it came about: they are stored with the call, and the model does not read them. */
import type { JsonObject } from '@loom-agent/kernel'

/** The brand (BAND-1). */
const brand = Symbol.for('loom.noted')

/** A value, and the notes on it. */
export interface Noted {
  /** What the model reads: anything that a tool may return, also an error. */
  readonly value: unknown
  /** What is stored as `meta` of the result. */
  readonly meta: JsonObject
}

/** Adds notes to what a tool returns. */
export function noted(value: unknown, meta: JsonObject): Noted {
  const inner = notesOf(value)
  return Object.defineProperty(inner ? { value: inner.value, meta: { ...inner.meta, ...meta } } : { value, meta }, brand, { value: true })
}

/** The value and its notes, where `noted()` made it. */
export function notesOf(returned: unknown): Noted | undefined {
  return typeof returned === 'object' && returned !== null && Object.hasOwn(returned, brand) ? (returned as Noted) : undefined
}
