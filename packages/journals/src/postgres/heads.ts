/** Threads as users of the journal see them. */
import type { ForkOf, Head, Summary, ThreadQuery } from '@loom-agent/kernel'
import { labelsIn } from '../storage/labels.ts'
import { isGone } from '../storage/liveness.ts'
import type { Database } from './database.ts'
import type { Row, Value } from './driver.ts'
import { headsOf } from './sql-text.ts'

/** The head of a thread; undefined when there is none. */
export async function findHead(database: Database, thread: string): Promise<Head | undefined> {
  const [row] = await database.ask(`${headsOf(database.s)} where t.name = $1`, [thread])
  return row && headIn(row, (holder) => isHolderAlive(holder, database.here))
}

/** A page of the threads that match a query, ordered by name. */
export async function listHeads(database: Database, query: ThreadQuery & { readonly limit: number }): Promise<readonly Head[]> {
  const { status, parent, dueBy, after, limit } = query
  const conditions = ['t.seq > 0']
  const values: Value[] = []
  const ask = (condition: string, value: Value | undefined): void => {
    if (value === undefined) return
    values.push(value)
    conditions.push(`${condition} $${values.length}`)
  }
  ask('t.wake_at <=', dueBy)
  ask('t.parent =', parent)
  ask('t.status =', status)
  ask('t.name >', after)
  const statement = `${headsOf(database.s)} where ${conditions.join(' and ')} order by t.name limit $${values.length + 1}`
  const known = new Map<string, boolean>()
  // One process may hold all of them: it is checked once.
  const alive = (row: Row): boolean => {
    const key = `${row['host']} ${row['pid']} ${row['started']}`
    const isKnownAlive = known.get(key) ?? isHolderAlive(row, database.here)
    known.set(key, isKnownAlive)
    return isKnownAlive
  }
  return (await database.ask(statement, [...values, limit])).map((row) => headIn(row, alive))
}

/** The head that a row of `headsOf` shows; a holder that is no longer alive is left out. */
export function headIn(row: Row, alive: (row: Row) => boolean): Head {
  const { name, incarnation, seq, epoch, worker } = row
  const holder = typeof worker === 'string' && alive(row) ? worker : undefined
  const thread = String(name)
  const place = { thread, incarnation: textOf(incarnation) ?? thread, seq: Number(seq), epoch: Number(epoch) }
  return { ...place, holder, forkOf: forkIn(row), summary: summaryOf(row) }
}

/** Where a fork was cut, as the columns of its thread say. */
export function forkIn({ fork_thread, fork_incarnation, fork_seq }: Row): ForkOf | undefined {
  const thread = textOf(fork_thread)
  return thread === undefined ? undefined : { thread, incarnation: textOf(fork_incarnation) ?? thread, seq: Number(fork_seq) }
}

/** Whether the holder of a thread is alive; a row without a host has no holder. */
export function isHolderAlive({ host, pid, started }: Row, here: Database['here']): boolean {
  return typeof host === 'string' && !isGone({ host, pid: Number(pid), started: String(started) }, here)
}

function summaryOf({ name, status, agent, parent, wake_at, labels }: Row): Summary {
  return {
    status: status as Summary['status'],
    agent: textOf(agent),
    parent: textOf(parent),
    wakeAt: typeof wake_at === 'number' ? wake_at : undefined,
    labels: typeof labels === 'string' ? labelsIn(labels, String(name)) : undefined,
  }
}

/** A text of a row; undefined when there is none. */
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
