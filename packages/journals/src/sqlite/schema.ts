/**
 * The tables of a journal, format 2, and how one of format 1 becomes one.
 *
 * A batch is stored without its id, which has its own column: `{"id":"<id>",` and `line` together are the line that the hash covers.
 * Batches are stored in the order of their arrival, so that a commit of many threads fills few pages; `last` is the seq of a batch's last event.
 * There is no index that no query needs: for small batches each costs more than the hash.
 *
 * `seq` and `hash` of a thread are an anchor: it is at least that long. It is renewed whenever the row is written anyway (a summary changes, a
 * lease is acquired or released), with every heartbeat, and when the journal is closed. So a turn writes no row twice, and a thread at rest cannot
 * lose its end unnoticed.
 *
 * The own events of a fork are numbered from its cut on: `fork_seq` is the last seq that it shares with `fork_thread`. A thread without an
 * `incarnation` is of format 1, and its name is its incarnation.
 *
 * No position is used twice, so that a reader of all threads can continue from one: a removal leaves a row in `batches`, under thread 0, which is the
 * newest when it is written. That costs a turn nothing; an AUTOINCREMENT would write one more page with every commit.
 *
 * An instance is a journal object that holds threads. Its last heartbeat has two times: `beat` by the wall clock, and `uptime`, the milliseconds since
 * the machine's start, which counts for processes on the same machine: nothing sets that clock. Journals of earlier versions have no such column.
 *
 * `threads` of a blob is how many threads have it. `quarantined` is part of the summary (JOURNAL-23). `mac` has no writer yet.
 */
import { forkInLabels } from '../storage/fork-label.ts'
import type { DatabaseSync } from './node-sqlite.ts'

/** The format that this version writes, and the newest it reads. */
export const format = 2

/** The thread number of rows that record removals. */
export const removals = 0

/** Marks a database as a journal of Loom. */
export const applicationId = 0x4c_6f_6f_6d

/** Small batches fill bigger pages better: the default of SQLite wastes a quarter at two kilobytes a turn. */
export const pageSize = 8192

/** The tables of a new journal. */
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
  labels text,
  incarnation text,
  fork_thread text,
  fork_incarnation text,
  fork_seq integer,
  began real,
  changed real,
  quarantined integer not null default 0
) strict;
create index threads_by_status on threads (status, name);
create index threads_by_parent on threads (parent, name) where parent is not null;
create index threads_by_wake on threads (wake_at) where wake_at is not null;
create index threads_by_fork on threads (fork_thread) where fork_thread is not null;

create table batches (
  position integer primary key,
  thread integer not null,
  last integer not null,
  id text not null,
  hash blob not null,
  line text not null,
  mac blob
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
  beat real not null,
  uptime real
) strict, without rowid;

pragma application_id = ${applicationId};
`

/** Adds what earlier versions left out of the tables of format 2, and what they can do without. Inside a transaction only. */
export function addColumns(db: DatabaseSync): void {
  if (!hasUptime(db)) db.exec('alter table instances add column uptime real')
}

/** Whether the tables have every column that this version writes. */
export function hasUptime(db: DatabaseSync): boolean {
  return db.prepare("select 1 from pragma_table_info('instances') where name = 'uptime'").get() !== undefined
}

/** Upgrades a journal of format 1. Inside a transaction only. */
export function upgradeFrom1(db: DatabaseSync): void {
  db.exec(`
alter table threads add column incarnation text;
alter table threads add column fork_thread text;
alter table threads add column fork_incarnation text;
alter table threads add column fork_seq integer;
alter table threads add column began real;
alter table threads add column changed real;
alter table threads add column quarantined integer not null default 0;
create index threads_by_fork on threads (fork_thread) where fork_thread is not null;
alter table batches add column mac blob;
`)
  for (const { id, labels } of db.prepare(`select id, labels from threads where labels like '%"$fork"%'`).all()) {
    const fork = forkInLabels(String(labels))
    if (fork) upgradeFork(db, Number(id), fork)
  }
  db.exec(`update meta set value = '${format}' where key = 'format'`)
}

/** In format 1 the cut of a fork was a label, and its own events were numbered from 1. */
function upgradeFork(db: DatabaseSync, id: number, { forkOf, labels }: NonNullable<ReturnType<typeof forkInLabels>>): void {
  const { thread, incarnation, seq } = forkOf
  const sql = 'update threads set seq = seq + ?, labels = ?, fork_thread = ?, fork_incarnation = ?, fork_seq = ? where id = ?'
  db.prepare(sql).run(seq, labels, thread, incarnation, seq, id)
  // Negative in between, because no two batches of a thread may ever end at the same seq.
  db.prepare('update batches set last = -(last + ?) where thread = ?').run(seq, id)
  db.prepare('update batches set last = -last where thread = ?').run(id)
}
