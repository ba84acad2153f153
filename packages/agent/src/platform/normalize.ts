/**
 * Values of users become JSON once, here, before they enter an event: memory and disk behave alike (JSON-1).
 *
 * NORMAL-1. It takes a bounded number of steps, also where a value holds the same part many times over, and each of those parts again: written out, forty
 *     lists of two are more than any memory holds. What has more than five million parts is unreadable, as what throws is.
 */
import { isLoomError, type Json } from '@loom-agent/kernel'
import { ignore, ignoreWithin } from './call-user.ts'
import { withoutSecrets } from './redaction.ts'

/** A value as JSON: big integers as digits, maps as objects, sets as arrays, errors as name and message; cycles and functions are named. */
export function toJson(value: unknown): Json {
  if (value === undefined) return null
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed()
  // JSON knows no minus zero.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : String(value)
  if (typeof value === 'boolean' || value === null) return value
  return JSON.parse(jsonText(value)) as Json
}

/** A JSON text as a value that stays what it is when it is written again: parsing makes minus zeros and infinities, and JSON has none. */
export function parseJson(text: string): Json {
  const value = JSON.parse(text) as Json
  return unfaithful.test(text) ? toJson(value) : value
}

/** Where a number may begin that does not stay what it is. A match inside a text costs a second pass and nothing else. */
const unfaithful = /(?:^|[\s:,[])(?:-0|-?\d[\d.]*[eE]|-?\d{309})/

/** What is nested deeper than this is replaced by a note. */
const deepest = 200

/** How many parts of a value are written. */
const mostParts = 5_000_000

/** The JSON text of a value that need not be JSON. Never throws. */
export function jsonText(value: unknown): string {
  const path: object[] = []
  let parts = 0
  try {
    return (
      JSON.stringify(value, function encode(this: object, _key, field: unknown) {
        parts += 1
        if (parts > mostParts) throw new Error(`it has more than ${mostParts} parts`)
        while (path.length > 0 && path.at(-1) !== this) path.pop()
        const plain = plainOf(field)
        if (typeof plain !== 'object' || plain === null) return plain
        if (plain instanceof Promise) ignore(plain)
        // No text has what is under them.
        for (const symbol of Object.getOwnPropertySymbols(plain)) ignoreWithin(Object.getOwnPropertyDescriptor(plain, symbol)?.value)
        if (path.includes(plain)) return '[circular]'
        if (path.length >= deepest) return '[too deep]'
        path.push(plain)
        return plain
      }) ?? 'null'
    )
  } catch (error) {
    return JSON.stringify(`[unreadable value: ${messageOf(error)}]`)
  }
}

function plainOf(value: unknown): unknown {
  switch (typeof value) {
    case 'bigint':
      return value.toString()
    case 'function':
      return `[function ${value.name}]`
    case 'symbol':
      return value.toString()
    case 'string':
      return value.isWellFormed() ? value : value.toWellFormed()
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'object':
      // What they hold, not what an iterator of their own goes on with for ever.
      if (value instanceof Map) return Object.fromEntries(Array.from(Map.prototype.entries.call(value), ([key, item]) => [String(key), item]))
      if (value instanceof Set) return Array.from(Set.prototype.values.call(value))
      if (value instanceof Error) return { name: value.name, message: messageOf(value) }
      if (value instanceof Uint8Array) return `[${value.length} bytes]`
      return value
    default:
      return value
  }
}

/** A text as it is, anything else as JSON. Never throws. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : jsonText(value)
}

/** A value in a message: texts in quotes, long ones cut. Never throws. */
export function shown(value: unknown): string {
  if (value === undefined || typeof value === 'number') return String(value)
  const text = typeof value === 'function' ? 'a function' : value instanceof Promise ? 'a promise' : jsonText(value)
  ignoreWithin(value)
  return text.length > 200 ? `${text.slice(0, 200).toWellFormed()}...` : text
}

/** A text that ends like a sentence, so that another may follow. */
export function toSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** What a thrown value says, whatever was thrown, without secrets (SECRET-1). */
export function messageOf(thrown: unknown): string {
  const said = beginningOf(saidBy(thrown))
  try {
    return withoutSecrets(said, isLoomError(thrown) ? 'message' : 'foreign')
  } catch {
    return 'an error that cannot be read'
  }
}

/** Characters of a message that are read: foreign code may say anything, and each of them is looked at. */
const longestMessage = 262_144

/** The beginning of a message, cut between two words: half a secret would not be known as one. */
function beginningOf(said: string): string {
  if (said.length <= longestMessage) return said
  const cut = said.slice(0, longestMessage)
  const words = cut.slice(0, Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n')) + 1)
  return `${words}... (${said.length} characters)`.toWellFormed()
}

function saidBy(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return thrown.message || thrown.name
    if (typeof thrown === 'string') return thrown
    if (thrown === undefined || thrown === null) return `${thrown} was thrown`
    if (typeof thrown === 'object' && thrown !== null && 'message' in thrown && typeof thrown.message === 'string') return thrown.message
    return jsonText(thrown)
  } catch {
    return 'an error that cannot be read'
  }
}
