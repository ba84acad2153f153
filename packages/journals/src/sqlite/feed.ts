/**
 * Reads the feed: batches and removals in the order of their positions. Inside transactions only.
 *
 * SQLITE-5. Positions are in the order of commits, because one transaction writes at a time: whatever is committed later has a greater one.
 */
import type { FeedEntry, FeedPage, FeedRange } from '@loom-agent/kernel'
import {
  checkCursor,
  checkOfHash,
  checkOfText,
  cursorOf,
  type FoundEntry,
  feedPageOf,
  ownerOf,
  placeIn,
  startOfFeed,
} from '../storage/feed-cursor.ts'
import { hexOf, summaryColumnsIn, summaryOf, textOf } from '../storage/thread-columns.ts'
import { removals } from './schema.ts'
import type { Row, Tables } from './tables.ts'

const columns = 'b.position, b.thread, b.last, b.hash, case when b.thread = 0 then b.line end as line'

/** A page of the feed. */
export function readFeed(tables: Tables, { from, limit }: FeedRange): FeedPage {
  const wanted = feedPageOf(limit)
  const at = placeIn(from, 2)
  if (from !== undefined && at) checkCursor(from, entryAt(tables, at))
  const sql = `select ${columns}, t.name, t.incarnation, t.status, t.agent, t.parent, t.wake_at, t.labels, t.quarantined
    from batches b left join threads t on t.id = b.thread where b.position > ? order by b.position limit ?`
  const rows = tables.all(sql, Number(at?.place[0] ?? 0), wanted)
  const last = rows.at(-1)
  return { entries: rows.flatMap(entryIn), cursor: last ? cursorIn(last) : (from ?? startOfFeed), isEnd: rows.length < wanted }
}

/** What is known of the entry of a cursor. */
function entryAt({ all, get }: Tables, { place, owner }: NonNullable<ReturnType<typeof placeIn>>): FoundEntry {
  const [position = 0, seq = 0] = place.map(Number)
  const row = get(`select ${columns}, t.name, t.incarnation from batches b left join threads t on t.id = b.thread where b.position = ?`, position)
  if (row) return { cursor: cursorIn(row) }
  const since = all('select line from batches where thread = ? and last > ? order by last', removals, position).map(removedIn)
  return { cursor: undefined, isRemoved: since.some((removed) => removed.seq >= seq && ownerOf(removed.thread, removed.incarnation) === owner) }
}

type Removed = Pick<FeedEntry, 'thread' | 'incarnation' | 'seq'>
const removedIn = ({ line }: Row): Removed => (JSON.parse(String(line)) as { removed: Removed }).removed

const isRemoval = ({ thread }: Row): boolean => Number(thread) === removals
const checkIn = (row: Row): string => (isRemoval(row) ? checkOfText(String(row['line'])) : checkOfHash(hexOf(row['hash'])))

function entryIn(row: Row): readonly FeedEntry[] {
  const position = cursorIn(row)
  if (isRemoval(row)) return [{ position, kind: 'removed', ...removedIn(row) }]
  const thread = textOf(row['name'])
  // A batch without a thread is damage, which `inspect` reports.
  return thread === null ? [] : [{ ...summaryOf(summaryColumnsIn(row), thread), position, kind: 'changed', ...committedIn(row) }]
}

/** The thread that a batch belongs to, up to its end. */
function committedIn(row: Row): Removed {
  const thread = textOf(row['name']) ?? ''
  return { thread, incarnation: textOf(row['incarnation']) ?? thread, seq: Number(row['last']) }
}

function cursorIn(row: Row): string {
  const { thread, incarnation, seq } = isRemoval(row) ? removedIn(row) : committedIn(row)
  return cursorOf([String(row['position']), String(seq)], { check: checkIn(row), owner: ownerOf(thread, incarnation) })
}
