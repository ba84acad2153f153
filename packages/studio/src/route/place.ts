/**
 * Where the reader is: a path with parts, and a query. Every view is an address, and every address of a thread has its moment as `thread@seq`.
 *
 * PLACE-1. An address that was written is read back as the same place, whatever characters the ids have.
 */

/** A path, split and decoded, and the query. */
export interface Place {
  /** The parts of the path, decoded. */
  readonly parts: readonly string[]
  /** The query. */
  readonly query: URLSearchParams
  /** The path as it is in the address. */
  readonly path: string
}

/** A thread, at one of its events or at its end. */
export interface Moment {
  readonly thread: string
  /** The event; `undefined`: the end, which moves on while the thread does. */
  readonly seq: number | undefined
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Reads an address. */
export function placeOf(path: string, search: string): Place {
  return {
    parts: path
      .split('/')
      .filter((part) => part !== '')
      .map(decoded),
    query: new URLSearchParams(search),
    path,
  }
}

/** Reads the part of an address that names a moment, from the undecoded path. */
export function momentOf(part: string): Moment {
  const [, thread, seq] = /^(.+)@([1-9]\d{0,14})$/.exec(part) ?? []
  return thread === undefined ? { thread: decoded(part), seq: undefined } : { thread: decoded(thread), seq: Number(seq) }
}

/** The address of a moment. `view` and other choices of the page are the query. */
export function threadPath({ thread, seq }: Moment, query: { readonly [name: string]: string | undefined } = {}): string {
  const at = seq === undefined ? '' : `@${seq}`
  return `/threads/${encodeURIComponent(thread)}${at}${searchOf(query)}`
}

/** A query as text; what is `undefined` or empty is left out. */
export function searchOf(query: { readonly [name: string]: string | undefined }): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '')
  const text = new URLSearchParams(given).toString()
  return text === '' ? '' : `?${text}`
}

/** Reads `thread@seq` as people write it, such as in the palette. */
export function momentIn(text: string): Moment {
  const [, thread, seq] = /^(.+)@([1-9]\d{0,14})$/.exec(text) ?? []
  return thread === undefined ? { thread: text, seq: undefined } : { thread, seq: Number(seq) }
}
