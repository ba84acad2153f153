/**
 * Reads a thread page by page, and checks every batch against its chain.
 *
 * SQLITE-3. What does not fit its chain is never returned: the events before it are, and the next page is an error. The thread is not written from then on.
 */
import { decodeBatch, type LoomError, type LoomEvent, type OwnEvents } from '@loom-agent/kernel'
import { blobHash, chainLink, type Link } from '../storage/chain.ts'
import { damage, isDamage, journalError } from '../storage/failure.ts'
import { restoreTexts } from '../storage/offload-blobs.ts'
import { headOf, hexOf, startOf } from './heads.ts'
import { sqliteFailure } from './sqlite-failure.ts'
import type { HeadRow, Row, Tables } from './tables.ts'

/** The most events in a page, however many are asked for. */
export const pageLimit = 512
/** Bytes of lines after which a page ends, so that no page blocks the process for long. */
const pageBytes = 1 << 20

/** A page of own events from `from` on, or where a fork was cut when `from` is before the cut. Inside a transaction only. */
export function readPage(tables: Tables, thread: string, { from, limit }: { from: number; limit: number }): OwnEvents {
  const page: LoomEvent[] = []
  const head = headOf(tables, thread)
  if (!head || from > Math.max(head.end.seq, head.anchor.seq)) return page
  if (head.forkOf && from <= head.forkOf.seq) return { forkOf: head.forkOf }
  const wanted = Math.min(limit, pageLimit)
  let bytes = 0
  const sql = 'select last, id, hash, line from batches where thread = ? and last >= ? order by last limit ?'
  try {
    let link = linkBefore(tables, head, from)
    for (const row of tables.each(sql, head.id, from, wanted)) {
      const { events, reached, size } = checked(tables, head, { row, link })
      link = reached
      for (const event of events) if (event.seq >= from) page.push(event)
      bytes += size
      if (page.length >= wanted || bytes >= pageBytes) break
    }
    if (page.length === 0) throw damage(thread, from, `the events up to ${head.anchor.seq} are missing`)
  } catch (error) {
    const failure = sqliteFailure(error, tables.path)
    if (isDamage(failure)) tables.damaged.set(thread, failure)
    if (page.length === 0) throw error
  }
  return page.slice(0, wanted)
}

/** The end of the chain before the batch that holds `from`. */
function linkBefore({ get }: Tables, head: HeadRow, from: number): Link {
  const row = get('select last, hash from batches where thread = ? and last < ? order by last desc limit 1', head.id, from)
  return row ? { seq: Number(row['last']), hash: hexOf(row['hash']) } : startOf(head)
}

/** The events of a batch, with its big texts. Throws when the batch does not fit its chain. */
function checked(
  tables: Tables,
  head: HeadRow,
  { row, link }: { row: Row; link: Link },
): { events: readonly LoomEvent[]; reached: Link; size: number } {
  const first = link.seq + 1
  const broken = (what: string): LoomError => damage(head.name, first, what)
  const { last, id, line } = row
  if (typeof last !== 'number' || typeof id !== 'string' || typeof line !== 'string') throw broken('a batch has lost its form')
  const whole = `{"id":"${id}",${line}`
  const hash = chainLink(link.hash, whole)
  if (hash !== hexOf(row['hash'])) throw broken('a batch does not fit its hash')
  if (last === head.anchor.seq && hash !== head.anchor.hash) throw broken('the last batch is not the one that was appended')
  const text = restoreTexts(whole, (name) => textBytes(tables, name, broken))
  const events = decodeBatch(head.name, first, text)
  if (last !== link.seq + events.length) throw broken(`a batch of ${events.length} events ends at seq ${last}`)
  return { events, reached: { seq: last, hash }, size: text.length }
}

/** The bytes of a text that is stored beside its batch. */
function textBytes(tables: Tables, hash: string, broken: (what: string) => LoomError): Uint8Array {
  const bytes = blobOf(tables, hash)
  if (bytes === undefined || blobHash(bytes) !== hash) throw broken(`the blob ${hash} is missing`)
  return bytes
}

/** The bytes of a blob; undefined when there is none. */
export function blobOf({ get, path }: Tables, hash: string): Uint8Array | undefined {
  const row = get('select digest, bytes from blobs where hash = ?', hash)
  if (!row) return undefined
  const { digest, bytes } = row
  if (bytes instanceof Uint8Array && blobHash(bytes) === hexOf(digest)) return bytes
  const advice = 'Restore it from a copy of the journal.'
  throw journalError('damaged', `The blob ${hash} in the journal ${path} is not what was stored. ${advice}`, { context: { path, blob: hash } })
}
