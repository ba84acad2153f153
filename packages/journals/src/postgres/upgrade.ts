/**
 * Upgrades a journal of an older format: in one transaction, by the first process that opens it.
 *
 * PG-12. No process of an older version writes after the upgrade: the functions that it calls are gone, and it holds no thread any more, which the
 *        statement without a function checks (PG-10).
 */
import { functionNames, functionsOf } from './functions.ts'
import { additionsOf, format, lockOf } from './schema.ts'

/** The step from each older format to the next one. The functions are created again after the last step. */
const steps: Readonly<Record<number, (s: string) => string>> = {
  1: (s) => `alter table ${s}.threads add column if not exists touched boolean not null default false;`,
  2: (s) => `${additionsOf(s)}${forksOf(s)}`,
}

/** The statements that upgrade a journal; undefined when there are none for its format. Other processes may be upgrading it, with another version. */
export function upgradeFrom(found: number, schema: string): string | undefined {
  const s = `"${schema}"`
  const missing = Array.from({ length: Math.max(0, format - found) }, (_, index) => steps[found + index])
  if (missing.length === 0 || missing.includes(undefined)) return undefined
  return `
${lockOf(schema)}
do $upgrade$ begin
  if (select value from ${s}.meta where key = 'format') <> '${found}' then
    raise exception 'another process has upgraded the journal' using errcode = 'serialization_failure';
  end if;
end $upgrade$;
lock table ${s}.threads, ${s}.batches;
update ${s}.threads set worker = null, instance = null, claim = null where instance is not null;
${missing.map((step) => step?.(s)).join('\n')}
${withoutFunctions(schema)}
${functionsOf(s)}
update ${s}.meta set value = '${format}' where key = 'format';`
}

/**
 * In format 2 the cut of a fork was a label, `"$fork": "parent@seq"`, and its own events were numbered from 1. Numbers are negative in between,
 * because no two batches of a thread may end at one seq.
 */
function forksOf(s: string): string {
  return `
do $forks$
declare
  fork record;
  cut bigint;
begin
  for fork in select t.id, t.labels::json as labels, t.labels::json ->> '$fork' as cut from ${s}.threads t
    where case when t.labels like '%"$fork"%' then t.labels::json ->> '$fork' ~ '^.+@[1-9][0-9]*$' end loop
    cut := substring(fork.cut from '@(\\d+)$')::bigint;
    update ${s}.threads t set seq = t.seq + cut, fork_seq = cut, fork_thread = regexp_replace(fork.cut, '@\\d+$', ''),
      fork_incarnation = regexp_replace(fork.cut, '@\\d+$', ''),
      labels = (select json_object_agg(l.key, l.value)::text from json_each(fork.labels) l where l.key <> '$fork')
      where t.id = fork.id;
    update ${s}.batches b set last = -(b.last + cut) where b.thread = fork.id;
    update ${s}.batches b set last = -b.last where b.thread = fork.id;
  end loop;
end $forks$;`
}

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
