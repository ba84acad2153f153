import { expect, test } from 'vitest'
import { batchAt, facts } from './batches.ts'
import { feedReader, readDuring, seqsOf } from './feed-reader.ts'
import { connect, testServer } from './postgres-samples.ts'
import { startProcess } from './processes.ts'

const { open, fresh, sql, url } = testServer({ fsync: false })

const line = '"v":2,"time":1,"events":[["memory.recorded",{"key":"fact","value":1}]]}'
/** Appends an event to a thread in the transaction of a connection. */
const appendTo = (schema: string, thread: string): string =>
  `select ${schema}.append(0, 0, 'x', '${thread}', 'id-${thread}', 'first', 0, null, 1, '${line}', 'idle', null, null, null, null, null, null, null, null, null)`

test('PG-13: a transaction that commits late is not skipped by a reader that was there before', async () => {
  const schema = fresh()
  const journal = open(schema)
  await journal.append('first', batchAt(0, facts(1)))
  const reader = feedReader()
  expect(await reader.read(journal)).toEqual(['first@1'])
  const late = connect(url())
  await late.unsafe('begin')
  await late.unsafe(appendTo(schema, 'late'))
  await journal.append('early', batchAt(0, facts(1)))
  // The later transaction is committed, and its number is greater than that of the open one.
  expect(await reader.read(journal)).toEqual([])
  await journal.append('early', batchAt(1, facts(2)))
  expect(await reader.read(journal)).toEqual([])
  await late.unsafe('commit')
  expect(await reader.read(journal)).toEqual(['late@1', 'early@1', 'early@2'])
  await late.end()
  await journal.close()
})

test('PG-13: a transaction that is rolled back late leaves nothing, and what came after it is read', async () => {
  const schema = fresh()
  const journal = open(schema)
  await journal.append('first', batchAt(0, facts(1)))
  const reader = feedReader()
  const late = connect(url())
  await late.unsafe('begin')
  await late.unsafe(appendTo(schema, 'late'))
  await journal.append('early', batchAt(0, facts(1)))
  expect(await reader.read(journal)).toEqual(['first@1'])
  await late.unsafe('rollback')
  expect(await reader.read(journal)).toEqual(['early@1'])
  await late.end()
  await journal.close()
})

test('a reader sees every commit of two other processes once, and each thread in order', async () => {
  const schema = fresh()
  const journal = open(schema)
  await journal.threads()
  const writers = ['a', 'b'].map((name) => startProcess('postgres-process.ts', 'append', url(), schema, name, name, '100').ended)
  const reader = await readDuring(journal, Promise.all(writers))
  const all = Array.from({ length: 100 }, (_, index) => 2 * (index + 1))
  expect([seqsOf(reader, 'a'), seqsOf(reader, 'b')]).toEqual([all, all])
  await journal.close()
})

test('threads that are written in one transaction are read one by one', async () => {
  const journal = open(fresh())
  await journal.append('x', batchAt(0, facts(0)))
  const names = Array.from({ length: 40 }, (_, index) => `t${index}`)
  await Promise.all(names.map((name) => journal.append(name, batchAt(0, facts(1), { blobs: new Map([['b', Uint8Array.of(1)]]) }))))
  const reader = feedReader()
  expect([...(await reader.read(journal))].sort()).toEqual(['x@1', ...names.map((name) => `${name}@1`)].sort())
  for (const [index, { position }] of reader.seen.entries()) {
    const { entries } = await journal.feed({ from: position, limit: 1 })
    expect(entries[0]?.position).toBe(reader.seen[index + 1]?.position)
  }
  await journal.close()
})

test('after an older copy was restored, a cursor from later is stale', async () => {
  const schema = fresh()
  const before = open(schema)
  await before.append('a', batchAt(0, facts(1)))
  const old = feedReader()
  await old.read(before)
  await before.append('a', batchAt(1, facts(2)))
  const reader = feedReader()
  await reader.read(before)
  await before.close()
  await sql().unsafe(`delete from ${schema}.batches where last = 2; update ${schema}.threads set seq = 1`)
  await sql().unsafe(`update ${schema}.threads t set hash = b.hash from ${schema}.batches b where b.thread = t.id`)
  const journal = open(schema)
  await expect(journal.feed({ from: reader.cursor })).rejects.toMatchObject({ code: 'LOOM_CURSOR_STALE' })
  await journal.append('a', batchAt(1, facts('other')))
  await expect(journal.feed({ from: reader.cursor })).rejects.toMatchObject({ code: 'LOOM_CURSOR_STALE' })
  expect(await old.read(journal)).toEqual(['a@2'])
  await journal.close()
})

test('a database that was restored into a younger server is read from its start, before what is new', async () => {
  const schema = fresh()
  const before = open(schema)
  for (const name of ['a', 'b']) await before.append(name, batchAt(0, facts(1)))
  await before.append('a', batchAt(1, facts(2)))
  const reader = feedReader()
  await reader.read(before)
  await before.close()
  await sql().unsafe(`update ${schema}.batches set position = position + 1000000000`)
  const journal = open(schema)
  await journal.append('c', batchAt(0, facts(1)))
  await expect(journal.feed({ from: reader.cursor })).rejects.toMatchObject({ code: 'LOOM_CURSOR_STALE' })
  expect(await feedReader().read(journal)).toEqual(['a@1', 'a@2', 'b@1', 'c@1'])
  await journal.close()
})

test('PG-15: what is appended to a restored database before its feed is read comes after what was restored', async () => {
  const schema = fresh()
  const before = open(schema)
  for (const seq of [0, 1, 2]) await before.append('a', batchAt(seq, facts(seq)))
  await before.close()
  const [row] = await sql().unsafe('select pg_current_xact_id()::text as now')
  const ahead = Number(row?.['now']) + 20
  await sql().unsafe(`update ${schema}.batches set position = ${ahead} + last`)
  const journal = open(schema)
  await journal.append('a', batchAt(3, facts(3)))
  // The server arrives at the positions that the other server had given.
  for (let now = 0; now < ahead + 10; ) now = Number((await sql().unsafe('select pg_current_xact_id()::text as now'))[0]?.['now'])
  expect(await feedReader().read(journal)).toEqual(['a@1', 'a@2', 'a@3', 'a@4'])
  await journal.close()
})

test('JOURNAL-16: a cursor of a lost timeline stays stale when another thread is removed', async () => {
  const schema = fresh()
  const before = open(schema)
  await before.append('base', batchAt(0, facts(1)))
  await before.append('lost', batchAt(0, facts(1)))
  const reader = feedReader()
  await reader.read(before)
  await before.close()
  // The older copy does not have the thread.
  await sql().unsafe(`delete from ${schema}.batches b using ${schema}.threads t where b.thread = t.id and t.name = 'lost'`)
  await sql().unsafe(`delete from ${schema}.threads where name = 'lost'`)
  const restored = open(schema)
  await restored.append('other', batchAt(0, facts(1)))
  await restored.remove('other')
  await expect(restored.feed({ from: reader.cursor })).rejects.toMatchObject({ code: 'LOOM_CURSOR_STALE' })
  await restored.close()
})
