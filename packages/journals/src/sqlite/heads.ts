/** Where threads are, and who has them: rows of the thread table. Inside transactions only. */
import { chainStart } from '../chain.ts'
import type { HeadRow, Link, Row, Tables } from './tables.ts'

/** The columns of a row, for `headIn`. */
export const headColumns = 'id, name, seq, epoch, hash, worker, instance, status, agent, parent, wake_at, labels'

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
  const { id, name, seq, hash, epoch, worker, instance, status, agent, parent, wake_at, labels } = row
  const thread = String(name)
  return {
    id: Number(id),
    name: thread,
    end: endOf(tables, thread, Number(id)),
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

/** What is known of a thread, which begins if it is not there. */
export function madeHead(tables: Tables, thread: string): HeadRow {
  const known = headOf(tables, thread)
  if (known) return known
  const end = { seq: 0, hash: chainStart(thread) }
  const sql = "insert into threads (name, seq, epoch, hash, status) values (?, 0, 0, ?, 'idle') returning id"
  const row = tables.get(sql, thread, Buffer.from(end.hash, 'hex'))
  const nobody = { worker: null, instance: null, agent: null, parent: null, wake_at: null, labels: null }
  const head: HeadRow = { id: Number(row?.['id']), name: thread, end, grown: false, anchor: end, epoch: 0, status: 'idle', ...nobody }
  tables.heads.set(thread, head)
  return head
}

/** Changes who has a thread, and renews its anchor. */
export function putDriver(tables: Tables, head: HeadRow, change: Pick<HeadRow, 'epoch' | 'worker' | 'instance'>): void {
  const { id, end, epoch, worker, instance } = Object.assign(head, change, { anchor: head.end, grown: false })
  const sql = 'update threads set seq = ?, hash = ?, epoch = ?, worker = ?, instance = ? where id = ?'
  tables.run(sql, end.seq, Buffer.from(end.hash, 'hex'), epoch, worker, instance, id)
}

/** The threads that this object has made longer than their anchors say. */
export function grownHeads({ heads }: Tables): readonly HeadRow[] {
  return [...heads.values()].filter(({ grown }) => grown)
}

/** What the thread table says of a thread beside its place. */
export type SummaryColumns = Pick<HeadRow, 'status' | 'agent' | 'parent' | 'wake_at' | 'labels'>

/** Changes the summary of a thread, and renews its anchor; a turn changes none, and then no row is written. */
export function putSummary(tables: Tables, head: HeadRow, change: SummaryColumns): void {
  const { status, agent, parent, wake_at, labels } = change
  const same = head.status === status && head.agent === agent && head.parent === parent && head.wake_at === wake_at && head.labels === labels
  if (same && head.anchor.seq > 0) return
  const { id, end } = Object.assign(head, change, { anchor: head.end, grown: false })
  const sql = 'update threads set seq = ?, hash = ?, status = ?, agent = ?, parent = ?, wake_at = ?, labels = ? where id = ?'
  tables.run(sql, end.seq, Buffer.from(end.hash, 'hex'), status, agent, parent, wake_at, labels, id)
}

function endOf({ get }: Tables, thread: string, id: number): Link {
  const row = get('select last, hash from batches where thread = ? order by last desc limit 1', id)
  return row ? { seq: Number(row['last']), hash: hexOf(row['hash']) } : { seq: 0, hash: chainStart(thread) }
}

/** A hash as text; something else has none. */
export function hexOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex') : ''
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
