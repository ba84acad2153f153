/**
 * Reads a thread page by page, and checks every batch against its chain.
 *
 * PG-8. What does not fit its chain is never returned: the events before it are, and the next page is an error. The object that found it does not write
 *       the thread from then on.
 */
import { decodeBatch, type LoomError, type LoomEvent, type OwnEvents } from '@loom-agent/kernel'
import { blobHash, chainLink, chainStart, type Link } from '../storage/chain.ts'
import { damage, isDamage, journalError } from '../storage/failure.ts'
import { restoreTexts, textsOf } from '../storage/offload-blobs.ts'
import type { Database } from './database.ts'
import type { Row } from './driver.ts'
import { createGrouping } from './grouping.ts'
import { forkIn, textOf } from './heads.ts'
import { arrayOf } from './sql-text.ts'

/** The most events in a page, however many are asked for. */
export const pageLimit = 512
/** Bytes of lines after which a page ends. */
const pageBytes = 1 << 20

/** For each thread: its head, the batch before the page, and the batches of the page, in one snapshot. */
const pageStatement = (s: string): string => `
select a.place, p.part, p.last, p.id, p.hash, p.line, ${['incarnation', 'fork_thread', 'fork_incarnation', 'fork_seq']
  .map((column) => `case when p.part = 0 then h.${column} end as ${column}`)
  .join(', ')}
from unnest($1::text[], $2::bigint[], $3::int[]) with ordinality as a(name, start, count, place)
cross join lateral (select * from ${s}.threads where name = a.name limit 1) h
cross join lateral (
  select 0 as part, h.seq as last, null::text as id, h.hash, null::text as line
  union all
  (select 1, last, null, hash, null from ${s}.batches where thread = h.id and last < a.start order by last desc limit 1)
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
export type ReadPage = (thread: string, range: { readonly from: number; readonly limit: number }) => Promise<OwnEvents>

/** Reads pages; those that are asked for at the same time are one statement. */
export function createReadPage(database: Database): ReadPage {
  const ask = createGrouping<Asked, readonly Row[]>({ items: 32, atOnce: database.config.size }, async (items) => {
    const columns = [items.map(({ thread }) => thread), items.map(({ from }) => from), items.map(({ wanted }) => wanted)]
    const pages = items.map((): Row[] => [])
    for (const row of await database.ask(pageStatement(database.s), columns.map(arrayOf))) pages[Number(row['place']) - 1]?.push(row)
    return pages
  })
  return async (thread, { from, limit }) => {
    const wanted = Math.min(limit, pageLimit)
    return wanted < 1 ? [] : pageOf(database, { thread, from, wanted }, await ask({ thread, from, wanted }))
  }
}

/** The events of a page, or where a fork was cut when the page starts before its own events. */
async function pageOf(database: Database, { thread, from, wanted }: Asked, rows: readonly Row[]): Promise<OwnEvents> {
  const headRow = rows.find((row) => row['part'] === 0)
  const head = linkIn(headRow)
  const page: LoomEvent[] = []
  if (!headRow || !head || from > head.seq) return page
  const forkOf = forkIn(headRow)
  if (forkOf && from <= forkOf.seq) return { forkOf }
  const start = { seq: forkOf?.seq ?? 0, hash: chainStart(thread, textOf(headRow['incarnation'])) }
  let link = linkIn(rows.find((row) => row['part'] === 1)) ?? start
  let bytes = 0
  try {
    for (const row of rows.filter(({ part }) => part === 2)) {
      const batch = await checked(database, { thread, row, link, head })
      link = batch.link
      for (const event of batch.events) if (event.seq >= from) page.push(event)
      bytes += batch.bytes
      if (page.length >= wanted || bytes >= pageBytes) break
    }
    if (page.length === 0) throw damage(thread, from, `the events up to ${head.seq} are missing`)
  } catch (error) {
    if (isDamage(error)) database.damaged.set(thread, error)
    if (page.length === 0) throw error
  }
  return page.slice(0, wanted)
}

function linkIn(row: Row | undefined): Link | undefined {
  return row && { seq: Number(row['last']), hash: hexOf(row['hash']) }
}

const hexOf = (value: unknown): string => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : '')

type Stored = Readonly<{ thread: string; row: Row; link: Link; head: Link }>

/** The events of a batch, with its big texts. Throws when the batch does not fit its chain. */
async function checked(
  database: Database,
  { thread, row, link, head }: Stored,
): Promise<{ events: readonly LoomEvent[]; link: Link; bytes: number }> {
  const first = link.seq + 1
  const broken = (what: string): LoomError => damage(thread, first, what)
  const whole = `{"id":"${row['id']}",${row['line']}`
  const hash = chainLink(link.hash, whole)
  const last = Number(row['last'])
  if (hash !== hexOf(row['hash'])) throw broken('a batch does not fit its hash')
  if (last === head.seq && hash !== head.hash) throw broken('the last batch is not the one that was appended')
  const texts = await offloadedTexts(database, whole)
  const text = restoreTexts(whole, (name) => {
    const bytes = texts.get(name)
    if (bytes === undefined || blobHash(bytes) !== name) throw broken(`the blob ${name} is missing`)
    return bytes
  })
  const events = decodeBatch(thread, first, text)
  if (last !== link.seq + events.length) throw broken(`a batch of ${events.length} events ends at seq ${last}`)
  return { events, link: { seq: last, hash }, bytes: text.length }
}

/** The texts that are stored beside a line. */
async function offloadedTexts({ ask, s }: Database, line: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const names = textsOf(line)
  if (names.length === 0) return new Map()
  const rows = await ask(`select hash, bytes from ${s}.blobs where hash = any($1::text[])`, [arrayOf(names)])
  return new Map(rows.map((row) => [String(row['hash']), row['bytes'] as Uint8Array]))
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
