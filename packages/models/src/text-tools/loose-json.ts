/** Parses JSON as models write it: with single quotes, bare keys, comments, too many or too few commas, and words of other languages. */
import type { Json } from '@loom-agent/kernel'

/** The deepest nesting that is read. */
const deepest = 64

class Unreadable extends Error {}

interface Cursor {
  readonly text: string
  at: number
  /** Whether what is still open at the end may be closed. */
  readonly mayClose: boolean
}

/**
 * Returns the value of a text that is almost JSON; undefined when it is not clear. Only the syntax is repaired, never the meaning. What is open at the end
 * is closed only when the caller knows that nothing was cut off.
 */
export function parseLoosely(text: string, { mayClose }: { readonly mayClose: boolean }): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    const cursor: Cursor = { text, at: 0, mayClose }
    try {
      skip(cursor)
      if (cursor.text[cursor.at] !== '{' && cursor.text[cursor.at] !== '[') return undefined
      const value = valueAt(cursor, 0)
      skip(cursor)
      return cursor.at === text.length ? value : undefined
    } catch (error) {
      if (error instanceof Unreadable) return undefined
      throw error
    }
  }
}

/** White space and comments. */
function skip(cursor: Cursor): void {
  const rest = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
  rest.lastIndex = cursor.at
  rest.exec(cursor.text)
  cursor.at = rest.lastIndex
}

function valueAt(cursor: Cursor, depth: number): Json {
  if (depth > deepest) throw new Unreadable()
  skip(cursor)
  const begin = cursor.text[cursor.at]
  if (begin === '{') return objectAt(cursor, depth)
  if (begin === '[') return listAt(cursor, depth)
  return begin !== undefined && begin in quotes ? stringAt(cursor) : wordAt(cursor)
}

/** Moves to the next item; returns false at the end of the list or object. */
function isMore(cursor: Cursor, close: string): boolean {
  for (;;) {
    skip(cursor)
    const next = cursor.text[cursor.at]
    if (next === undefined) {
      if (!cursor.mayClose) throw new Unreadable()
      return false
    }
    if (next !== ',' && next !== close) return true
    cursor.at += 1
    if (next === close) return false
  }
}

function objectAt(cursor: Cursor, depth: number): Json {
  const entries: [string, Json][] = []
  cursor.at += 1
  while (isMore(cursor, '}')) {
    const begin = cursor.text[cursor.at] ?? ''
    const key = begin in quotes ? stringAt(cursor) : String(take(cursor, /[\p{L}_$][\p{L}\p{N}_$-]*/uy))
    skip(cursor)
    if (cursor.text[cursor.at] !== ':') throw new Unreadable()
    cursor.at += 1
    entries.push([key, valueAt(cursor, depth + 1)])
  }
  return Object.fromEntries(entries)
}

function listAt(cursor: Cursor, depth: number): Json {
  const items: Json[] = []
  cursor.at += 1
  while (isMore(cursor, ']')) items.push(valueAt(cursor, depth + 1))
  return items
}

const quotes: { readonly [open: string]: string } = { '"': '"', "'": "'", '“': '”', '`': '`' }
const escapes: { readonly [letter: string]: string } = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

/** A text in any quotes. Raw line breaks are part of it. */
function stringAt(cursor: Cursor): string {
  const close = quotes[cursor.text[cursor.at] ?? '']
  let value = ''
  for (cursor.at += 1; cursor.at < cursor.text.length; cursor.at += 1) {
    const letter = cursor.text[cursor.at] as string
    if (letter === close) {
      cursor.at += 1
      return value
    }
    if (letter !== '\\') value += letter
    else {
      cursor.at += 1
      const escaped = cursor.text[cursor.at] ?? ''
      const code = escaped === 'u' ? /^[0-9a-fA-F]{4}/.exec(cursor.text.slice(cursor.at + 1))?.[0] : undefined
      value += code === undefined ? (escapes[escaped] ?? escaped) : String.fromCharCode(Number.parseInt(code, 16))
      if (code !== undefined) cursor.at += 4
    }
  }
  // A text without its end may have lost more than a quote.
  throw new Unreadable()
}

const words: { readonly [word: string]: Json } = { true: true, false: false, null: null, True: true, False: false, None: null, undefined: null }

function wordAt(cursor: Cursor): Json {
  const word = take(cursor, /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[A-Za-z]+/y)
  if (Object.hasOwn(words, word)) return words[word] ?? null
  const number = Number(word)
  if (Number.isNaN(number)) throw new Unreadable()
  return number
}

function take(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)?.[0]
  if (found === undefined) throw new Unreadable()
  cursor.at += found.length
  return found
}
