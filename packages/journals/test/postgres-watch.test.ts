import { startTcpProxy } from '@loom-agent/harness/servers'
import { type PostgresJournal, postgres } from '@loom-agent/journals/postgres'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { idle, until } from '../../../test/support/event-loop.ts'
import { batchAt, facts } from './batches.ts'
import { testServer } from './postgres-samples.ts'

const { server, open, fresh, sql } = testServer({ fsync: false })
const journals: PostgresJournal[] = []
const opened = (schema: string): PostgresJournal => {
  const journal = open(schema)
  journals.push(journal)
  return journal
}
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(journals.splice(0).map((journal) => journal.close()))
})

/** Resolves when a watcher is notified of a seq. */
const notified = (journal: PostgresJournal, thread: string, seq: number): Promise<void> =>
  new Promise((resolve) => {
    const unwatch = journal.watch(thread, (at) => {
      if (at !== seq) return
      unwatch()
      resolve()
    })
  })
/** The processes of the server that listen to a schema. */
const listeners = async (schema: string): Promise<readonly number[]> => {
  const rows = await sql().unsafe(`select pid from pg_stat_activity where query = 'listen "loom_${schema}"'`)
  return rows.map((row) => Number(row['pid']))
}
const listening = (schema: string): Promise<void> => vi.waitFor(async () => expect((await listeners(schema)).length).toBe(1), 5000)

describe('a watcher', () => {
  test('is notified of what others append by NOTIFY, before a poll', async () => {
    // The timer of the poll never fires.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const schema = fresh()
    const [viewer, writer] = [opened(schema), opened(schema)]
    viewer.watch('thread', () => {})
    await listening(schema)
    await vi.waitFor(async () => expect((await sql().unsafe(`select from ${schema}.instances where listening is not null`)).length).toBe(1), 5000)
    for (let number = 0; number < 5; number += 1) {
      const hint = notified(viewer, 'thread', number + 1)
      await writer.append('thread', batchAt(number, facts(number)))
      await hint
    }
  })

  test('that drives is notified of what contributors append elsewhere, also in groups', async () => {
    const schema = fresh()
    const [driver, contributor] = [opened(schema), opened(schema)]
    await driver.acquire('thread', { worker: 'driver', incarnation: 'first', seen: 0 })
    driver.watch('thread', () => {})
    await listening(schema)
    const before = contributor.stats().statements
    const hint = notified(driver, 'thread', 1)
    await Promise.all(['thread', 'other'].map((thread) => contributor.append(thread, batchAt(0, facts('a')))))
    await hint
    // No object watches the threads of others: only appends to threads with a driver elsewhere are announced.
    await contributor.append('other', batchAt(1, facts('b')))
    await idle()
    const [row] = await sql().unsafe(`select count(*)::int as count from ${schema}.instances where listening is not null`)
    expect(row?.['count']).toBe(0)
    // Opening, two appends, one announcement.
    expect(contributor.stats().statements - before).toBeLessThanOrEqual(8)
  })

  test('sees what NOTIFY has missed, by a poll', async () => {
    const schema = fresh()
    const journal = opened(schema)
    await journal.append('thread', batchAt(0, facts('a')))
    const hint = notified(journal, 'thread', 2)
    await listening(schema)
    await sql().unsafe(`select ${schema}.append(0, 0, 'elsewhere', 'thread', 'x', 'first', 1, null, 1, '"v":2,"time":1,"events":[]}', 'idle',
      null, null, null, null, null, null, null, null, null)`)
    await hint
  })

  test('listens again when the connection that listens was lost', async () => {
    const schema = fresh()
    const [viewer, writer] = [opened(schema), opened(schema)]
    viewer.watch('thread', () => {})
    await listening(schema)
    const [first] = await listeners(schema)
    await sql()`select pg_terminate_backend(${first ?? 0})`
    await vi.waitFor(async () => expect(await listeners(schema)).toEqual([expect.not.toSatisfy((pid) => pid === first)]), 5000)
    const hint = notified(viewer, 'thread', 1)
    await writer.append('thread', batchAt(0, facts('a')))
    await hint
  })

  test('is notified in the end, though the server was gone meanwhile', async () => {
    const schema = fresh()
    const proxy = await startTcpProxy(server().port)
    const viewer = postgres(`postgres://loom@127.0.0.1:${proxy.port}/postgres`, { schema, pool: { answerTimeout: 500 } })
    const writer = opened(schema)
    await writer.append('thread', batchAt(0, facts('a')))
    const first = notified(viewer, 'thread', 1)
    await first
    const before = proxy.accepted()
    proxy.hangUp(true)
    proxy.cut()
    const second = notified(viewer, 'thread', 2)
    await writer.append('thread', batchAt(1, facts('b')))
    await until(() => proxy.accepted() > before)
    proxy.hangUp(false)
    await second
    await viewer.close()
    await proxy.close()
  })

  test('of a thread with a very long name, or a line break in it, is notified too', async () => {
    const schema = fresh()
    const [viewer, writer] = [opened(schema), opened(schema)]
    const names = ['a\nb "c" \\', 'é'.repeat(1200)]
    const hints = names.map((name) => notified(viewer, name, 1))
    await listening(schema)
    await Promise.all(names.map((name) => writer.append(name, batchAt(0, facts('a')))))
    await Promise.all(hints)
  })

  test('ignores other messages on the channel, and ends at once when the journal is closed', async () => {
    const schema = fresh()
    const viewer = opened(schema)
    const seen: number[] = []
    viewer.watch('thread', (seq) => seen.push(seq))
    await listening(schema)
    for (const text of ['', 'junk', '7', '9 another', '3 thread']) await sql()`select pg_notify(${`loom_${schema}`}, ${text})`
    await vi.waitFor(() => expect(seen.filter((seq) => seq > 0)).toEqual([3]))
    await viewer.close()
    const hasty = open(fresh())
    hasty.watch('thread', () => {})
    await hasty.close()
    await expect(hasty.head('thread')).rejects.toThrow('was closed')
    expect(() => hasty.watch('thread', () => {})).toThrow('was closed')
  })

  test('needs no timer and no query when no thread is watched', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const journal = opened(fresh())
    await journal.append('thread', batchAt(0, facts('a')))
    expect(vi.getTimerCount()).toBe(0)
    const unwatch = journal.watch('thread', () => {})
    expect(vi.getTimerCount()).toBe(1)
    await vi.waitFor(async () => expect(journal.stats().statements).toBeGreaterThan(6))
    unwatch()
    expect(vi.getTimerCount()).toBe(0)
    // What was sent before is answered.
    await journal.head('thread')
    const { statements } = journal.stats()
    vi.advanceTimersByTime(60_000)
    await idle()
    expect(journal.stats().statements).toBe(statements)
  })
})

describe('heartbeats', () => {
  test('a holder sends one every ten seconds, and so keeps its thread', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const schema = fresh()
    const [holder, other] = [opened(schema), opened(schema)]
    await holder.acquire('thread', { worker: 'holder', incarnation: 'first', seen: 0 })
    const age = async (): Promise<number> => {
      const [row] = await sql().unsafe(`select extract(epoch from now() - beat)::int as age from ${schema}.instances`)
      return Number(row?.['age'])
    }
    for (let passed = 0; passed < 30; passed += 10) {
      await sql().unsafe(`update ${schema}.instances set beat = beat - interval '20 seconds'`)
      expect(await age()).toBe(20)
      vi.advanceTimersByTime(10_000)
      await vi.waitFor(async () => expect(await age()).toBe(0))
      expect((await other.acquire('thread', { worker: 'other', incarnation: 'first', seen: 1 })).kind).toBe('held')
    }
    await holder.release('thread', { epoch: 1, incarnation: 'first' })
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a holder that was replaced stops sending them, when it is fenced or at the next one', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const schema = fresh()
    const [holder, other] = [opened(schema), opened(schema)]
    for (const thread of ['a', 'b', 'c']) await holder.acquire(thread, { worker: 'holder', incarnation: 'first', seen: 0 })
    for (const thread of ['a', 'b']) await other.acquire(thread, { worker: 'other', incarnation: 'first', seen: 1, force: true })
    await other.remove('c')
    await other.close()
    expect((await holder.append('a', batchAt(0, facts('late'), { epoch: 1 }))).kind).toBe('fenced')
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(10_000)
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0))
  })

  test('one that could not be sent does no harm', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const schema = fresh()
    const journal = opened(schema)
    await journal.acquire('thread', { worker: 'w', incarnation: 'first', seen: 0 })
    await sql().unsafe(`alter table ${schema}.instances rename to elsewhere`)
    const { statements } = journal.stats()
    vi.advanceTimersByTime(10_000)
    await vi.waitFor(() => expect(journal.stats().statements).toBe(statements + 1))
    await sql().unsafe(`alter table ${schema}.elsewhere rename to instances`)
    expect(await journal.append('thread', batchAt(0, facts('a'), { epoch: 1 }))).toEqual({ kind: 'appended', seq: 1 })
  })
})
