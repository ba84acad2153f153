/**
 * The tables of a journal, format 2, and how an older one becomes one.
 *
 * A thread is a row: where it ends, who drives it, what the thread table says of it. Every append changes it in the commit that stores the batch, so
 * whoever appends, takes or removes a thread waits for whoever does so at the moment. No changed column has an index unless the summary changes:
 * PostgreSQL writes such a row beside its old one and touches no index.
 *
 * A batch is stored without its id, which has a column of its own: `{"id":"<id>",` and `line` together are the line that the hash is over. `last` is
 * the seq of a batch's last event. `threads` of a blob counts them. Names are compared byte by byte, whatever the database's language.
 *
 * A thread is `touched` while its summary is not that of its last batch: a batch without events has changed it.
 *
 * An instance is a journal object that holds threads (`beat`) or watches threads of others (`listening`), by the server's clock.
 */
import { functionsOf } from './functions.ts'

/** The format that this version writes, and the newest it reads. */
export const format = 2

/** What takes a journal of each older format to the next one. The functions are made anew after the last. */
const steps: Readonly<Record<number, (s: string) => string>> = {
  1: (s) => `alter table ${s}.threads add column if not exists touched boolean not null default false;`,
}

/** What makes a journal of an older format one of today's; undefined when nobody knows how. Others may be at it, with another version. */
export function migrationFrom(found: number, schema: string): string | undefined {
  const s = `"${schema}"`
  const missing = Array.from({ length: Math.max(0, format - found) }, (_, index) => steps[found + index])
  if (missing.length === 0 || missing.includes(undefined)) return undefined
  return `
${lockOf(schema)}
do $migration$ begin
  if (select value from ${s}.meta where key = 'format') <> '${found}' then
    raise exception 'somebody else has migrated the journal' using errcode = 'serialization_failure';
  end if;
end $migration$;
${missing.map((step) => step?.(s)).join('\n')}
${functionsOf(s)}
update ${s}.meta set value = '${format}' where key = 'format';`
}

const lockOf = (schema: string): string => `select pg_advisory_xact_lock(${0x4c_6f_6f_6d}, hashtext('${schema}'));`

/** What a new journal begins with; it may be said again, and by several at once. */
export function schemaOf(schema: string, isThere: boolean): string {
  const s = `"${schema}"`
  return `
${lockOf(schema)}
${isThere ? '' : `create schema if not exists ${s};`}

create table if not exists ${s}.threads (
  id bigint generated always as identity primary key,
  name text collate "C" not null,
  seq bigint not null,
  hash bytea not null,
  epoch bigint not null,
  worker text,
  instance text,
  claim text,
  status text not null,
  agent text,
  parent text collate "C",
  wake_at double precision,
  labels text,
  touched boolean not null default false
) with (fillfactor = 50);
create unique index if not exists threads_by_name on ${s}.threads (name);
create index if not exists threads_by_status on ${s}.threads (status, name);
create index if not exists threads_by_parent on ${s}.threads (parent, name) where parent is not null;
create index if not exists threads_by_wake on ${s}.threads (wake_at) where wake_at is not null;

create table if not exists ${s}.batches (
  thread bigint not null,
  last bigint not null,
  id text collate "C" not null,
  hash bytea not null,
  line text not null
);
create unique index if not exists batches_by_last on ${s}.batches (thread, last);

create table if not exists ${s}.blobs (hash text collate "C" primary key, threads bigint not null, digest bytea not null, bytes bytea not null);
create table if not exists ${s}.thread_blobs (thread bigint not null, hash text collate "C" not null, primary key (thread, hash));

create table if not exists ${s}.instances (
  id text primary key,
  host text not null,
  pid bigint not null,
  started text not null,
  beat timestamptz not null,
  listening timestamptz
) with (fillfactor = 50);
create index if not exists instances_by_beat on ${s}.instances (beat);
create index if not exists instances_by_listening on ${s}.instances (listening) where listening is not null;

${functionsOf(s)}

create table if not exists ${s}.meta (key text primary key, value text not null);
insert into ${s}.meta (key, value) values ('format', '${format}') on conflict (key) do nothing;
`
}
