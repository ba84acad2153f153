/**
 * Reads the feed: batches and removals in the order of their positions. Inside transactions only.
 *
 * SQLITE-5. Positions are in the order of commits, because one transaction writes at a time: whatever is committed later has a greater one.
 */
import type { FeedEntry, FeedPage, FeedRange } from '@loom-agent/kernel'
import { checkCursor, checkOfHash, checkOfText, cursorOf, feedPageOf, placeIn, startOfFeed } from '../storage/feed-cursor.ts'
import { hexOf, summaryColumnsIn, summaryOf, textOf } from '../storage/thread-columns.ts'
import { removals } from './schema.ts'
import type { Row, Tables } from './tables.ts'

const columns = 'b.position, b.thread, b.last, b.hash, case when b.thread = 0 then b.line end as line'

/** A page of the feed. */
export function readFeed(tables: Tables, { from, limit }: FeedRange): FeedPage {
  const wanted = feedPageOf(limit)
  const at = placeIn(from, 1)
  if (from !== undefined && at) checkCursor(from, at.check, entryAt(tables, Number(at.place[0])))
  const sql = `select ${columns}, t.name, t.incarnation, t.status, t.agent, t.parent, t.wake_at, t.labels
    from batches b left join threads t on t.id = b.thread where b.position > ? order by b.position limit ?`
  const rows = tables.all(sql, Number(at?.place[0] ?? 0), wanted)
  const last = rows.at(-1)
  return { entries: rows.flatMap(entryIn), cursor: last ? cursorIn(last) : (from ?? startOfFeed), isEnd: rows.length < wanted }
}

/** What is known of the entry of a cursor. */
function entryAt({ get }: Tables, position: number): { readonly check?: string; readonly removedSince: boolean } {
  const row = get(`select ${columns} from batches b where b.position = ?`, position)
  if (row) return { check: checkIn(row), removedSince: false }
  const since = get('select 1 as found from batches where thread = ? and last > ? limit 1', removals, position)
  return { removedSince: since !== undefined }
}

const isRemoval = ({ thread }: Row): boolean => Number(thread) === removals
const checkIn = (row: Row): string => (isRemoval(row) ? checkOfText(String(row['line'])) : checkOfHash(hexOf(row['hash'])))
const cursorIn = (row: Row): string => cursorOf([String(row['position'])], checkIn(row))

function entryIn(row: Row): readonly FeedEntry[] {
  const position = cursorIn(row)
  if (isRemoval(row)) {
    const { removed } = JSON.parse(String(row['line'])) as { removed: Pick<FeedEntry, 'thread' | 'incarnation' | 'seq'> }
    return [{ position, kind: 'removed', ...removed }]
  }
  const thread = textOf(row['name'])
  // A batch without a thread is damage, which `inspect` reports.
  if (thread === null) return []
  const incarnation = textOf(row['incarnation']) ?? thread
  return [{ ...summaryOf(summaryColumnsIn(row), thread), position, kind: 'changed', thread, incarnation, seq: Number(row['last']) }]
}
