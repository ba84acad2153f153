import { createHash } from 'node:crypto'
import { memoryJournal } from '@loom-agent/agent'
import { exportThread, importThread, prune, verify } from '@loom-agent/journals'
import { isLoomError } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { batchAt, facts } from './batches.ts'
import { eventsOf, readable, valuesOf } from './events.ts'
import { testServer } from './postgres-samples.ts'

const { open, fresh, sql } = testServer({ fsync: false })
const big = 'é'.repeat(70_000)
/** The name of the blob. */
const named = createHash('sha256').update(Uint8Array.of(1, 2)).digest('hex')

/** A journal with three batches of two facts, one of them big, and another thread. */
async function sample(): Promise<string> {
  const schema = fresh()
  const journal = open(schema)
  for (const [index, value] of ['a', 'b', 'c'].entries()) await journal.append('thread', batchAt(index * 2, facts(value, `${value} too`)))
  await journal.append('big', batchAt(0, facts('small', big), { blobs: new Map([[named, Uint8Array.of(1, 2)]]) }))
  await journal.append('big', batchAt(2, [{ type: 'memory.recorded', data: { key: 'k', value: { $blob: named, bytes: 2 } } }]))
  await journal.close()
  return schema
}

const ofThread = "thread = (select id from threads where name = 'thread')"

describe('damage', () => {
  test.each([
    ['a line was changed', `update batches set line = replace(line, '"b"', '"x"') where ${ofThread} and last = 4`, 3],
    ['an id was changed', `update batches set id = 'x' where ${ofThread} and last = 4`, 3],
    ['a hash was changed', `update batches set hash = sha256('x') where ${ofThread} and last = 4`, 3],
    ['a batch is missing', `delete from batches where ${ofThread} and last = 4`, 3],
    ['the first batch is missing', `delete from batches where ${ofThread} and last = 2`, 1],
    ['the last batch is missing', `delete from batches where ${ofThread} and last = 6`, 5],
    ['all batches are missing', `delete from batches where ${ofThread}`, 1],
    ['the head is that of another batch', "update threads set hash = sha256('x') where name = 'thread'", 5],
    ['the head is in the middle of a batch', "update threads set seq = 5 where name = 'thread'", 5],
    ['a batch is in the wrong place', `update batches set last = 5 where ${ofThread} and last = 6`, 5],
  ])('%s: it is reported, the events before it can be read, and nothing is written any more', async (_, statement, seq) => {
    const schema = await sample()
    await sql().unsafe(`set search_path = ${schema}; ${statement}; reset search_path`)
    const journal = open(schema)
    const { values, error } = await readable(journal)
    expect(values).toEqual(['a', 'a too', 'b', 'b too', 'c', 'c too'].slice(0, seq - 1))
    expect(isLoomError(error) && error.context).toMatchObject({ failure: 'damaged', thread: 'thread', seq })
    await expect(journal.append('thread', batchAt(6, facts('d')))).rejects.toThrow(`is damaged at seq ${seq}`)
    const found = await Array.fromAsync(verify(journal, 'thread'))
    expect(found.map((finding) => [finding.thread, finding.seq])).toEqual([['thread', seq]])
    await journal.remove('thread')
    expect((await journal.append('thread', batchAt(0, facts('anew')))).kind).toBe('appended')
    await journal.close()
  })

  test.each(['second', 'first'])('ends with the thread: a new one of the same name, incarnation %s, is written', async (incarnation) => {
    const schema = await sample()
    const [journal, other] = [open(schema), open(schema)]
    await sql().unsafe(`update ${schema}.batches set line = replace(line, '"b"', '"x"')`)
    expect((await readable(journal)).error).toMatchObject({ code: 'LOOM_JOURNAL_DAMAGED' })
    await expect(journal.append('thread', batchAt(6, facts('d')))).rejects.toMatchObject({ code: 'LOOM_JOURNAL_DAMAGED' })
    await other.remove('thread')
    await other.append('thread', batchAt(0, facts('new'), { incarnation }))
    expect(await journal.append('thread', batchAt(1, facts('next'), { incarnation }))).toEqual({ kind: 'appended', seq: 2 })
    await Promise.all([journal.close(), other.close()])
  })

  test('of big texts and of blobs is found where they are read', async () => {
    const schema = await sample()
    const journal = open(schema)
    expect(await valuesOf(journal, 'big')).toEqual(['small', big, { $blob: named, bytes: 2 }])
    await sql().unsafe(`update ${schema}.blobs set bytes = 'x' where hash = '${named}'`)
    await expect(journal.blob(named)).rejects.toThrow('is not what was stored. Restore it from a copy')
    await sql().unsafe(`update ${schema}.blobs set bytes = 'x', digest = sha256('x') where hash <> '${named}'`)
    await expect(journal.read('big')).rejects.toThrow(/the blob [0-9a-f]{64} is missing/)
    await sql().unsafe(`delete from ${schema}.blobs where hash <> '${named}'`)
    await expect(journal.read('big')).rejects.toThrow(/the blob [0-9a-f]{64} is missing/)
    await journal.close()
  })

  test('of labels is found', async () => {
    const schema = await sample()
    await sql().unsafe(`update ${schema}.threads set labels = '{' where name = 'thread'`)
    const journal = open(schema)
    await expect(journal.head('thread')).rejects.toThrow('its labels are broken')
    await journal.close()
  })

  test('of the tables, and a server that flushes nothing, is found by an inspection', async () => {
    const schema = await sample()
    const journal = open(schema)
    const problems = async (): Promise<readonly string[]> => (await journal.inspect()).map(({ problem }) => problem.replace(/^postgres:\S+ /, ''))
    expect(await problems()).toEqual(['the server runs with fsync = off: a power cut may lose what was acknowledged'])
    await sql().unsafe(`insert into ${schema}.batches values (77, 1, 'x', '', '')`)
    await sql().unsafe(`insert into ${schema}.blobs values ('unused', 0, '', '')`)
    await sql().unsafe(`update ${schema}.threads set seq = 9 where name = 'thread'`)
    expect((await problems()).slice(0, 3)).toEqual([
      'the head is at 9, and the last batch ends at 6',
      'the batches of 77 belong to no thread',
      'the blob unused belongs to no thread',
    ])
    expect((await Array.fromAsync(verify(journal))).length).toBe(5)
    await journal.close()
  })
})

describe('export, import and retention', () => {
  test('a thread is exported to another journal and back, with its blobs and its epoch', async () => {
    const schema = await sample()
    const journal = open(schema)
    await journal.acquire('big', { worker: 'w', incarnation: 'first', seen: 0 })
    await journal.release('big', { epoch: 1, incarnation: 'first' })
    const memory = memoryJournal()
    await importThread(memory, exportThread(journal, 'big'))
    const before = await eventsOf(journal, 'big')
    await journal.remove('big')
    expect(await journal.blob(named)).toBeUndefined()
    const head = await importThread(journal, exportThread(memory, 'big'))
    expect([head.seq, head.epoch, head.holder]).toEqual([3, 1, undefined])
    expect(await eventsOf(journal, 'big')).toEqual(before)
    expect(await journal.blob(named)).toEqual(Uint8Array.of(1, 2))
    await journal.close()
  })

  test('a thread that ended long ago is removed', async () => {
    const journal = open(fresh())
    for (const [thread, status] of [['old', 'done'] as const, ['running', 'running'] as const]) {
      await journal.append(thread, batchAt(0, facts('a'), { summary: { status } }))
    }
    expect(await prune(journal, { olderThan: 1e12 })).toEqual(['old'])
    expect((await journal.threads()).map(({ thread }) => thread)).toEqual(['running'])
    await journal.close()
  })
})

describe('pages', () => {
  test('the table is listed whole, however long it is', async () => {
    const journal = open(fresh(), { mode: 'relaxed' })
    const names = Array.from({ length: 1100 }, (_, number) => `thread ${String(number).padStart(4, '0')}`)
    await Promise.all(
      names.map((thread, number) =>
        journal.append(thread, batchAt(0, facts(number), { summary: { status: number % 2 ? 'waiting' : 'done', parent: 'parent', wakeAt: number } })),
      ),
    )
    const listed = async (query?: Parameters<typeof journal.threads>[0]) => (await journal.threads(query)).map(({ thread }) => thread)
    expect(await listed()).toEqual(names)
    expect(await listed({ status: 'done' })).toEqual(names.filter((_, number) => number % 2 === 0))
    expect(await listed({ parent: 'parent' })).toEqual(names)
    expect(await listed({ dueBy: 600 })).toEqual(names.slice(0, 601))
    expect(await listed({ dueBy: 10, status: 'waiting', parent: 'parent', after: 'thread 0004' })).toEqual([
      'thread 0005',
      'thread 0007',
      'thread 0009',
    ])
    expect((await listed({ limit: 700 })).length).toBe(700)
    await journal.close()
  })

  test('a page has at most 512 events, and ends earlier when they are big', async () => {
    const journal = open(fresh())
    await journal.append('thread', batchAt(0, facts(...Array.from({ length: 600 }, (_, number) => number))))
    expect((await journal.read('thread', { limit: 10_000 })).length).toBe(512)
    expect((await journal.read('thread', { from: 513 })).length).toBe(88)
    for (let number = 0; number < 40; number += 1) await journal.append('wide', batchAt(number, facts('y'.repeat(60_000))))
    const wide = await journal.read('wide')
    expect(wide.length).toBeGreaterThan(10)
    expect(wide.length).toBeLessThan(30)
    expect((await valuesOf(journal, 'wide')).length).toBe(40)
    for (let number = 0; number < 6; number += 1) await journal.append('big', batchAt(number, facts(`${number}${'z'.repeat(400_000)}`)))
    expect((await journal.read('big')).length).toBe(3)
    expect((await valuesOf(journal, 'big')).map((value) => String(value)[0])).toEqual(['0', '1', '2', '3', '4', '5'])
    await journal.close()
  })
})
