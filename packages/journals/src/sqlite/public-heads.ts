/** Threads as users of the journal see them. */
import type { Head, Summary, ThreadQuery } from '@loom-agent/kernel'
import { labelsIn } from '../storage/labels.ts'
import { isAlive } from '../storage/liveness.ts'
import { headColumns, headIn, headOf } from './heads.ts'
import type { SQLInputValue } from './node-sqlite.ts'
import type { HeadRow, Tables } from './tables.ts'

/** The head of a thread. */
export function findHead(tables: Tables, thread: string): Head | undefined {
  const row = headOf(tables, thread)
  return row && publicHead(tables, row)
}

/** The head that a row shows. A holder that is no longer alive is left out. */
export function publicHead(tables: Tables, row: HeadRow, alive: (instance: string) => boolean = (id) => isHolderAlive(tables, id)): Head {
  const { name, incarnation, forkOf, end, epoch, worker, instance } = row
  const holder = worker !== null && instance !== null && alive(instance) ? worker : undefined
  return { thread: name, incarnation, forkOf, seq: end.seq, epoch, holder, summary: summaryOf(row) }
}

/** Whether the journal object that holds a thread is alive. */
function isHolderAlive({ here, now, get }: Tables, instance: string): boolean {
  if (instance === here.id) return true
  const row = get('select host, pid, started, beat from instances where id = ?', instance)
  if (!row) return false
  const { host, pid, started, beat } = row
  return isAlive({ id: instance, host: String(host), pid: Number(pid), started: String(started), heartbeat: Number(beat) }, here, now())
}

/** A page of the threads that match a query, ordered by name. */
export function listHeads(tables: Tables, query: ThreadQuery & { readonly limit: number }): readonly Head[] {
  const { sql, values } = statementFor(query)
  const known = new Map<string, boolean>()
  const alive = (instance: string): boolean => {
    const isKnownAlive = known.get(instance) ?? isHolderAlive(tables, instance)
    known.set(instance, isKnownAlive)
    return isKnownAlive
  }
  return tables.all(sql, ...values).map((row) => publicHead(tables, headIn(tables, row), alive))
}

function statementFor({ status, parent, dueBy, after, limit }: ThreadQuery & { readonly limit: number }): { sql: string; values: SQLInputValue[] } {
  const conditions = ['seq > 0']
  const values: SQLInputValue[] = []
  const ask = (condition: string, value: SQLInputValue | undefined): void => {
    if (value === undefined) return
    conditions.push(condition)
    values.push(value)
  }
  ask('wake_at <= ?', dueBy)
  ask('parent = ?', parent)
  ask('status = ?', status)
  ask('name > ?', after)
  const sql = `select ${headColumns} from threads${indexFor({ status, parent, dueBy })} where ${conditions.join(' and ')} order by name limit ?`
  return { sql, values: [...values, limit] }
}

/** The planner has no statistics, so the query names the index that leaves the fewest rows. */
function indexFor({ status, parent, dueBy }: { [K in 'status' | 'parent' | 'dueBy']: ThreadQuery[K] | undefined }): string {
  if (dueBy !== undefined) return ' indexed by threads_by_wake'
  if (parent !== undefined) return ' indexed by threads_by_parent'
  return status === undefined ? '' : ' indexed by threads_by_status'
}

function summaryOf({ status, agent, parent, wake_at, labels, name }: HeadRow): Summary {
  return {
    status: status as Summary['status'],
    agent: agent ?? undefined,
    parent: parent ?? undefined,
    wakeAt: wake_at ?? undefined,
    labels: labels === null ? undefined : labelsIn(labels, name),
  }
}
