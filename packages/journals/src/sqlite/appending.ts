/** Appending a batch: verdict, line, blobs and summary in one change. */
import { type AppendResult, type Batch, encodeBatch, type Summary } from '@loom-agent/kernel'
import { blobHash, chainLink } from '../chain.ts'
import { damage } from '../failure.ts'
import { spill } from '../spill.ts'
import { headOf, madeHead, putSummary, type SummaryColumns } from './heads.ts'
import type { HeadRow, Tables } from './tables.ts'

/** A batch as it will be stored: whatever its writer does with its objects from now on changes nothing. */
export interface StorableBatch {
  /** As JSON escapes it: half a surrogate pair would not survive as text. */
  readonly id: string
  readonly expected: number
  readonly epoch: number | undefined
  readonly count: number
  /** The line that the hash is over, and where the part without the id begins. */
  readonly line: string
  readonly rest: number
  readonly blobs: ReadonlyMap<string, Uint8Array>
  readonly summary: SummaryColumns
  readonly bytes: number
}

/** Makes a batch ready to be stored. */
export function storable(batch: Batch): StorableBatch {
  const { expected, epoch, events, summary } = batch
  const { line, blobs: texts } = spill(encodeBatch(batch))
  const blobs = batch.blobs?.size ? new Map<string, Uint8Array>([...copied(batch.blobs), ...texts]) : texts
  let bytes = line.length
  for (const { length } of blobs.values()) bytes += length
  const id = JSON.stringify(batch.id)
  const rest = '{"id":,'.length + id.length
  return { id: id.slice(1, -1), expected, epoch, count: events.length, line, rest, blobs, summary: columnsOf(summary), bytes }
}

function* copied(blobs: ReadonlyMap<string, Uint8Array>): Iterable<[string, Uint8Array]> {
  for (const [hash, bytes] of blobs) yield [hash, bytes.slice()]
}

function columnsOf({ status, agent, parent, wakeAt, labels }: Summary): SummaryColumns {
  const text = labels === undefined ? null : JSON.stringify(labels)
  return { status, agent: agent ?? null, parent: parent ?? null, wake_at: wakeAt ?? null, labels: text }
}

/** Appends a batch, or says why not. Inside a transaction only. */
export function appendBatch(tables: Tables, thread: string, batch: StorableBatch): AppendResult {
  const refused = refusal(tables, thread, batch)
  if (refused) return refused
  const head = madeHead(tables, thread)
  const { id, count, line, rest, blobs, summary } = batch
  const seq = head.end.seq + count
  if (count > 0) {
    const hash = chainLink(head.end.hash, line)
    const sql = 'insert into batches (thread, last, id, hash, line) values (?, ?, ?, ?, ?)'
    tables.run(sql, head.id, seq, id, Buffer.from(hash, 'hex'), line.slice(rest))
    head.end = { seq, hash }
    head.grown = true
  }
  for (const [name, bytes] of blobs) putBlob(tables, head, { name, bytes })
  putSummary(tables, head, summary)
  return { kind: 'appended', seq }
}

function refusal(tables: Tables, thread: string, { id, expected, epoch: own }: StorableBatch): AppendResult | undefined {
  const head = headOf(tables, thread)
  const { seq } = head?.end ?? { seq: 0 }
  const { epoch } = head ?? { epoch: 0 }
  const fenced = own !== undefined && own !== epoch
  if (!fenced && expected === seq) {
    if (head && seq < head.anchor.seq) throw damage(thread, seq + 1, `the events up to ${head.anchor.seq} are missing`)
    const damaged = tables.damaged.get(thread)
    if (damaged) throw damaged
    return undefined
  }
  const known = head && knownAt(tables, head, { id, expected })
  if (known !== undefined) return { kind: 'appended', seq: known }
  return fenced ? { kind: 'fenced', epoch } : { kind: 'conflict', seq }
}

/** Who appends again after a lost reply expects what was expected before: the batch that follows is the same one, or another's. */
function knownAt({ get }: Tables, { id: thread }: HeadRow, { id, expected }: Pick<StorableBatch, 'id' | 'expected'>): number | undefined {
  const row = get('select id, last from batches where thread = ? and last > ? order by last limit 1', thread, expected)
  return row?.['id'] === id ? (row['last'] as number) : undefined
}

/** A blob is stored once, and counts the threads that have it. */
function putBlob({ run }: Tables, { id }: HeadRow, { name, bytes }: { name: string; bytes: Uint8Array }): void {
  if (run('insert into thread_blobs (thread, hash) values (?, ?) on conflict do nothing', id, name) === 0) return
  const sql = 'insert into blobs (hash, threads, digest, bytes) values (?, 1, ?, ?) on conflict (hash) do update set threads = threads + 1'
  run(sql, name, Buffer.from(blobHash(bytes), 'hex'), bytes)
}

/** Removes a thread, and the blobs that only it has. */
export function removeThread(tables: Tables, thread: string): void {
  const head = headOf(tables, thread)
  if (!head) return
  const { run } = tables
  const { id } = head
  run('update blobs set threads = threads - 1 where hash in (select hash from thread_blobs where thread = ?)', id)
  run('delete from blobs where threads = 0 and hash in (select hash from thread_blobs where thread = ?)', id)
  run('delete from thread_blobs where thread = ?', id)
  run('delete from batches where thread = ?', id)
  run('delete from threads where id = ?', id)
  tables.heads.delete(thread)
  tables.damaged.delete(thread)
}
