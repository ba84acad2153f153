/**
 * Reads the feed: batches and removals in the order of their transactions.
 *
 * PG-13. A page ends before the oldest transaction that is still open anywhere on the server (the horizon): whatever is committed later comes after it.
 *        So a reader skips nothing, and a transaction that is left open delays the feed.
 * PG-14. No statement reads all of a long table: a BRIN index finds the rows of a range of transactions, and the range grows until it fills a page.
 *
 * A database that was restored into another server has positions of transactions that are still to come there. They become 0 when the journal is
 * opened (PG-15): all that was restored comes before everything new, and older cursors are stale.
 */
import type { FeedEntry, FeedPage, FeedRange } from '@loom-agent/kernel'
import { checkCursor, checkOfHash, cursorOf, type FeedPlace, feedPageOf, ownerOf, placeIn, startOfFeed } from '../storage/feed-cursor.ts'
import { summaryColumnsIn, summaryOf, textOf } from '../storage/thread-columns.ts'
import type { Database } from './database.ts'
import { isRow, type Row } from './driver.ts'

/** How many transactions the first range of a page covers, and how much more each one after it. */
const firstRange = 4096
const growth = 8

/** Tells the removals of one transaction apart, as `last` does the batches of a thread. */
const removalKey = `('x' || substr(md5(r.name || E'\\n' || r.incarnation), 1, 15))::bit(60)::bigint`

/** The owner in the cursors of a thread that was removed, as `ownerOf` makes it. */
const removalOwner = `substr(encode(sha256(convert_to(r.name || E'\\n' || r.incarnation, 'UTF8')), 'hex'), 1, 8)`

/** Reads pages of the feed; `check` throws when the journal is closed. */
export function createReadFeed(database: Database, check: () => void): (range?: FeedRange) => Promise<FeedPage> {
  return async ({ from, limit } = {}) => {
    check()
    const at = placeIn(from, 3)
    const horizon = await horizonAfter(database, from, at)
    return readPage(database, { from, after: at?.place ?? ['0', '0', '0'], wanted: feedPageOf(limit), horizon })
  }
}

/** The horizon (PG-13); throws if the cursor is stale. */
async function horizonAfter({ ask, s }: Database, from: string | undefined, at: ReturnType<typeof placeIn>): Promise<number> {
  const horizon = 'pg_snapshot_xmin(pg_current_snapshot())::text as horizon'
  if (from === undefined || !at) return Number((await ask(`select ${horizon}`))[0]?.['horizon'])
  const [row] = await ask(
    `select ${horizon},
      case when exists (select 1 from ${s}.batches b where b.thread = $2::bigint and b.last = $3::bigint) then false
        else exists (select 1 from ${s}.removals r where r.position >= $1::bigint and r.seq >= $3::bigint and ${removalOwner} = $4) end as since,
      (select json_build_object('position', b.position::text, 'thread', b.thread::text, 'last', b.last::text, 'hash', encode(b.hash, 'hex'),
        'name', t.name, 'incarnation', t.incarnation) from ${s}.batches b join ${s}.threads t on t.id = b.thread
        where b.thread = $2::bigint and b.last = $3::bigint) as batch,
      (select ${removalOwner} from ${s}.removals r where $2::bigint = 0 and r.position = $1::bigint and ${removalKey} = $3::bigint limit 1) as removal`,
    [...at.place, at.owner],
  )
  const { batch, removal, since } = row ?? {}
  const removed = textOf(removal)
  // The record of a removal is never removed.
  const isRemoved = at.place[1] !== '0' && since === true
  const cursor = removed ? cursorOf(at.place, { check: removed, owner: removed }) : isRow(batch) ? cursorIn(batch) : undefined
  checkCursor(from, cursor === undefined ? { cursor, isRemoved } : { cursor })
  return Number(row?.['horizon'])
}

type Page = Readonly<{ from: string | undefined; after: FeedPlace; wanted: number; horizon: number }>

async function readPage({ ask, s }: Database, { from, after, wanted, horizon }: Page): Promise<FeedPage> {
  const start = Number(after[0])
  const rows: Row[] = []
  let end = start - 1
  for (let range = firstRange; end < horizon - 1 && rows.length < wanted; range *= growth) {
    const begin = end + 1
    end = Math.min(begin + range, horizon - 1)
    rows.push(...(await ask(rangeStatement(s), [...after, begin, end, wanted - rows.length])))
  }
  const last = rows.at(-1)
  return { entries: rows.map(entryIn), cursor: last ? cursorIn(last) : (from ?? startOfFeed), isEnd: rows.length < wanted }
}

const rangeStatement = (s: string): string => `
select e.position::text as position, e.thread::text as thread, e.last::text as last, e.seq, e.hash, e.name, e.incarnation,
  e.status, e.agent, e.parent, e.wake_at, e.labels, e.quarantined
from (
  select b.position, b.thread, b.last, b.last as seq, encode(b.hash, 'hex') as hash, t.name, t.incarnation,
    t.status, t.agent, t.parent, t.wake_at, t.labels, t.quarantined
  from ${s}.batches b join ${s}.threads t on t.id = b.thread where b.position between $4::bigint and $5::bigint
  union all
  select r.position, 0, ${removalKey}, r.seq, null, r.name, r.incarnation, null, null, null, null, null, null
  from ${s}.removals r where r.position between $4::bigint and $5::bigint and r.seq > 0
) e
where (e.position, e.thread, e.last) > ($1::bigint, $2::bigint, $3::bigint)
order by e.position, e.thread, e.last limit $6::int`

function cursorIn({ position, thread, last, hash, name, incarnation }: Row): string {
  const owner = ownerOf(String(name), textOf(incarnation) ?? String(name))
  return cursorOf([String(position), String(thread), String(last)], { check: typeof hash === 'string' ? checkOfHash(hash) : owner, owner })
}

function entryIn(row: Row): FeedEntry {
  const thread = String(row['name'])
  const place = { position: cursorIn(row), thread, incarnation: textOf(row['incarnation']) ?? thread, seq: Number(row['seq']) }
  if (row['hash'] === null) return { ...place, kind: 'removed' }
  return { ...summaryOf(summaryColumnsIn(row), thread), ...place, kind: 'changed' }
}
