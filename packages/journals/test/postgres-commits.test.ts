import { agent, tool } from '@loom-agent/agent'
import type { PostgresJournal, PostgresOptions } from '@loom-agent/journals/postgres'
import type { Draft } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { until } from '../../../test/support/event-loop.ts'
import { batchAt, facts } from './batches.ts'
import { valuesOf } from './events.ts'
import { connect, testServer } from './postgres-samples.ts'

// The log writer sleeps, so that only commits flush; and the server writes nothing into the log by itself, as it does for replicas every 15 seconds
// and when it vacuums.
const settings = { wal_writer_delay: '10s', wal_level: 'minimal', max_wal_senders: 0, autovacuum: 'off' }
const { open, fresh, sql, url } = testServer({ settings })
const journals: PostgresJournal[] = []
const opened = (options: Omit<PostgresOptions, 'schema'> = {}, schema = fresh()): PostgresJournal => {
  const journal = open(schema, options)
  journals.push(journal)
  return journal
}
afterEach(async () => {
  await Promise.all(journals.splice(0).map((journal) => journal.close()))
})

const look = tool({ name: 'look', input: z.object({ turn: z.number() }), run: ({ turn }) => `seen ${turn}` })
const model = (turns: number) =>
  scriptedModel((_request, number) => (number <= turns ? { calls: [{ tool: 'look', input: { turn: number } }] } : 'done'))

describe('group commit', () => {
  test('a turn is two statements, each one commit', async () => {
    const journal = opened()
    const worker = agent({ name: 'worker', tools: { look }, permissions: { look: 'allow' }, journal })
    await worker.run('go', { model: model(3) })
    const before = journal.stats()
    await worker.run('go', { model: model(3) })
    const short = journal.stats()
    await worker.run('go', { model: model(23) })
    const long = journal.stats()
    const [statements, commits] = [long.statements - short.statements, long.commits - short.commits].map((value, index) => {
      const first = index === 0 ? short.statements - before.statements : short.commits - before.commits
      return (value - first) / 20
    })
    expect(commits).toBe(2)
    // A watcher polls once a second, independent of the turns.
    expect(statements).toBeLessThan(2.5)
  })

  test('two hundred runs at once need at most a commit in five turns', async () => {
    const journal = opened()
    const worker = agent({ name: 'worker', tools: { look }, permissions: { look: 'allow' }, journal })
    const results = await Promise.all(Array.from({ length: 200 }, () => worker.run('go', { model: model(5) })))
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['done']))
    expect(journal.stats().commits / 1000).toBeLessThanOrEqual(0.2)
    expect((await journal.threads({ status: 'done' })).length).toBe(200)
  })

  test('appends at the same time are one commit, whatever the result of each is', async () => {
    const journal = opened()
    const stored = batchAt(0, facts('a'))
    for (const thread of ['there', 'stored']) await journal.append(thread, stored)
    await journal.acquire('taken', { worker: 'w', incarnation: 'first', seen: 0 })
    const { commits } = journal.stats()
    const results = await Promise.all([
      journal.append('new', batchAt(0, facts('a'), { blobs: new Map([['blob', Uint8Array.of(1)]]) })),
      journal.append('there', batchAt(0, facts('late'), { blobs: new Map([['refused', Uint8Array.of(1)]]) })),
      journal.append('b', batchAt(0, facts('b'), { epoch: 3 })),
      journal.append('c', batchAt(7, facts('c'))),
      journal.append('stored', stored),
      journal.append('taken', batchAt(0, facts('d', 'e'), { epoch: 1 })),
      journal.append('taken too', batchAt(0, [], { summary: { status: 'done' } })),
    ])
    expect(results).toEqual([
      { kind: 'appended', seq: 1 },
      { kind: 'conflict', seq: 1 },
      { kind: 'fenced', epoch: 0 },
      { kind: 'conflict', seq: 0 },
      { kind: 'appended', seq: 1 },
      { kind: 'appended', seq: 2 },
      { kind: 'appended', seq: 0 },
    ])
    expect(journal.stats().commits - commits).toBe(1)
    expect([await journal.blob('blob'), await journal.blob('refused')]).toEqual([Uint8Array.of(1), undefined])
    expect([await journal.head('b'), await journal.head('c')]).toEqual([undefined, undefined])
    expect(await valuesOf(journal, 'there')).toEqual(['a'])
  })

  test('batches of one thread are appended in the order in which they came', async () => {
    const journal = opened()
    const results = await Promise.all(Array.from({ length: 6 }, (_, number) => journal.append('thread', batchAt(number, facts(number)))))
    expect(results.map(({ kind }) => kind)).toEqual(Array.from({ length: 6 }, () => 'appended'))
    expect(await valuesOf(journal, 'thread')).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('a batch that cannot be stored fails alone', async () => {
    const journal = opened()
    await journal.head('thread')
    const tooLong = 'x'.repeat(20_000).replaceAll('x', () => String.fromCharCode(33 + Math.floor(Math.random() * 90)))
    const results = await Promise.allSettled([
      journal.append('a', batchAt(0, facts('a'))),
      journal.append('b', batchAt(0, facts('b'), { summary: { status: 'idle', parent: tooLong } })),
      journal.append('c', batchAt(0, facts('c'))),
      journal.append('d', batchAt(0, [{ type: 'memory.recorded', data: { key: 'k', value: 1n } } as Draft | object as Draft])),
      journal.append('e', batchAt(0, facts('e'), { summary: { status: 'idle', agent: 'a\0b' } })),
      journal.append('f', batchAt(0, facts('f'), { summary: { status: 'idle', parent: '\ud800' } })),
      journal.append('g', batchAt(0, facts('g'), { blobs: new Map([['\0', Uint8Array.of(1)]]) })),
      journal.append('h\0', batchAt(0, facts('h'))),
      journal.acquire('i', { worker: '\udfff', incarnation: 'first', seen: 0 }),
      journal.acquire(tooLong, { worker: 'w', incarnation: 'first', seen: 0 }),
      journal.acquire('j', { worker: 'w', incarnation: 'first', seen: 0 }),
    ])
    const ends = results.map((result) => (result.status === 'fulfilled' ? result.value.kind : (result.reason as Error).message))
    expect(ends).toEqual([
      'appended',
      expect.stringContaining('cannot hold a value. Nothing was stored.'),
      'appended',
      expect.stringContaining('BigInt'),
      expect.stringContaining('PostgreSQL cannot hold the agent "a\\u0000b"'),
      expect.stringContaining('PostgreSQL cannot hold the parent'),
      expect.stringContaining('PostgreSQL cannot hold the name of a blob'),
      expect.stringContaining('The id of a thread has a NUL or half a surrogate pair in it'),
      expect.stringContaining('PostgreSQL cannot hold the worker'),
      expect.stringContaining('cannot hold a value'),
      'acquired',
    ])
  })

  test('a pool of one connection does everything at once without waiting for itself', async () => {
    const journal = opened({ pool: { size: 1 } })
    const unwatch = journal.watch('thread 0', () => {})
    const names = Array.from({ length: 60 }, (_, number) => `thread ${number}`)
    const work = names.flatMap((thread, number): Promise<unknown>[] => [
      journal.append(thread, batchAt(0, facts(number), { blobs: new Map([[thread, Uint8Array.of(number)]]) })),
      journal.read(thread),
      journal
        .acquire(thread, { worker: 'w', incarnation: 'first', seen: 0 })
        .then(({ epoch }) => journal.release(thread, { epoch, incarnation: 'first' })),
      journal.threads({ limit: 3 }),
      journal.blob(thread),
    ])
    await Promise.all(work)
    expect((await journal.threads()).length).toBe(60)
    unwatch()
  })
})

describe('what is flushed', () => {
  const turn: readonly Draft[] = [{ type: 'turn.entered', data: { turn: 1 } }]
  const ended: readonly Draft[] = [{ type: 'run.finished', data: {} }]
  /** Whether everything that was written is flushed. */
  const isFlushed = async (): Promise<unknown> => {
    const [row] = await sql()`select pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn() as flushed`
    return row?.['flushed']
  }
  const levels = async (mode: 'strict' | 'relaxed'): Promise<readonly unknown[]> => {
    const journal = opened({ mode })
    const found: unknown[] = []
    await journal.acquire('thread', { worker: 'w', incarnation: 'first', seen: 0 })
    found.push(await isFlushed())
    for (const [index, events] of [turn, ended, turn].entries()) {
      await journal.append('thread', batchAt(index, events))
      found.push(await isFlushed())
    }
    await Promise.all([journal.append('a', batchAt(0, turn)), journal.append('b', batchAt(0, ended))])
    found.push(await isFlushed())
    await Promise.all([journal.append('a', batchAt(1, turn)), journal.append('b', batchAt(1, turn))])
    return [...found, await isFlushed()]
  }

  test('strict flushes everything, also on a server whose default is not to', async () => {
    await sql().unsafe('alter database postgres set synchronous_commit = off')
    expect(await levels('strict')).toEqual([true, true, true, true, true, true])
    await sql().unsafe('alter database postgres reset synchronous_commit')
    expect(await levels('strict')).toEqual([true, true, true, true, true, true])
  })

  test('relaxed flushes claims, what a human has seen, and what shares their commit', async () => {
    expect(await levels('relaxed')).toEqual([true, false, true, false, true, false])
  })
})

describe('a lock of another session', () => {
  test('on one thread delays its writers, and those of other threads only briefly', async () => {
    const schema = fresh()
    const journal = opened({ pool: { retryTimeout: 9000 } }, schema)
    for (const thread of ['locked', 'free']) await journal.append(thread, batchAt(0, facts('a')))
    const person = connect(url())
    await person.unsafe(`begin; select * from ${schema}.threads where name = 'locked' for update`)
    const locked = Promise.all([1, 2].map((seq) => journal.append('locked', batchAt(seq, facts(seq)))))
    await until(async () => (await sql().unsafe('select from pg_locks where not granted')).length > 0)
    expect((await journal.append('free', batchAt(1, facts('b')))).kind).toBe('appended')
    const answers = journal.append('locked', batchAt(1, facts('too late')))
    await person.unsafe('commit')
    expect((await locked).map(({ kind }) => kind)).toEqual(['appended', 'appended'])
    expect(await answers).toEqual({ kind: 'conflict', seq: 3 })
    await person.end()
  })

  test('that is never released is an error in the end', async () => {
    const schema = fresh()
    const journal = opened({ pool: { retryTimeout: 100 } }, schema)
    await journal.append('thread', batchAt(0, facts('a')))
    const person = connect(url())
    await person.unsafe(`begin; select * from ${schema}.threads for update`)
    await expect(journal.append('thread', batchAt(1, facts('b')))).rejects.toThrow('is being written by others without pause. Nothing was stored.')
    await person.unsafe('commit')
    await person.end()
    expect(await valuesOf(journal, 'thread')).toEqual(['a'])
  })

  test('a server with a short statement_timeout says so', async () => {
    const schema = fresh()
    await opened({}, schema).append('thread', batchAt(0, facts('a')))
    await sql().unsafe("alter database postgres set statement_timeout = '300ms'")
    const journal = opened({}, schema)
    await journal.head('thread')
    const person = connect(url())
    await person.unsafe(`set statement_timeout = 0; begin; select * from ${schema}.threads for update`)
    await expect(journal.append('thread', batchAt(1, facts('b')))).rejects.toThrow('statement_timeout')
    await person.unsafe('commit')
    await person.end()
    await sql().unsafe('alter database postgres reset statement_timeout')
  })

  test.each([
    ['53100', 'the disk is full. Nothing was stored. Make room'],
    ['53200', 'has run out of something. Nothing was stored.'],
    ['58030', 'reports an error of its disk'],
  ])('a server that fails with %s stores nothing, and says: %s', async (code, message) => {
    const schema = fresh()
    const journal = opened({}, schema)
    await journal.append('thread', batchAt(0, facts('a')))
    const body = `begin raise exception 'could not extend file' using errcode = '${code}'; end`
    await sql().unsafe(`create function ${schema}.full() returns trigger language plpgsql as $$ ${body} $$`)
    await sql().unsafe(`create trigger fails before insert on ${schema}.batches for each row execute function ${schema}.full()`)
    const appends = [journal.append('thread', batchAt(1, facts('b'))), journal.append('other', batchAt(0, facts('b')))]
    for (const result of await Promise.allSettled(appends)) expect(String((result as PromiseRejectedResult).reason)).toContain(message)
    await sql().unsafe(`drop trigger fails on ${schema}.batches`)
    expect(await valuesOf(journal, 'thread')).toEqual(['a'])
    expect(await journal.append('thread', batchAt(1, facts('b')))).toEqual({ kind: 'appended', seq: 2 })
  })

  test.each(['repeatable read', 'serializable'])('a server that isolates more by default (%s) makes no difference', async (isolation) => {
    await sql().unsafe(`alter database postgres set default_transaction_isolation = '${isolation}'`)
    const schema = fresh()
    const both = [opened({}, schema), opened({}, schema)]
    const write = async (journal: PostgresJournal): Promise<number> => {
      const heads = new Map(['a', 'b'].map((thread) => [thread, 0]))
      const append = async (thread: string): Promise<number> => {
        const result = await journal.append(thread, batchAt(heads.get(thread) ?? 0, facts(1)))
        heads.set(thread, 'seq' in result ? result.seq : 0)
        return result.kind === 'appended' ? 1 : 0
      }
      let stored = 0
      for (let round = 0; round < 10; round += 1) for (const one of await Promise.all(['a', 'b'].map(append))) stored += one
      return stored
    }
    const stored = await Promise.all(both.map(write))
    const claims = await Promise.all(
      both.map((journal, number) => journal.acquire('a', { worker: `worker ${number}`, incarnation: 'first', seen: 0 })),
    )
    expect(claims.map(({ kind }) => kind).sort()).toEqual(['acquired', 'held'])
    const heads = await both[0]?.threads()
    expect(heads?.reduce((sum, { seq }) => sum + seq, 0)).toBe(stored.reduce((sum, count) => sum + count))
    await sql().unsafe('alter database postgres reset default_transaction_isolation')
  })

  test('writers of the same threads in different orders do not wait for each other for ever', async () => {
    const schema = fresh()
    const [first, second] = [opened({}, schema), opened({}, schema)]
    // Two that make the tables at once may wait for each other, and try again: that is no matter of writers.
    for (const journal of [first, second]) await journal.threads()
    const names = Array.from({ length: 20 }, (_, number) => `thread ${number}`)
    const blobs = new Map(['z', 'a', 'm'].map((name) => [name, Uint8Array.of(1)]))
    const write = async (journal: PostgresJournal, threads: readonly string[]): Promise<number> => {
      const heads = new Map(threads.map((thread) => [thread, 0]))
      let stored = 0
      for (let round = 0; round < 12; round += 1) {
        const results = await Promise.all(threads.map((thread) => journal.append(thread, batchAt(heads.get(thread) ?? 0, facts(round), { blobs }))))
        for (const [index, result] of results.entries()) {
          heads.set(threads[index] ?? '', 'seq' in result ? result.seq : 0)
          stored += result.kind === 'appended' ? 1 : 0
        }
      }
      return stored
    }
    const stored = await Promise.all([write(first, names), write(second, [...names].reverse())])
    const heads = await first.threads()
    expect(heads.reduce((sum, { seq }) => sum + seq, 0)).toBe(stored.reduce((sum, count) => sum + count))
    expect([first.stats().retries, second.stats().retries]).toEqual([0, 0])
  })
})
