/** Forks and removals of one thread, from several connections at once (JOURNAL-6, JOURNAL-7). */
import { verify } from '@loom-agent/journals'
import type { PostgresJournal } from '@loom-agent/journals/postgres'
import type { AppendResult, Batch } from '@loom-agent/kernel'
import type driver from 'postgres'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { batchAt, facts } from './batches.ts'
import { eventsOf, valuesOf } from './events.ts'
import { connect, testServer } from './postgres-samples.ts'

// Its own server: a test changes the defaults of its database.
const { open, fresh, sql, url } = testServer({ own: true, fsync: false })
const journals: PostgresJournal[] = []
afterEach(async () => {
  await Promise.all(journals.splice(0).map((journal) => journal.close()))
})

const opened = (schema: string): PostgresJournal => {
  const journal = open(schema)
  journals.push(journal)
  return journal
}

/** The first batch of a fork of a thread of two events. */
const beginning = (thread: string, more: Partial<Batch> = {}): Batch =>
  batchAt(2, facts('own'), { incarnation: 'fork own', forkOf: { thread, incarnation: 'first', seq: 2 }, ...more })

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code)

/** How a fork ended: what it returned, or the code of its error. */
const endOf = (work: Promise<AppendResult | string>): Promise<string> =>
  work.then((result) => (typeof result === 'string' ? result : result.kind), codeOf)

/** A journal with a thread of two events, and a connection with an open transaction. */
async function withTransaction(): Promise<{ schema: string; journal: PostgresJournal; other: driver.Sql }> {
  const schema = fresh()
  const journal = opened(schema)
  await journal.append('parent', batchAt(0, facts('a', 'b')))
  const other = connect(url())
  onTestFinished(() => other.end())
  await other.unsafe('begin')
  return { schema, journal, other }
}

/** Resolves when a statement waits for a lock on the tables of a schema. */
const waiting = (schema: string): Promise<void> =>
  vi.waitFor(async () => {
    const [row] = await sql()`select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and query like ${`%${schema}%`}`
    expect(row?.['count']).toBe(1)
  }, 5000)

const beginInSql = (schema: string): string => `select ${schema}.append(0, 0, 'x', 'fork', 'id', 'fork own', 2, null, 1,
  '"v":2,"time":1,"events":[["memory.recorded",{"key":"fact","value":"own"}]]}', 'idle', null, null, null, null, null, null, 'parent', 'first', 2)`

const removeInSql = (schema: string): string => `select ${schema}.remove(id, name, null, null, '{}') from ${schema}.threads where name = 'parent'`

describe('a fork and the removal of its parent', () => {
  test.each(['read committed', 'repeatable read'])('at the same time, from two connections, have one winner (%s by default)', async (isolation) => {
    await sql().unsafe(`alter database postgres set default_transaction_isolation = '${isolation}'`)
    onTestFinished(async () => void (await sql().unsafe('alter database postgres reset default_transaction_isolation')))
    const schema = fresh()
    const [forking, removing] = [opened(schema), opened(schema)]
    for (let round = 0; round < 100; round += 1) {
      const [parent, fork] = [`parent ${round}`, `fork ${round}`]
      await forking.append(parent, batchAt(0, facts('a', 'b')))
      // With a blob the batch takes the statement for many.
      const blobs = round % 3 === 0 ? new Map([['blob', Uint8Array.of(1)]]) : undefined
      const work = [() => forking.append(fork, beginning(parent, { blobs })), () => removing.remove(parent)]
      const ends = await Promise.all((round % 2 ? work : work.toReversed()).map((begin) => endOf(begin())))
      const isForked = ends.includes('appended')
      expect(ends.toSorted()).toEqual(isForked ? ['LOOM_THREAD_BUSY', 'appended'] : ['LOOM_THREAD_NOT_FOUND', 'removed'])
      expect(await valuesOf(removing, fork)).toEqual(isForked ? ['a', 'b', 'own'] : [])
    }
    const findings = await Array.fromAsync(verify(removing))
    expect(findings.filter(({ problem }) => !problem.includes('fsync'))).toEqual([])
  })

  test('a removal waits for a fork that is not committed yet, and is refused', async () => {
    const { schema, journal, other } = await withTransaction()
    await other.unsafe(beginInSql(schema))
    const removal = endOf(journal.remove('parent'))
    await waiting(schema)
    await other.unsafe('commit')
    expect(await removal).toBe('LOOM_THREAD_BUSY')
    expect(await valuesOf(journal, 'fork')).toEqual(['a', 'b', 'own'])
  })

  test('a removal waits for a fork that is not committed yet, and removes the thread when the fork is rolled back', async () => {
    const { schema, journal, other } = await withTransaction()
    await other.unsafe(beginInSql(schema))
    const removal = endOf(journal.remove('parent'))
    await waiting(schema)
    await other.unsafe('rollback')
    expect(await removal).toBe('removed')
    expect(await journal.threads()).toEqual([])
  })

  test.each([
    ['commit', 'LOOM_THREAD_NOT_FOUND', []],
    ['rollback', 'appended', ['a', 'b', 'own']],
  ])('a fork waits for a removal that is not committed yet: after a %s it is %s', async (end, result, values) => {
    const { schema, journal, other } = await withTransaction()
    await other.unsafe(removeInSql(schema))
    const fork = endOf(journal.append('fork', beginning('parent')))
    await waiting(schema)
    await other.unsafe(end)
    expect(await fork).toBe(result)
    expect(await valuesOf(journal, 'fork')).toEqual(values)
  })

  test('a parent is appended to while a fork of it is not committed yet', async () => {
    const { schema, journal, other } = await withTransaction()
    await other.unsafe(beginInSql(schema))
    expect(await journal.append('parent', batchAt(2, facts('c')))).toEqual({ kind: 'appended', seq: 3 })
    await other.unsafe('commit')
    expect(await valuesOf(journal, 'fork')).toEqual(['a', 'b', 'own'])
  })

  test('forks in a group fail alone', async () => {
    const journal = opened(fresh())
    await journal.append('parent', batchAt(0, facts('a', 'b')))
    const works = [
      journal.append('one', beginning('parent')),
      journal.append('two', beginning('missing')),
      journal.append('three', batchAt(0, facts('x'))),
      journal.append('four', beginning('parent', { blobs: new Map([['blob', Uint8Array.of(1)]]) })),
    ]
    expect(await Promise.all(works.map(endOf))).toEqual(['appended', 'LOOM_THREAD_NOT_FOUND', 'appended', 'appended'])
    expect((await journal.threads()).map(({ thread }) => thread)).toEqual(['four', 'one', 'parent', 'three'])
  })
})

describe('a name that is used again', () => {
  test('fences the driver of the earlier incarnation, from another process too', async () => {
    const schema = fresh()
    const [stale, other] = [opened(schema), opened(schema)]
    await stale.acquire('thread', { worker: 'stale', incarnation: 'first', seen: 0 })
    await stale.append('thread', batchAt(0, facts('a'), { epoch: 1 }))
    await other.remove('thread')
    const anew = { incarnation: 'second' }
    await other.acquire('thread', { worker: 'other', seen: 0, ...anew })
    await other.append('thread', batchAt(0, facts('b'), { epoch: 1, ...anew }))
    expect(await stale.append('thread', batchAt(1, facts('late'), { epoch: 1 }))).toEqual({ kind: 'fenced', epoch: 1 })
    for (const force of [false, true]) {
      expect(await stale.acquire('thread', { worker: 'stale', incarnation: 'first', seen: 1, force })).toEqual({ kind: 'fenced', epoch: 1 })
    }
    expect(await other.append('thread', batchAt(1, facts('c'), { epoch: 1, ...anew }))).toEqual({ kind: 'appended', seq: 2 })
    expect(await valuesOf(stale, 'thread')).toEqual(['b', 'c'])
  })

  test('leaves an entry for each commit and each removal, at positions that rise', async () => {
    const schema = fresh()
    const journal = opened(schema)
    await journal.append('thread', batchAt(0, facts('a')))
    await journal.append('other', batchAt(0, facts('x')))
    await journal.remove('thread')
    await journal.append('thread', batchAt(0, facts('b'), { incarnation: 'second' }))
    const rows = await sql().unsafe(`select position, 'batch' as what from ${schema}.batches union all
      select position, name || ' ' || incarnation || '@' || seq from ${schema}.removals order by position`)
    expect(rows.map(({ what }) => what as string)).toEqual(['batch', 'thread first@1', 'batch'])
    expect(new Set(rows.map(({ position }) => position as string)).size).toBe(3)
  })
})

describe('inspection', () => {
  test('reports a fork whose parent is gone', async () => {
    const schema = fresh()
    const journal = opened(schema)
    await journal.append('parent', batchAt(0, facts('a', 'b')))
    await journal.append('fork', beginning('parent'))
    await sql().unsafe(`update ${schema}.threads set fork_seq = 7 where name = 'fork'`)
    expect(await journal.inspect()).toContainEqual({ thread: 'fork', problem: 'it is a fork of parent@7, which is missing' })
  })

  test.each([-1, 1])('a fork whose cut has moved by %i is damaged, and not read', async (delta) => {
    const schema = fresh()
    const journal = opened(schema)
    await journal.append('parent', batchAt(0, facts('a', 'b', 'c')))
    await journal.append('fork', batchAt(2, facts('own'), { forkOf: { thread: 'parent', incarnation: 'first', seq: 2 } }))
    await journal.append('fork', batchAt(3, facts('next')))
    await sql().unsafe(`update ${schema}.threads set fork_seq = fork_seq + ${delta} where name = 'fork'`)
    await expect(eventsOf(journal, 'fork')).rejects.toMatchObject({ code: 'LOOM_JOURNAL_DAMAGED' })
    expect((await Array.fromAsync(verify(journal, 'fork'))).map(({ thread }) => thread)).toEqual(['fork'])
  })
})
