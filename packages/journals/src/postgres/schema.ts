/**
 * The tables of a journal, format 9. It differs from formats 3 to 8 in its functions alone.
 *
 * A thread is a row: its end, its driver and its summary. Every append changes it in the commit that stores the batch, so appends, claims and the
 * removal of one thread wait for each other. No changed column has an index unless the summary changes: PostgreSQL writes such
 * a row beside its old one and touches no index.
 *
 * The own events of a fork are numbered from its cut on: `fork_seq` is the last seq that it shares with `fork_thread`. A thread without an
 * `incarnation` is of an older format, and its name is its incarnation.
 *
 * A batch is stored without its id, which has its own column: `{"id":"<id>",` and `line` together are the line that the hash covers. `last` is the
 * seq of a batch's last event. `threads` of a blob is how many threads have it. Names are compared byte by byte, whatever the database's language.
 *
 * `position` of batches and removals is the number of their transaction, which is never used twice: a reader of all threads continues from one below
 * `pg_snapshot_xmin` and misses nothing that is committed later. It is an xid8 as a bigint, because a BRIN index, which costs an append next to
 * nothing, has no operators for the former.
 *
 * `began` and `changed` are times of the server; `changed` moves with the summary alone. `quarantined` is part of the summary (JOURNAL-23). `mac` has no
 * writer yet.
 *
 * An instance is a journal object that holds threads (`beat` is its last heartbeat) or watches threads of other drivers (`listening`), by the server's
 * clock.
 */
import { functionsOf } from './functions.ts'

/** The format that this version writes, and the newest it reads. */
export const format = 9

/** Keeps other processes from creating or upgrading the same journal until the transaction ends. */
export const lockOf = (schema: string): string => `select pg_advisory_xact_lock(${0x4c_6f_6f_6d}, hashtext('${schema}'));`

/** The default of a position: the number of the transaction. */
const position = 'position bigint not null default pg_current_xact_id()::text::bigint'

/** What formats 3 to 9 add to older ones; it may be run again. */
export const additionsOf = (s: string): string => `
alter table ${s}.threads
  add column if not exists incarnation text,
  add column if not exists fork_thread text collate "C",
  add column if not exists fork_incarnation text,
  add column if not exists fork_seq bigint,
  add column if not exists began timestamptz,
  add column if not exists changed timestamptz,
  add column if not exists quarantined boolean not null default false;
alter table ${s}.threads alter column began set default now(), alter column changed set default now();
create index if not exists threads_by_fork on ${s}.threads (fork_thread, name) where fork_thread is not null;

alter table ${s}.batches add column if not exists mac bytea, add column if not exists ${position};
create index if not exists batches_by_position on ${s}.batches using brin (position);

create table if not exists ${s}.removals (name text collate "C" not null, incarnation text not null, seq bigint not null, ${position});
create index if not exists removals_by_position on ${s}.removals using brin (position);
`

/** The tables and functions of a new journal; it may be run again, and by several processes at once. */
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
  labels text
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
${additionsOf(s)}
${functionsOf(s)}

create table if not exists ${s}.meta (key text primary key, value text not null);
insert into ${s}.meta (key, value) values ('format', '${format}') on conflict (key) do nothing;
`
}
