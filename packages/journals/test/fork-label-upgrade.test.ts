/** The label `$fork` of format 1 may be anybody's: an upgrade neither fails for it nor loses the thread. */
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { upgradeFrom1 } from '../src/sqlite/schema.ts'
import { forkOfLabel } from '../src/storage/fork-label.ts'

const format1 = `
create table meta (key text primary key, value text not null) strict, without rowid;
insert into meta values ('format', '1');
create table threads (id integer primary key, name text not null unique, seq integer not null, labels text) strict;
create table batches (position integer primary key, thread integer not null, last integer not null) strict;
insert into batches values (1, 1, 2);`

test.each(['"foo"', '5', '{"a":1}', '"p@1.5"', '"p@-1"', '"@3"', 'broken'])('sqlite: a label $fork that is %s is a label', (label) => {
  const db = new DatabaseSync(':memory:')
  db.exec(format1)
  db.prepare('insert into threads values (1, ?, 2, ?)').run('u', `{"$fork":${label}}`)
  upgradeFrom1(db)
  expect(db.prepare('select seq, fork_thread, labels from threads').get()).toMatchObject({ seq: 2, fork_thread: null, labels: `{"$fork":${label}}` })
})

test.each(['foo', 'p@1.5', 'p@-1', '@3', 'p@'])('file: a label $fork that is %s names no moment', (label) => {
  expect(forkOfLabel({ status: 'idle', labels: { $fork: label } })).toBeUndefined()
})
