/**
 * How a worker sends the heartbeats of a journal object: over a connection of its own, while the main thread cannot.
 *
 * The driver is imported with the first heartbeat, and never required: Node aborts the whole process when a worker is ended while it requires a module.
 */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { orUndefined } from '../storage/or-undefined.ts'
import type { StandbyWork } from '../storage/standby-heartbeat.ts'
import type { Database } from './database.ts'

/** A row that is gone is not written again: the object has released everything. */
const source = `
const settings = { max: 1, fetch_types: false, onnotice() {}, connect_timeout: 5, connection: { application_name: 'loom' } }
let sql
async function beat() {
  const { default: driver } = await import(data.driver)
  sql ??= typeof data.address === 'string' ? driver(data.address, settings) : driver({ ...data.address, ...settings })
  const { count } = await sql.unsafe(data.statement, [data.id])
  if (count === 0) throw new Error('there is nothing to renew')
}
async function rest() {
  const last = sql
  sql = undefined
  await last?.end({ timeout: 1 })
}
`

/** The work of the worker; none where the driver is not the installed package. */
export function standbyFor({ config, s, here }: Database): StandbyWork | undefined {
  // In a bundle the package may be part of it: then there is no file that a worker can load.
  const driver = config.isOwnDriver ? orUndefined(() => pathToFileURL(createRequire(import.meta.url).resolve('postgres')).href) : undefined
  const statement = `update ${s}.instances set beat = now() where id = $1`
  return driver === undefined ? undefined : { source, data: { driver, address: config.address, statement, id: here.id } }
}
