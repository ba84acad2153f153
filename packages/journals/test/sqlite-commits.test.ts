import { copyFileSync, readFileSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { agent, tool } from '@loom-agent/agent'
import { type SqliteJournal, type SqliteOptions, sqlite } from '@loom-agent/journals/sqlite'
import type { Draft, LoomError } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { until } from '../../../test/support/event-loop.ts'
import { openDatabase } from '../src/sqlite/database.ts'
import { retryWhileBusy } from '../src/sqlite/retry.ts'
import { journalIn } from '../src/sqlite/sqlite-journal.ts'
import { batchAt, facts } from './batches.ts'
import { valuesOf } from './events.ts'
import { freshPaths } from './sqlite-samples.ts'

const pathOf = freshPaths()
const journals: SqliteJournal[] = []
const opened = (path = pathOf(), options: SqliteOptions = {}): SqliteJournal => {
  const journal = sqlite(path, options)
  journals.push(journal)
  return journal
}
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(journals.splice(0).map((journal) => journal.close()))
})

describe('group commit', () => {
  test('appends one after the other are committed one by one', async () => {
    const journal = opened()
    for (let number = 0; number < 10; number += 1) await journal.append('thread', batchAt(number, facts(number)))
    expect(journal.stats()).toMatchObject({ commits: 10, changes: 10 })
  })

  test('appends at the same time are one commit, whatever the result of each is', async () => {
    const journal = opened()
    await journal.append('there', batchAt(0, facts('a')))
    const { commits } = journal.stats()
    const results = await Promise.all([
      journal.append('a', batchAt(0, facts('a'))),
      journal.append('there', batchAt(0, facts('late'))),
      journal.append('b', batchAt(0, facts('b'), { epoch: 3 })),
      journal.acquire('c', { worker: 'w', incarnation: 'first', seen: 0 }),
      journal.append('a', batchAt(1, facts('a too'))),
    ])
    expect(results.map(({ kind }) => kind)).toEqual(['appended', 'conflict', 'fenced', 'acquired', 'appended'])
    expect(journal.stats().commits - commits).toBe(1)
    expect(await valuesOf(journal, 'a')).toEqual(['a', 'a too'])
  })

  test('two hundred runs at once need at most a commit in five turns', async () => {
    const journal = opened()
    const look = tool({ name: 'look', input: z.object({ turn: z.number() }), run: ({ turn }) => `seen ${turn}` })
    const worker = agent({ name: 'worker', tools: { look }, permissions: { look: 'allow' }, journal })
    const turns = 5
    const model = () => scriptedModel((_request, number) => (number <= turns ? { calls: [{ tool: 'look', input: { turn: number } }] } : 'done'))
    const results = await Promise.all(Array.from({ length: 200 }, () => worker.run('go', { model: model() })))
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['done']))
    expect(journal.stats().commits / (200 * turns)).toBeLessThanOrEqual(0.2)
    expect((await journal.threads({ status: 'done' })).length).toBe(200)
  })

  test('a batch that cannot be encoded fails alone', async () => {
    const journal = opened()
    const odd = { key: 'k', value: 1n }
    const results = await Promise.allSettled([
      journal.append('a', batchAt(0, facts('a'))),
      journal.append('b', batchAt(0, [{ type: 'memory.recorded', data: odd } as Draft | { type: string; data: typeof odd } as Draft])),
      journal.append('c', batchAt(0, facts('c'))),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('a batch without events stores nothing, not even its summary', async () => {
    const journal = opened()
    await journal.append('thread', batchAt(0, facts('a')))
    expect(await journal.append('thread', batchAt(1, [], { summary: { status: 'done' } }))).toEqual({ kind: 'appended', seq: 1 })
    expect(await journal.head('thread')).toMatchObject({ seq: 1, summary: { status: 'idle' } })
    expect(await valuesOf(journal, 'thread')).toEqual(['a'])
  })
})

describe('what is flushed', () => {
  const turn: readonly Draft[] = [{ type: 'turn.entered', data: { turn: 1 } }]
  const ended: readonly Draft[] = [{ type: 'run.finished', data: {} }]

  /** The level of flushing after a batch: 2 is full. */
  const levels = async (mode: 'strict' | 'relaxed'): Promise<readonly unknown[]> => {
    const database = openDatabase(pathOf(), mode)
    const journal = journalIn(database)
    journals.push(journal)
    const level = (): unknown => database.db.prepare('pragma synchronous').get()?.['synchronous']
    const found: unknown[] = []
    for (const [index, events] of [turn, ended, turn].entries()) {
      await journal.append('thread', batchAt(index, events))
      found.push(level())
    }
    await Promise.all([journal.append('a', batchAt(0, turn)), journal.append('b', batchAt(0, ended))])
    return [...found, level()]
  }

  test('strict flushes everything', async () => {
    expect(await levels('strict')).toEqual([2, 2, 2, 2])
  })

  test('relaxed flushes what a human has seen, and everything in the same commit', async () => {
    expect(await levels('relaxed')).toEqual([1, 2, 1, 2])
  })
})

describe('another connection that has the database', () => {
  /** Another connection that is in the middle of writing. */
  const writer = (path: string): DatabaseSync => {
    const db = new DatabaseSync(path)
    db.exec('begin immediate')
    return db
  }

  test('an append waits until it is done, and does not block the process', async () => {
    const path = pathOf()
    const journal = opened(path)
    const other = writer(path)
    const appended = journal.append('thread', batchAt(0, facts('a')))
    let passes = 0
    while (journal.stats().waits < 3) {
      passes += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(passes).toBeGreaterThan(3)
    expect(await valuesOf(journal, 'thread')).toEqual([])
    other.exec('commit')
    other.close()
    expect(await appended).toEqual({ kind: 'appended', seq: 1 })
  })

  test('after 30 seconds the append fails, may be tried again, and nothing was stored', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const path = pathOf()
    const journal = opened(path)
    const other = writer(path)
    const appended = journal.append('thread', batchAt(0, facts('a'))).catch((error: unknown) => error as LoomError)
    await vi.waitUntil(() => journal.stats().waits >= 2)
    vi.advanceTimersByTime(31_000)
    expect(await appended).toMatchObject({ retry: 'later', context: { failure: 'unavailable' } })
    other.exec('rollback')
    other.close()
    expect(await journal.head('thread')).toBeUndefined()
    expect(await journal.append('thread', batchAt(0, facts('a')))).toEqual({ kind: 'appended', seq: 1 })
  })

  test('a read waits as well, and not for ever', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const path = pathOf()
    opened(path)
    const other = writer(path)
    const second = new DatabaseSync(path)
    let tries = 0
    const waiting = retryWhileBusy({ path, lockTimeout: 30_000 }, () => {
      tries += 1
      second.exec('begin immediate')
    })
    await until(() => tries > 1)
    other.exec('rollback')
    await waiting
    const third = new DatabaseSync(path)
    const late = retryWhileBusy({ path, lockTimeout: 30_000 }, () => third.exec('begin immediate')).catch((error: unknown) => error as LoomError)
    vi.advanceTimersByTime(31_000)
    expect(await late).toMatchObject({ retry: 'later' })
    for (const db of [other, second, third]) db.close()
  })
})

describe('a disk that is full', () => {
  test('nothing is stored in part, others of the group are stored if there is room, and appends work when there is room again', async () => {
    const path = pathOf()
    const database = openDatabase(path)
    const journal = journalIn(database)
    journals.push(journal)
    await journal.append('thread', batchAt(0, facts('a')))
    const { page_count: pages } = database.db.prepare('pragma page_count').get() as { page_count: number }
    database.db.exec(`pragma max_page_count = ${pages + 1}`)
    const big = batchAt(1, facts('b', 'x'.repeat(300_000)), { blobs: new Map([['blob', new Uint8Array(100_000)]]) })
    const [small, failed] = await Promise.allSettled([journal.append('other', batchAt(0, facts('small'))), journal.append('thread', big)])
    expect(small).toEqual({ status: 'fulfilled', value: { kind: 'appended', seq: 1 } })
    expect(failed).toMatchObject({ status: 'rejected', reason: { retry: 'later', context: { failure: 'unavailable', path } } })
    expect(failed.status === 'rejected' && (failed.reason as Error).message).toContain('the disk is full. Nothing was stored.')
    expect(await valuesOf(journal, 'thread')).toEqual(['a'])
    expect(await journal.blob('blob')).toBeUndefined()
    database.db.exec('pragma max_page_count = 100000')
    expect(await journal.append('thread', big)).toEqual({ kind: 'appended', seq: 3 })
    expect((await journal.blob('blob'))?.length).toBe(100_000)
    expect(await valuesOf(journal, 'thread')).toEqual(['a', 'b', 'x'.repeat(300_000)])
  })

  test('the journal can be closed', async () => {
    const database = openDatabase(pathOf())
    const journal = journalIn(database)
    await journal.acquire('thread', { worker: 'w', incarnation: 'first', seen: 0 })
    database.db.exec('pragma query_only = on')
    await expect(journal.append('thread', batchAt(0, facts('a')))).rejects.toThrow('cannot be written')
    await journal.close()
    expect(database.db.isOpen).toBe(false)
  })
})

describe('the WAL', () => {
  test('it stays short during a run, and the journal grows by what was appended', async () => {
    const path = pathOf()
    const journal = opened(path)
    for (let number = 0; number < 1500; number += 1) await journal.append('thread', batchAt(number, facts(`${number}`.padEnd(500, 'x'))))
    expect(statSync(`${path}-wal`).size).toBeLessThan(24 << 20)
    expect(statSync(path).size).toBeGreaterThan(500_000)
    expect((await valuesOf(journal, 'thread')).length).toBe(1500)
  })

  test('it is extended before it is full, and the extension is not read as a commit', async () => {
    const path = pathOf()
    const journal = opened(path)
    for (let number = 0; number < 5; number += 1) await journal.append('thread', batchAt(number, facts(`${number}`)))
    const wal = readFileSync(`${path}-wal`)
    expect(wal.length).toBeGreaterThanOrEqual(1 << 20)
    expect(wal.subarray(-(1 << 19)).every((byte) => byte === 0)).toBe(true)
    // As a process that was killed leaves it.
    const left = pathOf()
    for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${left}${end}`)
    expect(await valuesOf(opened(left), 'thread')).toEqual(['0', '1', '2', '3', '4'])
  })

  test('it is not extended without flushes, and where it cannot be', async () => {
    const relaxed = pathOf()
    await opened(relaxed, { mode: 'relaxed' }).append('thread', batchAt(0, facts('0')))
    expect(statSync(`${relaxed}-wal`).size).toBeLessThan(1 << 19)
    const gone = pathOf()
    const journal = opened(gone)
    rmSync(`${gone}-wal`)
    expect(await journal.append('thread', batchAt(0, facts('0')))).toEqual({ kind: 'appended', seq: 1 })
  })

  test('it is moved into the database when the process is idle', async () => {
    const path = pathOf()
    const journal = opened(path)
    const before = statSync(path).size
    await journal.append('thread', batchAt(0, facts('x'.repeat(60_000)), { blobs: new Map([['blob', new Uint8Array(12 << 20)]]) }))
    await vi.waitFor(() => expect(statSync(path).size).toBeGreaterThan(before + (12 << 20)))
  })
})
