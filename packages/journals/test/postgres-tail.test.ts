import { verify } from '@loom-agent/journals'
import type { PostgresJournal } from '@loom-agent/journals/postgres'
import type { Batch, Draft } from '@loom-agent/kernel'
import driver from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { batchAt, facts } from './batches.ts'
import { valuesOf } from './events.ts'
import { testServer } from './postgres-samples.ts'

// As in the tests of flushes: only commits flush.
const settings = { wal_writer_delay: '10s', wal_level: 'minimal', max_wal_senders: 0, autovacuum: 'off' }
const { open, fresh, sql } = testServer({ settings })
const journals: PostgresJournal[] = []
// Once a second an append asks for watchers, and needs the function: the clock stands still.
beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterAll(() => void vi.useRealTimers())
afterEach(async () => {
  await Promise.all(journals.splice(0).map((journal) => journal.close()))
})

type Kind = 'next' | 'function'

/** A journal, and how each of its appends was sent: as the next of a known end, or for the function to decide. */
function watched(schema = fresh()): { readonly journal: PostgresJournal; readonly sent: () => readonly Kind[] } {
  const statements: string[] = []
  const spy = (address: string, options: object): unknown => {
    const real = driver(address, options)
    return {
      unsafe(statement: string, ...rest: [never, never]) {
        statements.push(statement)
        return real.unsafe(statement, ...rest)
      },
      end: (how: { timeout: number }) => real.end(how),
    }
  }
  const journal = open(schema, { ports: { driver: () => Promise.resolve({ default: spy }) } })
  journals.push(journal)
  const kindOf = (statement: string): Kind[] =>
    statement.startsWith('with h as (update') ? ['next'] : /^select "\w+"\.append/.test(statement) ? ['function'] : []
  return { journal, sent: () => statements.splice(0).flatMap(kindOf) }
}

const other = (schema: string): PostgresJournal => {
  const journal = open(schema)
  journals.push(journal)
  return journal
}

/** A journal that drives a thread of two batches, which is running or at rest. */
async function driving(schema = fresh(), status: 'running' | 'waiting' = 'running') {
  const { journal, sent } = watched(schema)
  const append = (expected: number, events: readonly Draft[], more: Partial<Batch> = {}) =>
    journal.append('thread', batchAt(expected, events, { epoch: 1, summary: { status, agent: 'a' }, ...more }))
  await journal.acquire('thread', { worker: 'w', incarnation: 'first', seen: 0 })
  for (const seq of [0, 1]) await append(seq, facts(seq))
  sent()
  return { schema, journal, sent, append }
}

describe('the driver of a thread', () => {
  test('continues from the end that it has left, batch after batch, and the chain fits', async () => {
    const { schema, journal, sent, append } = await driving()
    expect(await append(2, facts('a', 'b"\\\u2028ü'))).toEqual({ kind: 'appended', seq: 4 })
    expect(await append(4, facts('c'), { id: 'an "id"\n\ud800' })).toEqual({ kind: 'appended', seq: 5 })
    expect(sent()).toEqual(['next', 'next'])
    // Read by an object that has written nothing: it has nothing but the stored hashes.
    expect(await valuesOf(other(schema), 'thread')).toEqual([0, 1, 'a', 'b"\\\u2028ü', 'c'])
    expect((await journal.head('thread'))?.seq).toBe(5)
    expect(await Array.fromAsync(verify(other(schema)))).toEqual([])
  })

  test('asks the function when the summary changes, when there are blobs and when there is nothing to store', async () => {
    const { journal, sent, append } = await driving()
    await append(2, facts('a'), { summary: { status: 'waiting', agent: 'a', wakeAt: 5, labels: { x: 1 } } })
    expect((await journal.head('thread'))?.summary).toEqual({ status: 'waiting', agent: 'a', wakeAt: 5, labels: { x: 1 } })
    await append(3, facts('b'), { blobs: new Map([['blob', Uint8Array.of(1)]]) })
    await append(4, [])
    expect(sent()).toEqual(['function', 'function', 'function'])
    expect((await journal.head('thread'))?.summary).toEqual({ status: 'running', agent: 'a' })
  })

  test('is fenced when another object has acquired the thread', async () => {
    const { schema, sent, append } = await driving()
    expect((await other(schema).acquire('thread', { worker: 'x', incarnation: 'first', seen: 1, force: true })).epoch).toBe(2)
    expect(await append(2, facts('late'))).toEqual({ kind: 'fenced', epoch: 2 })
    expect(sent()).toEqual(['next', 'function'])
    expect(await valuesOf(other(schema), 'thread')).toEqual([0, 1])
  })

  test('conflicts with a contributor that was faster, and continues after it', async () => {
    const { schema, journal, sent, append } = await driving()
    await other(schema).append('thread', batchAt(2, facts('contributor')))
    expect(await append(2, facts('driver'))).toEqual({ kind: 'conflict', seq: 3 })
    expect(await append(3, facts('driver'))).toEqual({ kind: 'appended', seq: 4 })
    expect(await append(4, facts('again'))).toEqual({ kind: 'appended', seq: 5 })
    expect(sent()).toEqual(['next', 'function', 'function', 'next'])
    expect(await valuesOf(journal, 'thread')).toEqual([0, 1, 'contributor', 'driver', 'again'])
  })

  test('does not notice a batch without events, which stores nothing', async () => {
    const { schema, journal, sent, append } = await driving()
    await other(schema).append('thread', batchAt(2, [], { summary: { status: 'done', agent: 'b' } }))
    expect(await append(2, facts('a'))).toEqual({ kind: 'appended', seq: 3 })
    expect((await journal.head('thread'))?.summary).toEqual({ status: 'running', agent: 'a' })
    expect(sent()).toEqual(['next'])
  })

  test('stores nothing in a thread that was removed, nor in a new one under its name', async () => {
    const { schema, append } = await driving(fresh(), 'waiting')
    await other(schema).remove('thread')
    expect(await append(2, facts('lost'))).toEqual({ kind: 'fenced', epoch: 0 })
    const anew = other(schema)
    await anew.acquire('thread', { worker: 'x', incarnation: 'first', seen: 0 })
    await anew.append('thread', batchAt(0, facts('new'), { epoch: 1 }))
    expect(await append(2, facts('lost'))).toEqual({ kind: 'conflict', seq: 1 })
    expect(await valuesOf(other(schema), 'thread')).toEqual(['new'])
  })

  test('is fenced when its thread was removed and a new one has the same seq and epoch (PG-11)', async () => {
    const { schema, sent, append } = await driving(fresh(), 'waiting')
    const anew = other(schema)
    await anew.remove('thread')
    await anew.acquire('thread', { worker: 'x', incarnation: 'second', seen: 0 })
    await anew.append('thread', batchAt(0, facts('new', 'newer'), { incarnation: 'second', epoch: 1 }))
    expect(await append(2, facts('lost'))).toEqual({ kind: 'fenced', epoch: 1 })
    expect(sent()).toEqual(['next', 'function'])
    expect(await valuesOf(other(schema), 'thread')).toEqual(['new', 'newer'])
  })

  test('asks the function for a batch of another incarnation, which fences it (PG-11)', async () => {
    const { sent, append } = await driving()
    expect(await append(2, facts('other'), { incarnation: 'another' })).toEqual({ kind: 'fenced', epoch: 1 })
    expect(await append(2, facts('own'))).toEqual({ kind: 'appended', seq: 3 })
    expect(sent()).toEqual(['function', 'next'])
  })

  test('continues a fork from its own end', async () => {
    const { journal, sent } = await driving()
    const forkOf = { thread: 'thread', incarnation: 'first', seq: 1 }
    const own = { incarnation: 'fork own', summary: { status: 'running', agent: 'a' } } as const
    await journal.append('fork', batchAt(1, facts('own'), { ...own, forkOf }))
    await journal.acquire('fork', { worker: 'w', incarnation: 'fork own', seen: 0 })
    expect(await journal.append('fork', batchAt(2, facts('next'), { ...own, epoch: 1 }))).toEqual({ kind: 'appended', seq: 3 })
    expect(sent()).toEqual(['function', 'next'])
    expect(await valuesOf(journal, 'fork')).toEqual([0, 'own', 'next'])
  })

  test('says that a batch is stored when it was sent twice, and stores it once', async () => {
    const { schema, sent, append } = await driving()
    const twice = { id: 'twice' }
    expect(await append(2, facts('a'), twice)).toEqual({ kind: 'appended', seq: 3 })
    expect(await append(3, facts('b'))).toEqual({ kind: 'appended', seq: 4 })
    expect(await append(2, facts('a'), twice)).toEqual({ kind: 'appended', seq: 3 })
    expect(sent()).toEqual(['next', 'next', 'function'])
    expect(await valuesOf(other(schema), 'thread')).toEqual([0, 1, 'a', 'b'])
  })

  test('has its commits flushed by a server that stops flushing by default', async () => {
    const { sent, append } = await driving()
    await sql().unsafe('alter system set synchronous_commit = off')
    await sql().unsafe('select pg_reload_conf()')
    try {
      // The connection gets the new setting with a statement or two.
      for (let seq = 2; !sent().includes('function'); seq += 1) await append(seq, facts(seq))
      const [row] = await sql()`select pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn() as flushed`
      expect(row?.['flushed']).toBe(true)
    } finally {
      await sql().unsafe('alter system reset synchronous_commit')
      await sql().unsafe('select pg_reload_conf()')
    }
  })

  test('asks the function once a second, which finds watchers', async () => {
    const { sent, append } = await driving()
    await append(2, facts('a'))
    vi.advanceTimersByTime(1000)
    for (const seq of [3, 4]) await append(seq, facts(seq))
    expect(sent()).toEqual(['next', 'function', 'next'])
  })

  test('asks the function again for a thread that it has forgotten among a thousand others', async () => {
    const { journal, sent, append } = await driving()
    await append(2, facts('a'))
    expect(sent()).toEqual(['next'])
    for (let number = 0; number < 1000; number += 1) await journal.append(`thread ${number}`, batchAt(0, facts(number)))
    sent()
    expect(await append(3, facts('b'))).toEqual({ kind: 'appended', seq: 4 })
    expect(sent()).toEqual(['function'])
  })
})
