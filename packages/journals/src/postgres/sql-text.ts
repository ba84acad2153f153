/** Parts of statements and functions that several of them share. */
import { heartbeatTimeout } from '../storage/liveness.ts'
import type { Value } from './driver.ts'

/** A time as an interval of SQL. */
export const secondsOf = (ms: number): string => `interval '${ms / 1000} seconds'`

const columns = [
  ...['name', 'incarnation', 'fork_thread', 'fork_incarnation', 'fork_seq', 'seq', 'epoch', 'worker'].map((name) => `t.${name}`),
  ...['status', 'agent', 'parent', 'wake_at', 'labels', 'quarantined'].map((name) => `t.${name}`),
  ...['host', 'pid', 'started'].map((name) => `i.${name}`),
].join(', ')

const msOf = (time: string): string => `floor(extract(epoch from ${time}) * 1000)::float8`

/** When the summary of a thread changed last, in milliseconds; 0 in a row of an older format. */
export const changedTime: string = msOf("coalesce(t.changed, 'epoch')")

/** The server's clock, and the times of a thread. */
const timeColumns = `${msOf('now()')} as now, ${msOf("coalesce(t.began, 'epoch')")} as began, ${changedTime} as changed`

/** Rows of threads with the instance that holds them, if its last heartbeat is recent. */
export const headsOf = (s: string): string =>
  `select ${columns}, ${timeColumns} from ${s}.threads t left join ${s}.instances i on i.id = t.instance and i.beat > now() - ${secondsOf(heartbeatTimeout)}`

/** Values as PostgreSQL writes an array. */
export function arrayOf(values: readonly Value[]): string {
  return `{${values.map((value) => (typeof value === 'string' ? `"${value.replace(/[\\"]/g, '\\$&')}"` : String(value))).join(',')}}`
}
