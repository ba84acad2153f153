/**
 * Cursors of the feed, as text: where an entry is, a part of its hash, and a part of the hash of its thread and incarnation.
 *
 * CURSOR-1. A cursor is good if its entry is in the journal as it was, or if its thread was removed after it and was at least that long: then the entry
 *           has gone with its thread. In any other case the journal is not the one that the cursor is of, or an older copy of it (JOURNAL-16). The
 *           removal of another thread proves nothing: an older copy may have been restored before it.
 * CURSOR-2. A text is a cursor only as a whole: with anything before, in or behind it that the journal did not write it is none.
 */
import { staleCursor } from '@loom-agent/kernel'
import { sha256 } from './node-crypto.ts'

/** Where an entry is: as many numbers as the adapter needs, as text, because some are longer than a number can be. */
export type FeedPlace = readonly string[]

/** How many entries a page of the feed holds at most. */
export const feedPageSize = 512

/** Entries that a page of this limit looks at. */
export const feedPageOf = (limit: number = feedPageSize): number => Math.max(1, Math.min(limit, feedPageSize))

/** What a cursor holds besides the place of its entry. */
export interface CursorProof {
  /** A part of the hash of a batch; of a removal, of what was removed. */
  readonly check: string
  /** A part of the hash of the thread and its incarnation. */
  readonly owner: string
}

/** The cursor after an entry. */
export const cursorOf = (place: FeedPlace, { check, owner }: CursorProof): string => [...place, check, owner].join('-')

/** The part of a hash that a cursor holds. */
export const checkOfHash = (hex: string): string => hex.slice(0, 8)

/** The part of the hash of a text that a cursor holds. */
export const checkOfText = (text: string): string => checkOfHash(sha256(text))

/** The owner in the cursors of an incarnation of a thread. */
export const ownerOf = (thread: string, incarnation: string): string => checkOfText(`${thread}\n${incarnation}`)

/** The greatest number that a database can hold: no entry is beyond it. */
const lastPlace = 2n ** 63n - 1n

const isPlace = (part: string): boolean => /^(0|[1-9]\d{0,18})$/.test(part) && BigInt(part) <= lastPlace

const isProof = (part: string): boolean => /^[0-9a-f]{8}$/.test(part)

/** The place in a cursor, and its proof; undefined for the start of the feed. */
export function placeIn(cursor: string | undefined, numbers: number): (CursorProof & { readonly place: FeedPlace }) | undefined {
  if (cursor === undefined || cursor === startOfFeed) return undefined
  const parts = cursor.split('-')
  const place = parts.slice(0, -2)
  const [check = '', owner = ''] = parts.slice(-2)
  if (place.length !== numbers || !place.every(isPlace) || !isProof(check) || !isProof(owner)) throw staleCursor(cursor)
  return { place, check, owner }
}

/** The cursor of a feed without entries. */
export const startOfFeed = '0'

/** What is known of the entry of a cursor: its own cursor if it is there, or else whether it was removed with its thread. */
export type FoundEntry = Readonly<{ cursor: string } | { cursor: undefined; isRemoved: boolean }>

/** Throws unless the entry of a cursor is there as it was, or was removed since (CURSOR-1, CURSOR-2). */
export function checkCursor(cursor: string, found: FoundEntry): void {
  if (found.cursor === undefined ? !found.isRemoved : found.cursor !== cursor) throw staleCursor(cursor)
}
