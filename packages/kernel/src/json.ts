/**
 * JSON values: the only values an event may hold.
 *
 * JSON-1. A value is JSON before it enters an event, so that a frame folded live equals the frame folded from bytes.
 */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

/** The record's own value under a key that comes from outside; inherited properties do not count. */
export function own<T extends object, K extends keyof T>(record: T, key: K): T[K] | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

/** Renders a value with its keys sorted, so that equal values have equal text whatever order they were written in. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item: Json) => canonicalJson(item)).join(',')}]`
  const object = value as JsonObject
  const fields = keysOf(object).filter((key) => object[key] !== undefined)
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key] as Json)}`).join(',')}}`
}

/** The keys in order. Most objects have them in order, and checking costs less than sorting. */
function keysOf(object: JsonObject): readonly string[] {
  const keys = Object.keys(object)
  return isInOrder(object) ? keys : keys.sort()
}

function isInOrder(object: JsonObject): boolean {
  let last = ''
  for (const key in object) {
    if (key < last) return false
    last = key
  }
  return true
}

/**
 * Takes a text into a rolling digest (FNV-1a), for telling repeated things apart.
 *
 * It resists accidents, not attackers: what a human approves or a store verifies goes through the hash port.
 */
export function rollDigest(digest: number, text: string): number {
  return rollText(digest, text) >>> 0
}

/** Takes a value into a rolling digest, whatever order its keys were written in. */
export function rollJson(digest: number, value: Json | undefined): number {
  return rollValue(digest, value) >>> 0
}

/** Between these functions digests are signed: engines keep small signed numbers without an object of their own. */
function rollText(digest: number, text: string): number {
  let hash = digest
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return Math.imul(hash ^ text.length, 0x01000193)
}

function rollValue(digest: number, value: Json | undefined): number {
  if (typeof value === 'string') return rollText(rollText(digest, '"'), value)
  if (typeof value !== 'object' || value === null) return rollText(digest, String(value))
  if (Array.isArray(value)) return rollText(value.reduce<number>(rollValue, rollText(digest, '[')), ']')
  const object = value as JsonObject
  let next = rollText(digest, '{')
  if (isInOrder(object)) for (const key in object) next = rollField(next, key, object[key])
  else for (const key of keysOf(object)) next = rollField(next, key, object[key])
  return rollText(next, '}')
}

const rollField = (digest: number, key: string, value: Json | undefined): number =>
  value === undefined ? digest : rollValue(rollText(digest, key), value)

/** Where a rolling digest begins. */
export const freshDigest = 0x811c9dc5
