/**
 * Cursors of the feed, as text: where an entry is, and a part of its hash.
 *
 * CURSOR-1. A cursor is good if its entry is in the journal, or if a thread was removed after it: then the entry may have gone with that thread.
 *           In any other case the journal is not the one that the cursor is of, or an older copy of it (JOURNAL-16).
 */
import { staleCursor } from '@loom-agent/kernel'
import { sha256 } from './node-crypto.ts'

/** Where an entry is: as many numbers as the adapter needs, as text, because some are longer than a number can be. */
export type FeedPlace = readonly string[]

/** How many entries a page of the feed holds at most. */
export const feedPageSize = 512

/** Entries that a page of this limit looks at. */
export const feedPageOf = (limit: number = feedPageSize): number => Math.max(1, Math.min(limit, feedPageSize))

/** The cursor after an entry. */
export const cursorOf = (place: FeedPlace, check: string): string => [...place, check].join('-')

/** The part of the hash of a batch that its cursor holds. */
export const checkOfHash = (hex: string): string => hex.slice(0, 8)

/** What the cursor of a removal holds instead. */
export const checkOfText = (text: string): string => checkOfHash(sha256(text))

/** The place in a cursor, and its check; undefined for the start of the feed. */
export function placeIn(cursor: string | undefined, numbers: number): { readonly place: FeedPlace; readonly check: string } | undefined {
  if (cursor === undefined || cursor === startOfFeed) return undefined
  const parts = cursor.split('-')
  const place = parts.slice(0, -1)
  if (place.length !== numbers || !place.every((part) => /^\d{1,19}$/.test(part))) throw staleCursor(cursor)
  return { place, check: parts.at(-1) ?? '' }
}

/** The cursor of a feed without entries. */
export const startOfFeed = '0'

/** Throws unless the entry of a cursor is there as it was, or was removed since (CURSOR-1). */
export function checkCursor(cursor: string, check: string, found: { readonly check?: string | undefined; readonly removedSince: boolean }): void {
  if (found.check === undefined ? !found.removedSince : found.check !== check) throw staleCursor(cursor)
}
