/**
 * Upgrades a journal of an older format: in one transaction, by the first process that opens it.
 *
 * PG-12. No process of an older version writes after the upgrade: the functions that it calls are gone, and it holds no thread any more, which the
 *        statement without a function checks (PG-10).
 *
 * What a label says is read here and not by the server: its JSON functions refuse texts that were stored without them (a NUL, half a surrogate pair).
 */
import { forkInLabels } from '../storage/fork-label.ts'
import { sha256 } from '../storage/node-crypto.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { Row } from './driver.ts'
import { functionNames, functionsOf } from './functions.ts'
import { isStorable } from './options.ts'
import { additionsOf, format, lockOf } from './schema.ts'

/** Whether a journal of this format can be upgraded. */
export function isUpgradable(found: number): boolean {
  return Number.isInteger(found) && found >= 1 && found < format
}

/** Upgrades a journal. Other processes may be upgrading it, with another version: then, and when a fork was made meanwhile, it fails and is tried again. */
export async function upgrade(pool: ConnectionPool, schema: string, found: number): Promise<void> {
  const s = `"${schema}"`
  // From format 3 on a label of that name is a user's.
  const isForkLabel = found < 3 ? `t.labels like '%"$fork"%'` : 'false'
  const labelled = `select t.id, t.labels from ${s}.threads t where ${isForkLabel} order by t.id`
  const rows = await pool.run(labelled)
  const digest = sha256(rows.map(({ id, labels }) => `${id} ${labels}\n`).join(''))
  await pool.run(`
${lockOf(schema)}
lock table ${s}.threads, ${s}.batches;
do $upgrade$ begin
  if (select value from ${s}.meta where key = 'format') <> '${found}'
    or (select encode(sha256(convert_to(coalesce(string_agg(l.id || ' ' || l.labels || E'\\n', '' order by l.id), ''), 'UTF8')), 'hex')
      from (${labelled}) l) <> '${digest}' then
    raise exception 'another process has changed the journal' using errcode = 'serialization_failure';
  end if;
end $upgrade$;
update ${s}.threads set worker = null, instance = null, claim = null where instance is not null;
${additionsOf(s)}
${withForks(s, rows.flatMap(valuesOf))}
${withoutFunctions(schema)}
${functionsOf(s)}
update ${s}.meta set value = '${format}' where key = 'format';`)
}

/**
 * In older formats the cut of a fork was a label, `"$fork": "parent@seq"`, and its own events were numbered from 1. Numbers are negative in between,
 * because no two batches of a thread may end at one seq.
 */
function withForks(s: string, forks: readonly string[]): string {
  if (forks.length === 0) return ''
  const cuts = `(values ${forks.join(', ')}) as f(id, cut, parent, labels)`
  return `
update ${s}.threads t set seq = t.seq + f.cut, fork_seq = f.cut, fork_thread = f.parent, fork_incarnation = f.parent, labels = f.labels
  from ${cuts} where t.id = f.id;
update ${s}.batches b set last = -(b.last + f.cut) from ${cuts} where b.thread = f.id;
update ${s}.batches b set last = -b.last where b.last < 0;`
}

/** The values of a fork; none for a label of a user that looks like one. */
function valuesOf({ id, labels }: Row): readonly string[] {
  const fork = forkInLabels(String(labels))
  if (!fork || !isStorable(fork.forkOf.thread)) return []
  return [`(${id}::bigint, ${fork.forkOf.seq}::bigint, ${quoted(fork.forkOf.thread)}, ${fork.labels === null ? 'null::text' : quoted(fork.labels)})`]
}

/** A text as PostgreSQL writes it, whatever its setting for backslashes is. */
const quoted = (text: string): string => `E'${text.replace(/[\\']/g, '\\$&')}'::text`

/** Drops the functions of older formats: they have other parameters, so that the new ones would not replace them. */
function withoutFunctions(schema: string): string {
  return `
do $functions$
declare
  known record;
begin
  for known in select p.oid::regprocedure as signature from pg_proc p
    where p.pronamespace = '"${schema}"'::regnamespace and p.proname in (${functionNames.map((name) => `'${name}'`).join(', ')}) loop
    execute 'drop function ' || known.signature;
  end loop;
end $functions$;`
}
