/** Appends a batch: its line, its blobs and its summary in one change, or the reason why not. */
import { type AppendResult, type Batch, type ForkOf, missingParent, type RemoveResult, type Summary } from '@loom-agent/kernel'
import { blobHash, chainLink } from '../storage/chain.ts'
import { damage } from '../storage/failure.ts'
import { offloadBlobs } from '../storage/offload-blobs.ts'
import { headOf, madeHead, putSummary, type SummaryColumns, startThread } from './heads.ts'
import { removals } from './schema.ts'
import type { HeadRow, Tables } from './tables.ts'

/** A batch as it will be stored: its writer may change its own objects from now on. */
export interface StorableBatch extends Pick<Batch, 'incarnation' | 'expected' | 'epoch' | 'forkOf'> {
  /** Escaped as in JSON: half a surrogate pair would not survive as text. */
  readonly id: string
  readonly count: number
  /** The line that the hash covers, and where the part after the id starts. */
  readonly line: string
  readonly rest: number
  readonly blobs: ReadonlyMap<string, Uint8Array>
  readonly summary: SummaryColumns
  readonly bytes: number
}

/** Prepares a batch for storing. */
export function storable(batch: Batch): StorableBatch {
  const { incarnation, expected, epoch, forkOf, events, summary } = batch
  const { line, blobs } = offloadBlobs(batch)
  let bytes = line.length
  for (const { length } of blobs.values()) bytes += length
  const id = JSON.stringify(batch.id)
  const rest = '{"id":,'.length + id.length
  const stored = { line, rest, blobs, summary: columnsOf(summary), bytes }
  return { id: id.slice(1, -1), incarnation, expected, epoch, forkOf, count: events.length, ...stored }
}

function columnsOf({ status, agent, parent, wakeAt, labels }: Summary): SummaryColumns {
  const text = labels === undefined ? null : JSON.stringify(labels)
  return { status, agent: agent ?? null, parent: parent ?? null, wake_at: wakeAt ?? null, labels: text }
}

/** Appends a batch, or returns why not. Inside a transaction only. */
export function appendBatch(tables: Tables, thread: string, batch: StorableBatch): AppendResult {
  const known = headOf(tables, thread)
  const refused = refusal(tables, known, batch)
  if (refused) return refused
  if (batch.forkOf) requireParent(tables, thread, batch.forkOf)
  const head = known ?? madeHead(tables, thread, batch.incarnation)
  if (head.end.seq === 0) startThread(tables, head, batch)
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

function refusal(tables: Tables, head: HeadRow | undefined, batch: StorableBatch): AppendResult | undefined {
  const { expected, forkOf } = batch
  const seq = head?.end.seq ?? 0
  const epoch = head?.epoch ?? 0
  const isFenced = batch.epoch !== undefined && batch.epoch !== epoch
  const isOther = head !== undefined && seq > 0 && head.incarnation !== batch.incarnation
  // A fork starts on a name that has no events.
  const isNext = forkOf ? seq === 0 && expected === forkOf.seq : expected === seq
  if (!isFenced && !isOther && isNext) {
    if (head) refuseDamage(tables, head)
    return undefined
  }
  const known = head && !isOther ? knownAt(tables, head, batch) : undefined
  if (known !== undefined) return { kind: 'appended', seq: known }
  const isStart = expected === 0 || forkOf !== undefined
  const isStale = isOther ? !isStart : isFenced
  return isStale ? { kind: 'fenced', epoch } : { kind: 'conflict', seq }
}

function refuseDamage({ damaged }: Tables, { name, end, anchor }: HeadRow): void {
  if (end.seq < anchor.seq) throw damage(name, end.seq + 1, `the events up to ${anchor.seq} are missing`)
  const error = damaged.get(name)
  if (error) throw error
}

/** A writer that appends again after a lost reply expects the same seq: the batch that follows it is its own, or that of another writer. */
function knownAt({ get }: Tables, { id: thread }: HeadRow, { id, expected }: Pick<StorableBatch, 'id' | 'expected'>): number | undefined {
  const row = get('select id, last from batches where thread = ? and last > ? order by last limit 1', thread, expected)
  return row?.['id'] === id ? (row['last'] as number) : undefined
}

/** A fork needs a parent that holds the event at the cut (JOURNAL-7). */
function requireParent(tables: Tables, fork: string, forkOf: ForkOf): void {
  const parent = headOf(tables, forkOf.thread)
  if (!parent || forkOf.seq < 1 || parent.incarnation !== forkOf.incarnation || parent.end.seq < forkOf.seq) throw missingParent(fork, forkOf)
}

/** A blob is stored once, and counts the threads that have it. */
function putBlob({ run }: Tables, { id }: HeadRow, { name, bytes }: { name: string; bytes: Uint8Array }): void {
  if (run('insert into thread_blobs (thread, hash) values (?, ?) on conflict do nothing', id, name) === 0) return
  const sql = 'insert into blobs (hash, threads, digest, bytes) values (?, 1, ?, ?) on conflict (hash) do update set threads = threads + 1'
  run(sql, name, Buffer.from(blobHash(bytes), 'hex'), bytes)
}

/** Removes a thread and the blobs that only it has, unless a fork reads it. Inside a transaction only. */
export function removeThread(tables: Tables, thread: string): RemoveResult {
  const head = headOf(tables, thread)
  if (!head) return { kind: 'removed' }
  const { get, run } = tables
  const fork = get('select name from threads where fork_thread = ? order by name limit 1', thread)
  if (fork) return { kind: 'forked', fork: String(fork['name']) }
  const { id } = head
  run('update blobs set threads = threads - 1 where hash in (select hash from thread_blobs where thread = ?)', id)
  run('delete from blobs where threads = 0 and hash in (select hash from thread_blobs where thread = ?)', id)
  run('delete from thread_blobs where thread = ?', id)
  recordRemoval(tables, head)
  run('delete from batches where thread = ?', id)
  run('delete from threads where id = ?', id)
  tables.heads.delete(thread)
  tables.damaged.delete(thread)
  return { kind: 'removed' }
}

/** Records what was removed, under a new position, so that no position is used twice. */
function recordRemoval({ get, run }: Tables, { name, incarnation, end }: HeadRow): void {
  const position = Number(get('select coalesce(max(position), 0) + 1 as next from batches')?.['next'])
  const line = JSON.stringify({ removed: { thread: name, incarnation, seq: end.seq } })
  const sql = "insert into batches (position, thread, last, id, hash, line) values (?, ?, ?, '', x'', ?)"
  run(sql, position, removals, position, line)
}
