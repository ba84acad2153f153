/**
 * JSON values: the only values an event may hold.
 *
 * K1. Whatever enters an event is JSON before it enters, so that a frame folded live equals the frame folded from bytes.
 */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

/** Renders a value with its keys sorted, so that equal values have equal text whatever order they were written in. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonicalJson(item)).join(',')}]`
  const object = value as JsonObject
  let text = ''
  for (const key of Object.keys(object).sort()) {
    const field = object[key]
    if (field === undefined) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(field)}`
  }
  return `{${text}}`
}

/**
 * A quick 53-bit digest of a text, for telling repeated things apart.
 *
 * It resists accidents, not attackers: what a human approves or a store verifies goes through the hash port.
 */
export function quickDigest(text: string, seed = 0): string {
  let high = 0xdeadbeef ^ seed
  let low = 0x41c6ce57 ^ seed
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36)
}
