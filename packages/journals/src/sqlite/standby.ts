/** How a worker sends the heartbeats of a journal object: with a connection of its own, while the main thread cannot. */
import type { StandbyWork } from '../storage/standby-heartbeat.ts'
import type { Tables } from './tables.ts'

/** A row that is gone is not written again: the object has released everything. */
const source = `
const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
const { uptime } = require('node:os')
let db
function beat() {
  if (!db) {
    db = new DatabaseSync(data.path, { timeout: 1000 })
    db.exec('pragma synchronous = normal; pragma wal_autocheckpoint = 0')
  }
  const { changes } = db.prepare('update instances set beat = ?, uptime = ? where id = ?').run(Date.now(), uptime() * 1000, data.id)
  if (changes === 0) throw new Error('there is nothing to renew')
}
function rest() {
  db?.close()
  db = undefined
}
`

/** The work of the worker; none where no other process can open the database. */
export function standbyFor({ db, shared, here }: Pick<Tables, 'db' | 'shared' | 'here'>): StandbyWork | undefined {
  const path = db.location()
  return shared && path !== null ? { source, data: { path, id: here.id } } : undefined
}
