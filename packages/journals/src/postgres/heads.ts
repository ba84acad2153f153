/** Threads as users of the journal see them. */
import type { Head, HeadTimes, ThreadQuery } from '@loom-agent/kernel'
import { isGone } from '../storage/liveness.ts'
import { conditionsOf, forkIn, summaryColumnsIn, summaryOf, textOf } from '../storage/thread-columns.ts'
import type { Database } from './database.ts'
import type { Row } from './driver.ts'
import { changedTime, headsOf } from './sql-text.ts'

/** The head of a thread; undefined when there is none. */
export async function findHead({ ask, s, here }: Database, thread: string): Promise<Head | undefined> {
  const [row] = await ask(`${headsOf(s)} where name = $1`, [thread])
  return row && headIn(row, (holder) => isHolderAlive(holder, here))
}

/** A page of the threads that match a query but for its labels. */
export async function listHeads({ ask, s, here }: Database, query: ThreadQuery & { readonly limit: number }): Promise<readonly Head[]> {
  const { where, values, order } = conditionsOf(query, { parameter: (number) => `$${number}`, changed: changedTime })
  const rows = await ask(`${headsOf(s)} where ${where} order by ${order} limit $${values.length + 1}`, [...values, query.limit])
  const known = new Map<string, boolean>()
  // One process may hold all of them: it is checked once.
  const alive = (row: Row): boolean => {
    const key = `${row['host']} ${row['pid']} ${row['started']}`
    const isKnownAlive = known.get(key) ?? isHolderAlive(row, here)
    known.set(key, isKnownAlive)
    return isKnownAlive
  }
  return rows.map((row) => headIn(row, alive))
}

/** The head that a row of `headsOf` shows; a holder that is no longer alive is left out. */
export function headIn(row: Row, alive: (row: Row) => boolean): Head {
  const { name, incarnation, seq, epoch, worker } = row
  const holder = typeof worker === 'string' && alive(row) ? worker : undefined
  const thread = String(name)
  const place = { thread, incarnation: textOf(incarnation) ?? thread, seq: Number(seq), epoch: Number(epoch) }
  return { ...place, holder, forkOf: forkIn(row), summary: summaryOf(summaryColumnsIn(row), thread), times: timesIn(row) }
}

const timesIn = ({ now, began, changed }: Row): HeadTimes => ({ now: Number(now), began: Number(began), changed: Number(changed) })

/** Whether the holder of a thread is alive; a row without a host has no holder. */
export function isHolderAlive({ host, pid, started }: Row, here: Database['here']): boolean {
  return typeof host === 'string' && !isGone({ host, pid: Number(pid), started: String(started) }, here)
}
