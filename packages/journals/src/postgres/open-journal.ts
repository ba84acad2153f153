/**
 * Opens a database as a journal.
 *
 * PG-15. No event is appended before the positions are in order: a position of a transaction that is still to come on this server, because the database
 *        was restored from another one, becomes 0. Later it could not be told from a position of this server, and would come after newer events.
 */
import { journalError } from '../storage/failure.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { Config } from './options.ts'
import { format, schemaOf } from './schema.ts'
import { isUpgradable, upgrade } from './upgrade.ts'

/** Ensures that there is a journal that can be written, and creates one where there is none. Several processes may do so at once. */
export async function openJournal(pool: ConnectionPool, config: Config): Promise<void> {
  const { schema, name, mode } = config
  const checks = `select pg_is_in_recovery() as replica, current_setting('server_encoding') as encoding,
    current_setting('transaction_isolation') as isolation, to_regnamespace($1) is not null as schema, to_regclass($2) is not null as tables`
  const [server] = await pool.run(checks, [`"${schema}"`, `"${schema}".meta`])
  // What was acknowledged a moment ago may not have reached a replica, so a replica is not even read.
  if (server?.['replica'] === true) throw Object.assign(new Error('the server follows another one'), { code: '25006' })
  if (server?.['encoding'] !== 'UTF8') {
    const what = `has the encoding ${server?.['encoding']}, which cannot hold every text. Create a database with the encoding UTF8.`
    throw journalError('unusable', `The journal ${name} ${what}`, { context: { journal: name } })
  }
  // Behind a pooler the settings of the connection may be missing. Then a removal would not see a fork that starts at the same time (PG-2).
  if (server['isolation'] !== 'read committed') {
    const what = `runs transactions as ${server['isolation']}. Set default_transaction_isolation of its user to read committed.`
    throw journalError('unusable', `The journal ${name} ${what}`, { context: { journal: name } })
  }
  if (server['tables'] !== true) await pool.run(schemaOf(schema, server['schema'] === true))
  const meta = new Map((await pool.run(`select key, value from "${schema}".meta`)).map((row) => [row['key'], row['value']]))
  const found = Number(meta.get('format'))
  if (isUpgradable(found)) await upgrade(pool, schema, found)
  else if (found !== format) {
    const what = `has format ${found} in the schema ${schema}; this version of Loom knows ${format}.`
    const advice = 'Open it with the version that wrote it, or a newer one.'
    throw journalError('unusable', `The journal ${name} ${what} ${advice}`, { context: { journal: name, format: found } })
  }
  if (server['tables'] === true) await pool.run(restoredPositions(schema))
  if (meta.get('mode') === mode) return
  await pool.run(`insert into "${schema}".meta (key, value) values ('mode', $1) on conflict (key) do update set value = excluded.value`, [mode])
}

/** Sets the positions of transactions that are still to come to 0; the indexes on positions find none of them in a journal of this server. */
const restoredPositions = (schema: string): string =>
  ['batches', 'removals']
    .map((table) => `update "${schema}".${table} set position = 0 where position >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint;`)
    .join('\n')
