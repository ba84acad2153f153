/** Rows of the thread table: the end of a thread, its driver and its summary. Inside transactions only. */
import type { Batch, ForkOf } from '@loom-agent/kernel'
import { chainStart, type Link } from '../storage/chain.ts'
import type { HeadRow, Row, Tables } from './tables.ts'

/** The columns of a row, for `headIn`. */
export const headColumns =
  'id, name, incarnation, fork_thread, fork_incarnation, fork_seq, seq, epoch, hash, worker, instance, status, agent, parent, wake_at, labels'

/** What is known of a thread, from the cache if it is there. */
export function headOf(tables: Tables, thread: string): HeadRow | undefined {
  const known = tables.heads.get(thread)
  if (known) return known
  const row = tables.get(`select ${headColumns} from threads where name = ?`, thread)
  if (!row) return undefined
  const head = headIn(tables, row)
  tables.heads.set(thread, head)
  return head
}

/** What is known of a thread that has this row. */
export function headIn(tables: Tables, row: Row): HeadRow {
  const { seq, hash, epoch, worker, instance, status, agent, parent, wake_at, labels } = row
  const id = Number(row['id'])
  const name = String(row['name'])
  const incarnation = textOf(row['incarnation']) ?? name
  const forkOf = forkIn(row)
  return {
    id,
    name,
    incarnation,
    forkOf,
    end: lastLink(tables, id) ?? startOf({ name, incarnation, forkOf }),
    grown: false,
    anchor: { seq: Number(seq), hash: hexOf(hash) },
    epoch: Number(epoch),
    worker: textOf(worker),
    instance: textOf(instance),
    status: String(status),
    agent: textOf(agent),
    parent: textOf(parent),
    wake_at: typeof wake_at === 'number' ? wake_at : null,
    labels: textOf(labels),
  }
}

/** The columns that say which thread this is. */
type Identity = Pick<HeadRow, 'name' | 'incarnation' | 'forkOf'>

/** Where the chain of a thread starts: after the events that it shares with its parent. */
export function startOf({ name, incarnation, forkOf }: Identity): Link {
  return { seq: forkOf?.seq ?? 0, hash: chainStart(name, incarnation) }
}

function forkIn(row: Row): ForkOf | undefined {
  const thread = textOf(row['fork_thread'])
  return thread === null ? undefined : { thread, incarnation: textOf(row['fork_incarnation']) ?? thread, seq: Number(row['fork_seq']) }
}

/** The row of a thread that is about to be acquired or written; a new row if there is none. */
export function madeHead(tables: Tables, thread: string, incarnation: string): HeadRow {
  const known = headOf(tables, thread)
  if (known) return known
  const end = startOf({ name: thread, incarnation, forkOf: undefined })
  const sql = "insert into threads (name, incarnation, began, seq, epoch, hash, status) values (?, ?, ?, 0, 0, ?, 'idle') returning id"
  const row = tables.get(sql, thread, incarnation === thread ? null : incarnation, tables.now(), Buffer.from(end.hash, 'hex'))
  const id = Number(row?.['id'])
  const empty = { worker: null, instance: null, agent: null, parent: null, wake_at: null, labels: null }
  const head: HeadRow = { id, name: thread, incarnation, forkOf: undefined, end, grown: false, anchor: end, epoch: 0, status: 'idle', ...empty }
  tables.heads.set(thread, head)
  return head
}

/** Writes what the first batch says: the incarnation of the thread, and where a fork was cut. */
export function startThread(tables: Tables, head: HeadRow, { incarnation, forkOf }: Pick<Batch, 'incarnation' | 'forkOf'>): void {
  if (head.incarnation === incarnation && !forkOf) return
  const end = startOf({ name: head.name, incarnation, forkOf })
  const { id, name } = Object.assign(head, { incarnation, forkOf, end, anchor: end })
  const sql = 'update threads set incarnation = ?, fork_thread = ?, fork_incarnation = ?, fork_seq = ?, seq = ?, hash = ? where id = ?'
  const fork = [forkOf?.thread ?? null, forkOf?.incarnation ?? null, forkOf?.seq ?? null]
  tables.run(sql, incarnation === name ? null : incarnation, ...fork, end.seq, Buffer.from(end.hash, 'hex'), id)
}

/** Changes the driver of a thread, and renews its anchor. */
export function putDriver(tables: Tables, head: HeadRow, change: Pick<HeadRow, 'epoch' | 'worker' | 'instance'>): void {
  const { id, end, epoch, worker, instance } = Object.assign(head, change, { anchor: head.end, grown: false })
  const sql = 'update threads set seq = ?, hash = ?, epoch = ?, worker = ?, instance = ? where id = ?'
  tables.run(sql, end.seq, Buffer.from(end.hash, 'hex'), epoch, worker, instance, id)
}

/** The threads that this object has made longer than their anchors say. */
export function grownHeads({ heads }: Tables): readonly HeadRow[] {
  return [...heads.values()].filter(({ grown }) => grown)
}

/** The summary of a thread, as columns. */
export type SummaryColumns = Pick<HeadRow, 'status' | 'agent' | 'parent' | 'wake_at' | 'labels'>

/** Changes the summary of a thread, and renews its anchor. Most turns change no summary, and then no row is written. */
export function putSummary(tables: Tables, head: HeadRow, change: SummaryColumns): void {
  const { status, agent, parent, wake_at, labels } = change
  const same = head.status === status && head.agent === agent && head.parent === parent && head.wake_at === wake_at && head.labels === labels
  if (same && head.anchor.seq > (head.forkOf?.seq ?? 0)) return
  const { id, end } = Object.assign(head, change, { anchor: head.end, grown: false })
  const sql = 'update threads set seq = ?, hash = ?, changed = ?, status = ?, agent = ?, parent = ?, wake_at = ?, labels = ? where id = ?'
  tables.run(sql, end.seq, Buffer.from(end.hash, 'hex'), tables.now(), status, agent, parent, wake_at, labels, id)
}

function lastLink({ get }: Tables, id: number): Link | undefined {
  const row = get('select last, hash from batches where thread = ? order by last desc limit 1', id)
  return row && { seq: Number(row['last']), hash: hexOf(row['hash']) }
}

/** A hash as text; empty for any other value. */
export function hexOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex') : ''
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
