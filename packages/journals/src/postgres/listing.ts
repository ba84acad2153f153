/** What others are told of threads. */
import type { Head, JsonObject, Summary, ThreadQuery } from '@loom-agent/kernel'
import { damage } from '../failure.ts'
import { expiry, isGone } from '../liveness.ts'
import type { Database } from './database.ts'
import type { Row, Value } from './driver.ts'

/** Threads in one answer at most. */
export const listLimit = 512

const columns = 't.name, t.seq, t.epoch, t.worker, t.status, t.agent, t.parent, t.wake_at, t.labels, i.host, i.pid, i.started'

/** Rows of threads with the instance that has them, if its last sign of life is young enough. */
const headsOf = (s: string): string =>
  `select ${columns} from ${s}.threads t left join ${s}.instances i on i.id = t.instance and i.beat > now() - interval '${expiry / 1000} seconds'`

/** A thread as others see it; undefined when there is none. */
export async function headOf(database: Database, thread: string): Promise<Head | undefined> {
  const [row] = await database.ask(`${headsOf(database.s)} where t.name = $1`, [thread])
  return row && toldHead(row, (held) => lives(held, database.here))
}

/** A page of the threads that a query asks for, in the order of their names. */
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
  // One process may hold them all: it is looked for once.
  const alive = (row: Row): boolean => {
    const key = `${row['host']} ${row['pid']} ${row['started']}`
    const answer = known.get(key) ?? lives(row, database.here)
    known.set(key, answer)
    return answer
  }
  return (await database.ask(statement, [...values, limit])).map((row) => toldHead(row, alive))
}

function toldHead(row: Row, alive: (row: Row) => boolean): Head {
  const { name, seq, epoch, worker } = row
  const holder = typeof worker === 'string' && alive(row) ? worker : undefined
  return { thread: String(name), seq: Number(seq), epoch: Number(epoch), holder, summary: summaryOf(row) }
}

/** Whether whoever holds a thread lives; a row without a host is that of nobody. */
function lives({ host, pid, started }: Row, here: Database['here']): boolean {
  return typeof host === 'string' && !isGone({ host, pid: Number(pid), started: String(started) }, here)
}

function summaryOf({ name, status, agent, parent, wake_at, labels }: Row): Summary {
  return {
    status: status as Summary['status'],
    agent: textOf(agent),
    parent: textOf(parent),
    wakeAt: typeof wake_at === 'number' ? wake_at : undefined,
    labels: typeof labels === 'string' ? labelsOf(labels, String(name)) : undefined,
  }
}

function labelsOf(text: string, thread: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject
  } catch {
    throw damage(thread, 1, 'its labels are broken')
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
