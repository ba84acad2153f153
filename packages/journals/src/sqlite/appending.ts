/** Appends a batch: its line, its blobs and its summary in one change, or the reason why not. Inside transactions only. */
import { type AppendResult, type Head, mayGoOn, type RemoveResult } from '@loom-agent/kernel'
import { blobHash, chainLink } from '../storage/chain.ts'
import { damage } from '../storage/failure.ts'
import { type AppendHead, judgeAppend, requireParent } from '../storage/judge-write.ts'
import type { StorableBatch } from '../storage/storable-batch.ts'
import { driverOf, findHead, headOf, lastSeqOf, madeHead, putSummary, startOf, startThread } from './heads.ts'
import { removals } from './schema.ts'
import { damageKey, type HeadRow, type Tables } from './tables.ts'

/** Appends a batch, or returns why not. */
export function appendBatch(tables: Tables, batch: StorableBatch): AppendResult {
  const { thread, id, expected, count, whole, line, blobs, summary, forkOf } = batch
  const known = headOf(tables, thread)
  const epoch = batch.epoch ?? undefined
  const refused = judgeAppend(verdictHead(known), { ...batch, epoch }, () => known && knownAt(tables, known, batch))
  if (refused) return refused
  if (known) refuseDamage(tables, known)
  if (forkOf) requireParent(verdictHead(headOf(tables, forkOf.thread)), { ...batch, forkOf, isQuarantined: summary[5] !== null })
  const seq = expected + count
  if (count === 0) return { kind: 'appended', seq }
  const head = known ?? madeHead(tables, thread, batch.incarnation)
  if (head.end.seq === 0) startThread(tables, head, batch)
  const hash = chainLink(head.end.hash, whole)
  tables.run('insert into batches (thread, last, id, hash, line) values (?, ?, ?, ?, ?)', head.id, seq, id, Buffer.from(hash, 'hex'), line)
  head.end = { seq, hash }
  head.grown = true
  for (const [name, bytes] of blobs) putBlob(tables, head, { name, bytes })
  putSummary(tables, head, summary)
  return { kind: 'appended', seq }
}

/** A head as the verdict on a batch needs it: who holds the thread does not matter. */
function verdictHead(head: HeadRow | undefined): AppendHead {
  if (!head) return undefined
  const { incarnation, end, epoch, summary } = head
  return { incarnation, seq: end.seq, epoch, isPartial: summary[0] === 'partial', isQuarantined: summary[5] !== null }
}

function refuseDamage({ damaged }: Tables, head: HeadRow): void {
  const { name, end, anchor } = head
  if (end.seq < anchor.seq) throw damage(name, end.seq + 1, `the events up to ${anchor.seq} are missing`)
  const error = damaged.get(damageKey(head))
  if (error) throw error
}

/** A writer that appends again after a lost reply expects the same seq: the batch that starts there is its own, or that of another writer. */
function knownAt({ all }: Tables, head: HeadRow, { id, expected }: StorableBatch): number | undefined {
  const rows = all('select id, last from batches where thread = ? and last >= ? order by last limit 2', head.id, expected)
  const isEnd = rows[0]?.['last'] === expected
  const next = isEnd || startOf(head).seq === expected ? rows[isEnd ? 1 : 0] : undefined
  return next?.['id'] === id ? Number(next['last']) : undefined
}

/** A blob is stored once, and counts the threads that have it. */
function putBlob({ run }: Tables, { id }: HeadRow, { name, bytes }: { name: string; bytes: Uint8Array }): void {
  if (run('insert into thread_blobs (thread, hash) values (?, ?) on conflict do nothing', id, name) === 0) return
  const sql = 'insert into blobs (hash, threads, digest, bytes) values (?, 1, ?, ?) on conflict (hash) do update set threads = threads + 1'
  run(sql, name, Buffer.from(blobHash(bytes), 'hex'), bytes)
}

/** The end of a removal, and the threads that were removed. */
export interface Removal {
  readonly result: RemoveResult
  readonly removed: readonly string[]
}

/** Removes a thread and its children, unless it has changed, its parent may go on, or one of them is driven or read by a fork outside of them. */
export function removeTree(tables: Tables, thread: string, expected: Pick<Head, 'incarnation' | 'seq'> | undefined): Removal {
  const head = headOf(tables, thread)
  const refused = (result: RemoveResult): Removal => ({ result, removed: [] })
  if (expected && (head?.incarnation !== expected.incarnation || lastSeqOf(head) !== expected.seq)) return refused({ kind: 'changed' })
  const parent = head?.summary[2]
  if (typeof parent === 'string' && mayGoOn(findHead(tables, parent)?.summary)) return refused({ kind: 'awaited', parent })
  const tree = treeOf(tables, thread)
  for (const name of tree) {
    const holder = driverOf(tables, name)
    if (holder !== undefined) return refused({ kind: 'held', thread: name, holder })
    for (const row of tables.all('select name from threads where fork_thread = ? order by name', name)) {
      const fork = String(row['name'])
      if (!tree.has(fork)) return refused({ kind: 'forked', fork })
    }
  }
  for (const name of tree) removeThread(tables, name)
  return { result: { kind: 'removed' }, removed: [...tree] }
}

/** A thread, its children, theirs, and so on. */
function treeOf({ all }: Tables, root: string): ReadonlySet<string> {
  const tree = new Set([root])
  // A set is iterated over with what is added meanwhile.
  for (const parent of tree) for (const row of all('select name from threads where parent = ?', parent)) tree.add(String(row['name']))
  return tree
}

/** Removes a thread and the blobs that only it has. */
function removeThread(tables: Tables, thread: string): void {
  const head = headOf(tables, thread)
  if (!head) return
  const { run } = tables
  const { id } = head
  run('update blobs set threads = threads - 1 where hash in (select hash from thread_blobs where thread = ?)', id)
  run('delete from blobs where threads = 0 and hash in (select hash from thread_blobs where thread = ?)', id)
  run('delete from thread_blobs where thread = ?', id)
  if (lastSeqOf(head) > 0) recordRemoval(tables, head)
  run('delete from batches where thread = ?', id)
  run('delete from threads where id = ?', id)
  tables.heads.delete(thread)
}

/** Records what was removed, under a new position, so that no position is used twice. */
function recordRemoval({ get, run }: Tables, head: HeadRow): void {
  const { name, incarnation } = head
  const position = Number(get('select coalesce(max(position), 0) + 1 as next from batches')?.['next'])
  const line = JSON.stringify({ removed: { thread: name, incarnation, seq: lastSeqOf(head) } })
  const sql = "insert into batches (position, thread, last, id, hash, line) values (?, ?, ?, '', x'', ?)"
  run(sql, position, removals, position, line)
}
