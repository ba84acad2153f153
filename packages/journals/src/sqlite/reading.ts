/**
 * Reads a thread page by page, and checks every batch against its chain.
 *
 * SQLITE-3. What does not fit its chain is never returned: the events before it are, and the next page is an error. The thread is not written from then on.
 */
import type { ForkOf, LoomEvent, OwnEvents, ReadRange } from '@loom-agent/kernel'
import { blobHash, type Link } from '../storage/chain.ts'
import { checkedBatch, wrongCut } from '../storage/checked-batch.ts'
import { damage, isDamage, journalError } from '../storage/failure.ts'
import { hexOf } from '../storage/thread-columns.ts'
import { headOf, lastSeqOf, startOf } from './heads.ts'
import { sqliteFailure } from './sqlite-failure.ts'
import { damageKey, type HeadRow, type Tables } from './tables.ts'

/** The most events in a page, however many are asked for. */
const pageLimit = 512
/** Bytes of lines after which a page ends, so that no page blocks the process for long. */
const pageBytes = 1 << 20

/** A page of own events, or where a fork was cut when the range begins before the cut. Inside a transaction only. */
export function readPage(tables: Tables, thread: string, range: ReadRange): OwnEvents {
  const { from = 1, limit = pageLimit, incarnation } = range
  const head = headOf(tables, thread)
  const last = head ? lastSeqOf(head) : 0
  if (incarnation !== undefined && (last === 0 || head?.incarnation !== incarnation)) return undefined
  if (!head || from > last) return []
  if (head.forkOf && from <= head.forkOf.seq + 1) refuseWrongCut(tables, head, head.forkOf)
  if (head.forkOf && from <= head.forkOf.seq) return { forkOf: head.forkOf }
  return ownEvents(tables, head, { from, wanted: Math.min(limit, pageLimit) })
}

/** Throws if a fork has batches before its cut: its parent's events would be read in their place. */
function refuseWrongCut({ get, damaged }: Tables, head: HeadRow, forkOf: ForkOf): void {
  const row = get('select last from batches where thread = ? order by last limit 1', head.id)
  if (!row || Number(row['last']) > forkOf.seq) return
  const error = wrongCut(head.name, forkOf, Number(row['last']))
  damaged.set(damageKey(head), error)
  throw error
}

function ownEvents(tables: Tables, head: HeadRow, { from, wanted }: { from: number; wanted: number }): readonly LoomEvent[] {
  const page: LoomEvent[] = []
  let bytes = 0
  const sql = 'select last, id, hash, line from batches where thread = ? and last >= ? order by last limit ?'
  try {
    let link = linkBefore(tables, head, from)
    for (const row of tables.each(sql, head.id, from, wanted)) {
      const batch = checkedBatch(row, { thread: head.name, link, head: head.anchor, bytesOf: (hash) => blobOf(tables, hash) })
      link = batch.link
      for (const event of batch.events) if (event.seq >= from) page.push(event)
      bytes += batch.bytes
      if (page.length >= wanted || bytes >= pageBytes) break
    }
    if (page.length === 0) throw damage(head.name, from, `the events up to ${head.anchor.seq} are missing`)
  } catch (error) {
    const failure = sqliteFailure(error, tables.path)
    if (isDamage(failure)) tables.damaged.set(damageKey(head), failure)
    if (page.length === 0) throw error
  }
  return page.slice(0, wanted)
}

/** The end of the chain before the batch that holds `from`. */
function linkBefore({ get }: Tables, head: HeadRow, from: number): Link {
  const row = get('select last, hash from batches where thread = ? and last < ? order by last desc limit 1', head.id, from)
  return row ? { seq: Number(row['last']), hash: hexOf(row['hash']) } : startOf(head)
}

/** The names of the blobs of a thread, those of its long texts among them. */
export function blobNamesOf({ all }: Tables, thread: string): readonly string[] {
  const sql = 'select hash from thread_blobs where thread = (select id from threads where name = ?)'
  return all(sql, thread).map((row) => String(row['hash']))
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
