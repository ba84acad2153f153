/** Journals of older formats are upgraded when they are opened (PG-12). The database of format 2 is a dump of the version that wrote it. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { verify } from '@loom-agent/journals'
import { type PostgresJournal, postgres } from '@loom-agent/journals/postgres'
import { readEvents } from '@loom-agent/kernel'
import type driver from 'postgres'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { functionNames } from '../src/postgres/functions.ts'
import { batchAt, facts } from './batches.ts'
import { connect, testServer } from './postgres-samples.ts'
import { startProcess } from './processes.ts'

const { sql, url } = testServer({ fsync: false })
const dump = join(import.meta.dirname, '../../../test/golden-databases/fixtures/postgres.sql.gz')
const urlOf = (database: string): string => url().replace(/postgres$/, database)
let databases = 0

beforeAll(async () => {
  await sql().unsafe('create database format2')
  const restoring = connect(urlOf('format2'))
  await restoring.unsafe(gunzipSync(readFileSync(dump)).toString('utf8')).simple()
  await restoring.end()
})

interface OldJournal {
  readonly url: string
  /** A connection to the database that bypasses the journal. */
  readonly raw: driver.Sql
  open(): PostgresJournal
  format(): Promise<unknown>
}

/** A database with a journal of an older format. */
async function oldJournal(format: 1 | 2): Promise<OldJournal> {
  const database = `old${databases++}`
  await sql().unsafe(`create database ${database} template format2`)
  const raw = connect(urlOf(database))
  const journals: PostgresJournal[] = []
  onTestFinished(async () => {
    await Promise.all(journals.map((journal) => journal.close()))
    await raw.end()
  })
  if (format === 1) await raw.unsafe("alter table loom.threads drop column touched; update loom.meta set value = '1' where key = 'format'")
  return {
    url: urlOf(database),
    raw,
    open() {
      const journal = postgres(urlOf(database))
      journals.push(journal)
      return journal
    },
    async format() {
      return (await raw.unsafe("select value from loom.meta where key = 'format'"))[0]?.['value']
    },
  }
}

test('a journal of format 3 is upgraded when it is opened: forks stay as they are, and a label like those of older forks is no fork', async () => {
  const old = await oldJournal(2)
  const before = old.open()
  const forksIn = async (journal: PostgresJournal) =>
    (await journal.threads()).filter(({ forkOf }) => forkOf).map((head) => ({ ...head, times: undefined }))
  const forks = await forksIn(before)
  await before.close()
  await old.raw.unsafe(`
    update loom.threads set labels = '{"$fork":"finished@1"}' where name = 'finished';
    drop function loom.append; create function loom.append(text) returns text language sql as 'select $1';
    update loom.meta set value = '3' where key = 'format'`)
  const journal = old.open()
  expect(await journal.append('new', batchAt(0, facts(1)))).toMatchObject({ kind: 'appended' })
  expect(await old.format()).toBe('9')
  const heads = await journal.threads()
  expect(await forksIn(journal)).toEqual(forks)
  expect(heads.find(({ thread }) => thread === 'finished')?.summary.labels).toEqual({ $fork: 'finished@1' })
})

describe.each([1, 2] as const)('a journal of format %i', (format) => {
  test('is upgraded by one of several processes that open it at once, and keeps its content', async () => {
    const old = await oldJournal(format)
    const journals = [old.open(), old.open(), old.open()]
    const results = await Promise.all(journals.map((journal, number) => journal.append(`new ${number}`, batchAt(0, facts(number)))))
    expect(results.map(({ kind }) => kind)).toEqual(['appended', 'appended', 'appended'])
    expect(await old.format()).toBe('9')
    const findings = await Array.fromAsync(verify(old.open()))
    expect(findings.filter(({ problem }) => !problem.includes('fsync'))).toEqual([])
    const head = await journals[0]?.head('finished')
    expect([head?.incarnation, head?.forkOf]).toEqual(['finished', undefined])
  })

  test('has forks that are numbered from their cut on', async () => {
    const old = await oldJournal(format)
    const journal = old.open()
    expect(await journal.head('fork')).toMatchObject({ seq: 25, forkOf: { thread: 'finished', incarnation: 'finished', seq: 21 } })
    expect(await journal.head('fork-of-fork')).toMatchObject({ seq: 26, forkOf: { thread: 'fork', incarnation: 'fork', seq: 25 } })
    expect((await journal.head('fork'))?.summary.labels).toBeUndefined()
    const events = await Array.fromAsync(readEvents(journal, 'fork-of-fork'))
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 26 }, (_, index) => index + 1))
    expect(events.flatMap(({ type, seq }) => (type === 'thread.forked' ? [seq] : []))).toEqual([22, 26])
    await expect(journal.remove('finished')).rejects.toMatchObject({ code: 'LOOM_THREAD_BUSY' })
    expect(await journal.append('fork', batchAt(25, facts('more'), { incarnation: 'fork' }))).toEqual({ kind: 'appended', seq: 26 })
  })
})

describe.each([1, 2] as const)('labels of format %i that the server cannot read as JSON', (format) => {
  test.each([
    ['of a fork are kept', { a: "\0 \ud800 \\ 'x'", $fork: 'finished@21' }, { a: "\0 \ud800 \\ 'x'" }, 'finished'],
    ['that name no thread stay labels', { $fork: '\0@21' }, { $fork: '\0@21' }, undefined],
    ['that name half a character stay labels', { $fork: '\ud800@21' }, { $fork: '\ud800@21' }, undefined],
    ['that name no possible seq stay labels', { $fork: 'finished@99999999999999999999' }, { $fork: 'finished@99999999999999999999' }, undefined],
  ])('%s', async (_what, stored, labels, parent) => {
    const old = await oldJournal(format)
    await old.raw.unsafe("update loom.threads set labels = $1 where name = 'fork'", [JSON.stringify(stored)])
    const head = await old.open().head('fork')
    expect([head?.summary.labels, head?.forkOf?.thread]).toEqual([labels, parent])
    expect(await old.format()).toBe('9')
  })

  test('do not stop it when they are broken', async () => {
    const old = await oldJournal(format)
    await old.raw.unsafe(`update loom.threads set labels = '{"$fork"' where name = 'waiting'`)
    const journal = old.open()
    expect((await journal.head('fork'))?.forkOf?.seq).toBe(21)
    await expect(journal.head('waiting')).rejects.toMatchObject({ code: 'LOOM_JOURNAL_DAMAGED' })
  })
})

describe('an upgrade', () => {
  test('is done by another process when the first is killed in the middle', async () => {
    const old = await oldJournal(2)
    const blocker = connect(old.url)
    await blocker.unsafe('begin; lock table loom.batches in access share mode')
    const waiting = async (): Promise<readonly number[]> => {
      const rows = await old.raw.unsafe(
        "select a.pid from pg_stat_activity a join pg_locks l on l.pid = a.pid and not l.granted where l.relation = 'loom.batches'::regclass",
      )
      return rows.map(({ pid }) => Number(pid))
    }
    const first = startProcess('postgres-process.ts', 'watch', old.url, 'loom', 'fork')
    const ended = once(first, 'close')
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), 50_000)
    const second = old.open()
    const opening = second.head('fork')
    const [pid = 0] = await waiting()
    first.kill('SIGKILL')
    await Promise.all([ended, old.raw`select pg_terminate_backend(${pid})`])
    expect(await old.format()).toBe('2')
    await blocker.unsafe('commit')
    await blocker.end()
    expect((await opening)?.seq).toBe(25)
    expect(await old.format()).toBe('9')
    const findings = await Array.fromAsync(verify(second))
    expect(findings.filter(({ problem }) => !problem.includes('fsync'))).toEqual([])
  })

  test('starts again when a process of the older version makes a fork meanwhile', async () => {
    const old = await oldJournal(2)
    const blocker = connect(old.url)
    await blocker.unsafe('begin; lock table loom.threads in row exclusive mode')
    const opening = old.open().head('waiting')
    await vi.waitFor(async () => {
      const rows = await old.raw.unsafe("select from pg_locks where not granted and relation = 'loom.threads'::regclass")
      expect(rows).toHaveLength(1)
    }, 50_000)
    await blocker.unsafe(`update loom.threads set labels = '{"$fork":"finished@3"}' where name = 'waiting'`)
    await blocker.unsafe('commit')
    await blocker.end()
    expect((await opening)?.forkOf).toEqual({ thread: 'finished', incarnation: 'finished', seq: 3 })
  })

  test('keeps the other labels of a fork', async () => {
    const old = await oldJournal(2)
    await old.raw.unsafe(`update loom.threads set labels = '{"b":[1,"@2"],"$fork":"finished@21","a":"ü \\u2028"}' where name = 'fork'`)
    expect((await old.open().head('fork'))?.summary.labels).toEqual({ b: [1, '@2'], a: 'ü \u2028' })
  })

  test('does not change a label inside a value of a user', async () => {
    const old = await oldJournal(2)
    await old.raw.unsafe(`update loom.threads set labels = '{"x":{"$fork":"finished@21"}}' where name = 'waiting'`)
    const head = await old.open().head('waiting')
    expect([head?.forkOf, head?.summary.labels]).toEqual([undefined, { x: { $fork: 'finished@21' } }])
  })

  test('stops the drivers of the older version, and leaves none of its functions', async () => {
    const old = await oldJournal(2)
    await old.raw.unsafe("update loom.threads set worker = 'old', instance = 'old' where name = 'fork'")
    const [row] = await old.raw.unsafe("select id, encode(hash, 'hex') as hash, epoch from loom.threads where name = 'fork'")
    expect((await old.open().head('fork'))?.seq).toBe(25)
    const next = `update loom.threads set seq = 5 where id = $1 and hash = decode($2, 'hex') and epoch = $3 and instance = 'old' and not touched`
    const values = [row?.['id'], row?.['hash'], row?.['epoch']] as string[]
    expect((await old.raw.unsafe(next, values)).count).toBe(0)
    const oldAppend = "select loom.append(0, 0, 'old', 'fork', 'x', 25, null, 1, '\"time\":1,\"events\":[]}', 'idle', null, null, null, null)"
    await expect(old.raw.unsafe(oldAppend)).rejects.toMatchObject({ code: '42883' })
    const functions = await old.raw.unsafe("select proname from pg_proc where pronamespace = 'loom'::regnamespace order by proname")
    expect(functions.map(({ proname }) => proname as string)).toEqual(functionNames.toSorted())
  })

  test('that fails changes nothing, and is done when it can be', async () => {
    const old = await oldJournal(1)
    // Another table has the name of one that is to be created.
    await old.raw.unsafe('create table loom.removals (x int)')
    await expect(old.open().head('fork')).rejects.toMatchObject({ code: 'LOOM_JOURNAL_UNUSABLE' })
    expect(await old.format()).toBe('1')
    const columns = await old.raw.unsafe(
      "select 1 from information_schema.columns where table_schema = 'loom' and column_name in ('touched', 'fork_seq')",
    )
    expect(columns.length).toBe(0)
    await old.raw.unsafe('drop table loom.removals')
    expect((await old.open().head('fork'))?.seq).toBe(25)
    expect(await old.format()).toBe('9')
  })
})
