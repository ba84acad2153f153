/**
 * Reads a thread page by page, and checks every batch against its chain.
 *
 * PG-8. What does not fit its chain is never returned: the events before it are, and the next page is an error. The object that found it does not write
 *       the thread from then on.
 */
import type { ForkOf, LoomEvent, OwnEvents, ReadRange } from '@loom-agent/kernel'
import { blobHash, chainStart, type Link } from '../storage/chain.ts'
import { checkedBatch, wholeLine, wrongCut } from '../storage/checked-batch.ts'
import { damage, isDamage, journalError } from '../storage/failure.ts'
import { textsOf } from '../storage/offload-blobs.ts'
import { forkIn, hexOf, textOf } from '../storage/thread-columns.ts'
import type { Database } from './database.ts'
import type { Row } from './driver.ts'
import { createGrouping } from './grouping.ts'
import { arrayOf } from './sql-text.ts'

/** The most events in a page, however many are asked for. */
const pageLimit = 512
/** Bytes of lines after which a page ends. */
const pageBytes = 1 << 20

/** For each thread: its head, the batch before the page, and the batches of the page, in one snapshot. */
const pageStatement = (s: string): string => `
select a.place, p.part, p.last, p.id, p.hash, p.line, ${['number', 'incarnation', 'fork_thread', 'fork_incarnation', 'fork_seq']
  .map((column) => `case when p.part = 0 then h.${column} end as ${column}`)
  .join(', ')}
from unnest($1::text[], $2::bigint[], $3::int[]) with ordinality as a(name, start, count, place)
cross join lateral (select t.*, t.id as number from ${s}.threads t where t.name = a.name limit 1) h
cross join lateral (
  select 0 as part, h.seq as last, null::text as id, h.hash, null::text as line
  union all
  (select 1, last, null, hash, null from ${s}.batches where thread = h.id and last < greatest(a.start, h.fork_seq + 1) order by last desc limit 1)
  union all
  select 2, last, id, hash, line from (
    select b.*, sum(octet_length(line)) over (order by last) - octet_length(line) as before from (
      select last, id, hash, line from ${s}.batches where thread = h.id and last >= a.start and a.start > coalesce(h.fork_seq, 0) order by last limit a.count
    ) b
  ) b where before < ${pageBytes}
) p
order by a.place, p.part, p.last`

type Asked = Readonly<{ thread: string; from: number; wanted: number }>

/** Reads pages of threads. */
export type ReadPage = (thread: string, range: ReadRange) => Promise<OwnEvents>

/** Reads pages; those that are asked for at the same time are one statement. */
export function createReadPage(database: Database): ReadPage {
  const ask = createGrouping<Asked, readonly Row[]>({ items: 32, atOnce: database.config.size }, async (items) => {
    const columns = [items.map(({ thread }) => thread), items.map(({ from }) => from), items.map(({ wanted }) => wanted)]
    const pages = items.map((): Row[] => [])
    for (const row of await database.ask(pageStatement(database.s), columns.map(arrayOf))) pages[Number(row['place']) - 1]?.push(row)
    return pages
  })
  return async (thread, { from = 1, limit = pageLimit, incarnation }) => {
    const asked = { thread, from, wanted: Math.min(limit, pageLimit) }
    const [head, ...rows] = await ask(asked)
    if (incarnation !== undefined && (!head || Number(head['last']) === 0 || incarnation !== (head['incarnation'] ?? thread))) return undefined
    return head && asked.wanted > 0 ? pageOf(database, asked, { head, rows }) : []
  }
}

/** The events of a page, or where a fork was cut when the page starts before its own events. The first row is the head. */
async function pageOf(database: Database, { thread, from, wanted }: Asked, stored: { head: Row; rows: readonly Row[] }): Promise<OwnEvents> {
  const head = linkIn(stored.head)
  const forkOf = forkIn(stored.head)
  const page: LoomEvent[] = []
  if (from > head.seq) return page
  if (forkOf) refuseWrongCut(database, thread, { ...stored, forkOf })
  if (forkOf && from <= forkOf.seq) return { forkOf }
  let link = { seq: forkOf?.seq ?? 0, hash: chainStart(thread, textOf(stored.head['incarnation']) ?? thread) }
  let bytes = 0
  try {
    for (const row of stored.rows) {
      if (row['part'] === 1) {
        link = linkIn(row)
        continue
      }
      const texts = await textsBeside(database, wholeLine(row))
      const batch = checkedBatch(row, { thread, link, head, bytesOf: (hash) => texts.get(hash) })
      link = batch.link
      for (const event of batch.events) if (event.seq >= from) page.push(event)
      bytes += batch.bytes
      if (page.length >= wanted || bytes >= pageBytes) break
    }
    if (page.length === 0) throw damage(thread, from, `the events up to ${head.seq} are missing`)
  } catch (error) {
    if (isDamage(error)) database.damaged.set(thread, { number: String(stored.head['number']), error })
    if (page.length === 0) throw error
  }
  return page.slice(0, wanted)
}

/** Throws if a fork has batches before its cut: its parent's events would be read in their place. */
function refuseWrongCut({ damaged }: Database, thread: string, { head, rows, forkOf }: { head: Row; rows: readonly Row[]; forkOf: ForkOf }): void {
  const last = rows[0]?.['part'] === 1 ? linkIn(rows[0]).seq : Number.POSITIVE_INFINITY
  if (last > forkOf.seq) return
  const error = wrongCut(thread, forkOf, last)
  damaged.set(thread, { number: String(head['number']), error })
  throw error
}

/** Throws when the thread is the one that was found damaged; a thread that has its name now is another one. */
export async function refuseDamage({ ask, s, damaged }: Database, thread: string): Promise<void> {
  const [row] = await ask(`select id from ${s}.threads where name = $1`, [thread])
  const known = damaged.get(thread)
  if (known && String(row?.['id']) === known.number) throw known.error
  damaged.delete(thread)
}

const linkIn = (row: Row): Link => ({ seq: Number(row['last']), hash: hexOf(row['hash']) })

const none: ReadonlyMap<string, Uint8Array> = new Map()

/** The texts that are stored beside a line. */
async function textsBeside({ ask, s }: Database, line: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const names = textsOf(line)
  if (names.length === 0) return none
  const rows = await ask(`select hash, bytes from ${s}.blobs where hash = any($1::text[])`, [arrayOf(names)])
  return new Map(rows.map((row) => [String(row['hash']), row['bytes'] as Uint8Array]))
}

/** The names of the blobs of a thread, those of its long texts among them. */
export async function blobNamesOf({ ask, s }: Database, thread: string): Promise<readonly string[]> {
  const rows = await ask(`select hash from ${s}.thread_blobs where thread = (select id from ${s}.threads where name = $1)`, [thread])
  return rows.map((row) => String(row['hash']))
}

/** The bytes of a blob; undefined when there is none. */
export async function blobOf({ ask, s, config: { name } }: Database, hash: string): Promise<Uint8Array | undefined> {
  const [row] = await ask(`select digest, bytes from ${s}.blobs where hash = $1`, [hash])
  if (!row) return undefined
  // A copy: what the driver hands out may be part of something bigger.
  const bytes = new Uint8Array(row['bytes'] as Uint8Array)
  if (blobHash(bytes) === hexOf(row['digest'])) return bytes
  const advice = 'Restore it from a copy of the journal.'
  throw journalError('damaged', `The blob ${hash} in the journal ${name} is not what was stored. ${advice}`, {
    context: { journal: name, blob: hash },
  })
}
