/**
 * The tables of a journal, format 1.
 *
 * A batch is stored without its id, which has a column of its own: `{"id":"<id>",` and `line` together are the line that the hash is over.
 * Batches lie in the order of their arrival, so that a commit of many threads fills few pages; `last` is the seq of a batch's last event.
 * There is no index that no question needs: at small batches each costs more than the hash.
 *
 * `seq` and `hash` of a thread are an anchor: it is at least that long. It is renewed whenever the row is written anyway (a summary changes, a thread
 * is taken or left), with every sign of life, and when the journal is closed. So a turn writes no row twice, and what is at rest cannot lose its end
 * unnoticed.
 *
 * `threads` of a blob counts them.
 */

/** The format that this version writes, and the newest it reads. */
export const format = 1

/** Says that a database is a journal of Loom. */
export const applicationId = 0x4c_6f_6f_6d

/** Small batches fill bigger pages better; SQLite's own default loses a quarter at two kilobytes a turn. */
export const pageSize = 8192

/** What a new journal begins with. */
export const schema: string = `
create table meta (key text primary key, value text not null) strict, without rowid;

create table threads (
  id integer primary key,
  name text not null unique,
  seq integer not null,
  epoch integer not null,
  hash blob not null,
  worker text,
  instance text,
  status text not null,
  agent text,
  parent text,
  wake_at real,
  labels text
) strict;
create index threads_by_status on threads (status, name);
create index threads_by_parent on threads (parent, name) where parent is not null;
create index threads_by_wake on threads (wake_at) where wake_at is not null;

create table batches (
  position integer primary key,
  thread integer not null,
  last integer not null,
  id text not null,
  hash blob not null,
  line text not null
) strict;
create unique index batches_by_last on batches (thread, last);

create table blobs (
  hash text primary key,
  threads integer not null,
  digest blob not null,
  bytes blob not null
) strict, without rowid;
create table thread_blobs (thread integer not null, hash text not null, primary key (thread, hash)) strict, without rowid;

create table instances (
  id text primary key,
  host text not null,
  pid integer not null,
  started text not null,
  beat real not null
) strict, without rowid;

pragma application_id = ${applicationId};
`
