import { startTcpProxy, type TcpProxy } from '@loom-agent/harness/servers'
import { verify } from '@loom-agent/journals'
import { type PostgresJournal, type PostgresPool, postgres } from '@loom-agent/journals/postgres'
import type { LoomError } from '@loom-agent/kernel'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { batchAt, facts } from './batches.ts'
import { valuesOf } from './events.ts'
import { testServer } from './postgres-samples.ts'

const { server, open, fresh, sql } = testServer({ own: true })
const says = (text: string) => (bytes: Buffer) => bytes.includes(text)
const failure = async (promise: Promise<unknown>): Promise<LoomError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Error)
  return error as LoomError
}

describe('a server that dies', () => {
  test.each(['kill', 'immediate', 'fast'] as const)('in the middle of appends (%s) loses nothing that it acknowledged', async (how) => {
    const schema = fresh()
    const journal = open(schema)
    const acknowledged = Array.from({ length: 6 }, (): number[] => [])
    let isOver = false
    const write = async (values: number[], index: number): Promise<void> => {
      for (let number = 0; !isOver; number += 1) {
        const result = await journal.append(`thread ${index}`, batchAt(number, facts(number)))
        expect(result).toEqual({ kind: 'appended', seq: number + 1 })
        values.push(number)
      }
    }
    const writing = Promise.all(acknowledged.map(write))
    await until(() => acknowledged.every((values) => values.length >= 10))
    await (how === 'kill' ? server().kill() : server().stop(how))
    await server().start()
    const before = acknowledged.map((values) => values.length)
    await until(() => acknowledged.every((values, index) => values.length >= (before[index] ?? 0) + 5))
    isOver = true
    await writing
    for (const [index, values] of acknowledged.entries()) expect(await valuesOf(journal, `thread ${index}`)).toEqual(values)
    expect(await Array.fromAsync(verify(journal))).toEqual([])
    expect(journal.stats().retries).toBeGreaterThan(0)
    await journal.close()
  })

  test('and does not come back is waited for, and then the error says what to do', async () => {
    const journal = open(fresh(), { pool: { retryTimeout: 300 } })
    await journal.append('thread', batchAt(0, facts('a')))
    await server().stop('fast')
    const errors = await Promise.all([journal.append('thread', batchAt(1, facts('b'))), journal.read('thread'), journal.read('other')].map(failure))
    expect(journal.stats().retries).toBeGreaterThan(0)
    for (const error of errors) {
      expect([error.code, error.retry]).toEqual(['LOOM_JOURNAL_UNAVAILABLE', 'later'])
      expect(error.message).toMatch(/cannot be reached\. Start the server, or correct the address; then try again\.|lost the connection/)
      expect(error.message).toContain('postgres://127.0.0.1')
      expect(error.message).not.toContain('loom@')
    }
    await server().start()
    expect(await journal.append('thread', batchAt(1, facts('b')))).toEqual({ kind: 'appended', seq: 2 })
    await journal.close()
  })
})

describe('a network that fails', () => {
  let proxy: TcpProxy
  let schema: string
  const journals: PostgresJournal[] = []
  const through = (pool: PostgresPool = {}): PostgresJournal => {
    const journal = postgres(`postgres://loom@127.0.0.1:${proxy.port}/postgres`, { schema, pool })
    journals.push(journal)
    return journal
  }
  /** Creates the tables, for journals whose time-outs are too short for that. */
  const prepared = async (): Promise<void> => {
    const journal = open(schema)
    await journal.head('thread')
    await journal.close()
  }
  beforeEach(async () => {
    proxy = await startTcpProxy(server().port)
    schema = fresh()
  })
  afterEach(async () => {
    proxy.release()
    await Promise.all(journals.splice(0).map((journal) => journal.close()))
    await proxy.close()
  })

  test('a reply that is lost after the commit makes no second batch, and is never taken for a conflict', async () => {
    const journal = through()
    await journal.append('thread', batchAt(0, facts('a')))
    const lost = proxy.loseReply(says('to be lost'))
    const result = journal.append('thread', batchAt(1, facts('to be lost')))
    await lost
    expect(await result).toEqual({ kind: 'appended', seq: 2 })
    expect(await journal.append('thread', batchAt(2, facts('c')))).toEqual({ kind: 'appended', seq: 3 })
    expect(await valuesOf(journal, 'thread')).toEqual(['a', 'to be lost', 'c'])
    expect(journal.stats().retries).toBe(1)
  })

  test('a request that is lost before the server has it is sent again', async () => {
    const journal = through()
    await journal.append('thread', batchAt(0, facts('a')))
    const lost = proxy.loseRequest(says('to be lost'))
    const result = journal.append('thread', batchAt(1, facts('to be lost')))
    await lost
    expect(await result).toEqual({ kind: 'appended', seq: 2 })
    expect(await valuesOf(journal, 'thread')).toEqual(['a', 'to be lost'])
  })

  test('a driver that was replaced after a lost reply still gets the result that its batch was stored', async () => {
    const [driver, other] = [through(), open(schema)]
    await driver.acquire('thread', { worker: 'driver', incarnation: 'first', seen: 0 })
    await driver.append('thread', batchAt(0, facts('a'), { epoch: 1 }))
    const lost = proxy.loseReply(says('to be lost'))
    const result = driver.append('thread', batchAt(1, facts('to be lost'), { epoch: 1 }))
    await lost
    proxy.hold('to-server')
    expect((await other.acquire('thread', { worker: 'other', incarnation: 'first', seen: 1, force: true })).kind).toBe('acquired')
    expect(await other.append('thread', batchAt(2, facts('c'), { epoch: 2 }))).toEqual({ kind: 'appended', seq: 3 })
    proxy.release()
    expect(await result).toEqual({ kind: 'appended', seq: 2 })
    expect(await driver.append('thread', batchAt(3, facts('late'), { epoch: 1 }))).toEqual({ kind: 'fenced', epoch: 2 })
    await other.close()
  })

  test('a claimant whose reply was lost holds the thread, and the other one does not', async () => {
    const journal = through()
    await journal.head('thread')
    const lost = proxy.loseReply(says('lost worker'))
    const [mine, others] = await Promise.all([
      journal.acquire('thread', { worker: 'lost worker', incarnation: 'first', seen: 0 }),
      lost.then(() => journal.acquire('thread', { worker: 'another', incarnation: 'first', seen: 0 })),
    ])
    expect(mine).toMatchObject({ kind: 'acquired', epoch: 1, head: { holder: 'lost worker' } })
    expect(others.kind).toBe('held')
    const again = proxy.loseReply(says('release'))
    await Promise.all([again, journal.release('thread', { epoch: 1, incarnation: 'first' })])
    expect((await journal.head('thread'))?.holder).toBeUndefined()
  })

  test('closing takes no longer than the time-out of a reply, whatever is in flight to a server that does not reply', async () => {
    await prepared()
    const journal = through({ answerTimeout: 2_000, retryTimeout: 600_000 })
    await journal.acquire('thread', { worker: 'driver', incarnation: 'first', seen: 0 })
    await journal.append('thread', batchAt(0, facts('a'), { epoch: 1 }))
    journal.watch('thread', () => {})
    proxy.hold('to-client')
    const late = journal.append('thread', batchAt(1, facts('b'), { epoch: 1 }))
    const failed = expect(late).rejects.toMatchObject({ code: 'LOOM_JOURNAL_UNAVAILABLE' })
    await journal.close()
    await failed
  })

  test('a statement that is being retried ends when the journal is closed', async () => {
    await prepared()
    const journal = through({ answerTimeout: 2_000, retryTimeout: 600_000 })
    await journal.append('thread', batchAt(0, facts('a')))
    proxy.hold('to-client')
    const asked = expect(journal.read('thread')).rejects.toMatchObject({ code: 'LOOM_JOURNAL_CLOSED' })
    await journal.close()
    await asked
  })

  test('a new thread under the same name is not removed by a repeated removal of the old one', async () => {
    const [journal, other] = [through({ size: 2 }), open(schema)]
    for (const thread of ['prepared', 'thread']) await journal.append(thread, batchAt(0, facts('old')))
    await journal.remove('prepared')
    // The announcement of that removal was sent before, on the same connection.
    await journal.head('prepared')
    // The first request asks for the number of the thread, the second removes it.
    let requests = 0
    const lost = proxy.loseReply(() => requests++ === 1)
    const removing = journal.remove('thread')
    await lost
    proxy.hold('to-server')
    await other.append('thread', batchAt(0, facts('new')))
    proxy.release()
    await removing
    expect(await valuesOf(other, 'thread')).toEqual(['new'])
    await other.close()
  })

  test.each(['to-client', 'to-server'] as const)('a partition (%s) ends in an error that says that the outcome is not known', async (direction) => {
    await prepared()
    const journal = through({ answerTimeout: 2_000, retryTimeout: 2_000 })
    await journal.append('thread', batchAt(0, facts('a')))
    proxy.hold(direction)
    const batch = batchAt(1, facts('b'))
    const error = await failure(journal.append('thread', batch))
    expect([error.code, error.context['outcome'], error.context['batch']]).toEqual(['LOOM_JOURNAL_UNAVAILABLE', 'unknown', batch.id])
    expect(error.message).toContain('Append the same batch again, with the same id')
    // The statements that were in flight arrive now, as often as they were sent.
    proxy.release()
    expect(await journal.append('thread', batch)).toEqual({ kind: 'appended', seq: 2 })
    await until(async () => (await sql().unsafe("select from pg_stat_activity where application_name = 'loom' and state = 'active'")).length === 0)
    expect(await valuesOf(journal, 'thread')).toEqual(['a', 'b'])
  })

  test('connections that are cut again and again lose nothing', async () => {
    const journal = through()
    await journal.head('a')
    const write = async (thread: string): Promise<void> => {
      for (let number = 0; number < 40; number += 1) {
        await journal.append(thread, batchAt(number, facts(number)))
        if (number % 13 === 6) proxy.cut()
      }
    }
    await Promise.all(['a', 'b', 'c', 'd'].map(write))
    for (const thread of ['a', 'b', 'c', 'd']) expect(await valuesOf(journal, thread)).toEqual(Array.from({ length: 40 }, (_, number) => number))
  })

  test('a slow network is only slow', async () => {
    proxy.delay(20)
    const journal = through()
    const results = await Promise.all(['a', 'b', 'c'].map((thread) => journal.append(thread, batchAt(0, facts(1)))))
    expect(results.map(({ kind }) => kind)).toEqual(['appended', 'appended', 'appended'])
  })

  test('a connection that is lost while the journal is first opened is made again', async () => {
    const journal = through()
    const lost = proxy.loseReply(says('select key, value from'))
    expect(await journal.head('thread')).toBeUndefined()
    await lost
  })

  test('after a server hangs up there is a pause before the next attempt', async () => {
    await prepared()
    const journal = through({ retryTimeout: 500 })
    proxy.hangUp(true)
    expect((await failure(journal.head('thread'))).message).toContain('has lost the connection')
    proxy.hangUp(false)
    await journal.append('thread', batchAt(0, facts('a')))
    proxy.hangUp(true)
    proxy.cut()
    const before = proxy.accepted()
    await failure(journal.read('thread'))
    expect(proxy.accepted() - before).toBeLessThan(30)
  })

  test('closing does not wait for a server that is gone', async () => {
    await prepared()
    const journal = through({ answerTimeout: 2_000 })
    await journal.acquire('thread', { worker: 'w', incarnation: 'first', seen: 0 })
    const since = (await sql()`select clock_timestamp() as now`)[0]?.['now'] as Date
    proxy.hold('to-client')
    const appending = failure(journal.append('thread', batchAt(0, facts('a'), { epoch: 1 })))
    await until(
      async () =>
        (await sql()`select from pg_stat_activity where application_name = 'loom' and state = 'idle' and state_change > ${since}`).length > 0,
    )
    await journal.close()
    expect((await appending).context['outcome']).toBe('unknown')
    expect((await failure(journal.head('thread'))).code).toBe('LOOM_JOURNAL_CLOSED')
  })
})
