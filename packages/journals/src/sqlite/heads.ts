/** Rows of the thread table: the end of a thread, its driver and its summary. Inside transactions only. */
import type { Head, ThreadQuery } from '@loom-agent/kernel'
import { chainStart, type Link } from '../storage/chain.ts'
import { isAlive } from '../storage/liveness.ts'
import type { StorableBatch } from '../storage/storable-batch.ts'
import { conditionsOf, forkIn, hexOf, isSameSummary, type SummaryColumns, summaryColumnsIn, summaryOf, textOf } from '../storage/thread-columns.ts'
import type { HeadRow, Row, Tables } from './tables.ts'

/** What is known of a thread, from the cache if it is there. */
export function headOf(tables: Tables, thread: string): HeadRow | undefined {
  const known = tables.heads.get(thread)
  if (known) return known
  const row = tables.get('select * from threads where name = ?', thread)
  if (!row) return undefined
  const head = headIn(tables, row)
  tables.heads.set(thread, head)
  return head
}

function headIn(tables: Tables, row: Row): HeadRow {
  const id = Number(row['id'])
  const name = String(row['name'])
  const identity = { name, incarnation: textOf(row['incarnation']) ?? name, forkOf: forkIn(row) }
  return {
    id,
    ...identity,
    began: Number(row['began']),
    changed: Number(row['changed']),
    end: lastLink(tables, id) ?? startOf(identity),
    grown: false,
    anchor: { seq: Number(row['seq']), hash: hexOf(row['hash']) },
    epoch: Number(row['epoch']),
    worker: textOf(row['worker']),
    instance: textOf(row['instance']),
    summary: summaryColumnsIn(row),
  }
}

/** Where the chain of a thread starts: after the events that it shares with its parent. */
export function startOf({ name, incarnation, forkOf }: Pick<HeadRow, 'name' | 'incarnation' | 'forkOf'>): Link {
  return { seq: forkOf?.seq ?? 0, hash: chainStart(name, incarnation) }
}

function lastLink({ get }: Tables, id: number): Link | undefined {
  const row = get('select last, hash from batches where thread = ? order by last desc limit 1', id)
  return row && { seq: Number(row['last']), hash: hexOf(row['hash']) }
}

/** The row of a thread that is about to be acquired or written; a new row if there is none. */
export function madeHead(tables: Tables, thread: string, incarnation: string): HeadRow {
  const known = headOf(tables, thread)
  if (known) return known
  const { hash } = startOf({ name: thread, incarnation, forkOf: undefined })
  const sql = "insert into threads (name, incarnation, began, changed, seq, epoch, hash, status) values (?, ?, ?, ?, 0, 0, ?, 'idle') returning *"
  const now = tables.now()
  const head = headIn(tables, tables.get(sql, thread, incarnation === thread ? null : incarnation, now, now, Buffer.from(hash, 'hex')) as Row)
  tables.heads.set(thread, head)
  return head
}

/** Writes what the claim on a thread without events says, or its first batch: the incarnation, and where a fork was cut. */
export function startThread(tables: Tables, head: HeadRow, { incarnation, forkOf }: Pick<StorableBatch, 'incarnation' | 'forkOf'>): void {
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

/** Changes the summary of a thread, and renews its anchor. Most turns change no summary, and then no row is written. */
export function putSummary(tables: Tables, head: HeadRow, summary: SummaryColumns): void {
  if (isSameSummary(head.summary, summary) && head.anchor.seq > (head.forkOf?.seq ?? 0)) return
  const changed = isSameSummary(head.summary, summary) ? head.changed : tables.now()
  const { id, end } = Object.assign(head, { summary, changed, anchor: head.end, grown: false })
  const sql =
    'update threads set seq = ?, hash = ?, changed = ?, status = ?, agent = ?, parent = ?, wake_at = ?, labels = ?, quarantined = coalesce(?, 0) where id = ?'
  tables.run(sql, end.seq, Buffer.from(end.hash, 'hex'), changed, ...summary, id)
}

/** The last seq of a thread; that of its anchor if batches up to there are missing, so that a reader that reads to the head meets the damage. */
export const lastSeqOf = ({ end, anchor }: Pick<HeadRow, 'end' | 'anchor'>): number => Math.max(end.seq, anchor.seq)

/** The head that users of the journal see. A holder that is no longer alive is left out. */
export function publicHead(tables: Tables, row: HeadRow, alive: (instance: string) => boolean = (id) => isHolderAlive(tables, id)): Head {
  const { name, incarnation, forkOf, epoch, summary, began, changed } = row
  const times = { now: tables.now(), began, changed }
  return { thread: name, incarnation, forkOf, seq: lastSeqOf(row), epoch, holder: holderOf(row, alive), summary: summaryOf(summary, name), times }
}

function holderOf({ worker, instance }: HeadRow, alive: (instance: string) => boolean): string | undefined {
  return worker !== null && instance !== null && alive(instance) ? worker : undefined
}

/** The worker that drives a thread: one that is alive, while the thread is running. */
export function driverOf(tables: Tables, thread: string): string | undefined {
  const row = headOf(tables, thread)
  return row?.summary[0] === 'running' ? holderOf(row, (id) => isHolderAlive(tables, id)) : undefined
}

/** The head of a thread as users of the journal see it. */
export function findHead(tables: Tables, thread: string): Head | undefined {
  const row = headOf(tables, thread)
  return row && publicHead(tables, row)
}

/** Whether the journal object that holds a thread is alive. */
function isHolderAlive({ here, now, uptime, leaseTimeout, get }: Tables, instance: string): boolean {
  if (instance === here.id) return true
  const row = get('select host, pid, started, beat, uptime from instances where id = ?', instance)
  if (!row) return false
  const holder = { id: instance, host: String(row['host']), pid: Number(row['pid']), started: String(row['started']) }
  // Processes on one machine have a clock in common that nothing sets; it starts anew with the machine.
  const passed = holder.host === here.host && row['uptime'] !== null ? uptime() - Number(row['uptime']) : -1
  return isAlive(holder, here, { ms: passed < 0 ? now() - Number(row['beat']) : passed, timeout: leaseTimeout })
}

/** A page of the threads that match a query but for its labels. */
export function listHeads(tables: Tables, query: ThreadQuery & { readonly limit: number }): readonly Head[] {
  const { where, values, order } = conditionsOf(query, { parameter: () => '?', changed: 'coalesce(changed, 0)' })
  const sql = `select * from threads${indexFor(query)} where ${where} order by ${order} limit ?`
  const known = new Map<string, boolean>()
  const alive = (instance: string): boolean => {
    const isKnownAlive = known.get(instance) ?? isHolderAlive(tables, instance)
    known.set(instance, isKnownAlive)
    return isKnownAlive
  }
  return tables.all(sql, ...values, query.limit).map((row) => publicHead(tables, headIn(tables, row), alive))
}

/** The planner has no statistics, so the query names the index that leaves the fewest rows. */
function indexFor({ status, parent, dueBy }: ThreadQuery): string {
  if (dueBy !== undefined) return ' indexed by threads_by_wake'
  if (parent !== undefined) return ' indexed by threads_by_parent'
  return status === undefined ? '' : ' indexed by threads_by_status'
}
