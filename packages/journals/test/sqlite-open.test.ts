import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { sqlite } from '@loom-agent/journals/sqlite'
import { isLoomError, type LoomError } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../src/sqlite/database.ts'
import { journalIn } from '../src/sqlite/sqlite-journal.ts'
import { batchAt, facts } from './batches.ts'
import { valuesOf } from './events.ts'
import { freshPaths, meddle } from './sqlite-samples.ts'

const pathOf = freshPaths()

/** The error with which a journal is not opened. */
function refusalOf(open: () => unknown): LoomError {
  try {
    open()
  } catch (error) {
    if (isLoomError(error)) return error
    throw error
  }
  throw new Error('the journal was opened')
}

describe('what cannot be opened', () => {
  test('a folder that is not there is named', () => {
    const path = pathOf('missing/loom.db')
    const { message, retry } = refusalOf(() => sqlite(path))
    expect(message).toContain(`there is no folder ${dirname(path)}`)
    expect(retry).toBe('never')
    expect(existsSync(dirname(path))).toBe(false)
  })

  test('a folder is no journal', () => {
    const path = pathOf('folder')
    mkdirSync(path)
    expect(refusalOf(() => sqlite(path)).message).toContain('cannot be opened')
  })

  test('a file of another kind is not changed', () => {
    const path = pathOf('notes.txt')
    writeFileSync(path, 'not a database, but some notes\n'.repeat(100))
    const before = readFileSync(path)
    expect(refusalOf(() => sqlite(path)).message).toContain('is a file of another kind')
    expect(readFileSync(path)).toEqual(before)
  })

  test('a database of another program is not changed', () => {
    const path = pathOf()
    meddle(path, (db) => db.exec('create table invoices (id integer)'))
    expect(refusalOf(() => sqlite(path)).message).toContain('belongs to something else')
    meddle(path, (db) => expect(db.prepare('select name from sqlite_schema').all().length).toBe(1))
  })

  test('a journal of a newer version is refused, with both formats named', async () => {
    const path = pathOf()
    await sqlite(path).close()
    meddle(path, (db) => db.exec("update meta set value = '3' where key = 'format'"))
    const { message, context } = refusalOf(() => sqlite(path))
    expect(message).toContain('has format 3; this version of Loom knows 2')
    expect(context['format']).toBe(3)
  })

  test('invalid options are refused', () => {
    expect(refusalOf(() => sqlite('')).code).toBe('LOOM_OPTION_INVALID')
    const mode: string = 'fast'
    expect(refusalOf(() => sqlite(pathOf(), { mode: mode as 'strict' })).message).toContain('mode is "fast"')
  })

  test.each([0o555, 0o777])(
    'a journal that this process may not write is refused at the latest when it is written, in a folder of mode %o',
    async (mode) => {
      const path = pathOf(`readable-${mode}/loom.db`)
      mkdirSync(dirname(path))
      await sqlite(path).close()
      chmodSync(path, 0o444)
      chmodSync(dirname(path), mode)
      chmodSync(dirname(dirname(path)), 0o755)
      // Root may write anything: the process changes its user, once it has loaded what that user may not be able to read.
      const program = `
      const { sqlite } = await import('@loom-agent/journals/sqlite')
      process.setuid?.(process.getuid() === 0 ? 65534 : process.getuid())
      const batch = { id: '1', incarnation: 'first', expected: 0, time: 1, summary: { status: 'idle' }, events: [{ type: 'run.completed', data: {} }] }
      try { await sqlite(process.argv[1]).append('thread', batch) } catch (error) { console.log(error.code, error.message) }`
      const { stdout } = spawnSync(process.execPath, ['--conditions=loom-source', '--input-type=module', '-e', program, path], {
        encoding: 'utf8',
        cwd: import.meta.dirname,
      })
      chmodSync(dirname(path), 0o755)
      expect(stdout).toMatch(/^LOOM_JOURNAL_UNUSABLE .*(right to write|may read and write)/)
    },
  )
})

describe('what is opened', () => {
  test('a journal that can no longer be written says so, and can be read', async () => {
    const path = pathOf()
    const database = openDatabase(path)
    const journal = journalIn(database)
    await journal.append('thread', batchAt(0, facts('a')))
    database.db.exec('pragma query_only = on')
    const refused = { code: 'LOOM_JOURNAL_UNUSABLE', message: expect.stringContaining('cannot be written. Give this process') as string }
    await expect(journal.append('thread', batchAt(1, facts('b')))).rejects.toMatchObject(refused)
    await expect(journal.acquire('thread', { worker: 'w', incarnation: 'first', seen: 0 })).rejects.toMatchObject(refused)
    await expect(journal.remove('thread')).rejects.toMatchObject(refused)
    expect(await valuesOf(journal, 'thread')).toEqual(['a'])
    await journal.close()
  })

  test('an empty file becomes a journal', async () => {
    const path = pathOf()
    writeFileSync(path, '')
    const journal = sqlite(path)
    await journal.append('thread', batchAt(0, facts('a')))
    await journal.close()
    expect(statSync(path).size).toBeGreaterThan(0)
  })

  test('a new journal that another process is creating is waited for', async () => {
    const path = pathOf()
    const program = `
      const { parentPort, workerData } = require('node:worker_threads')
      const db = new (require('node:sqlite').DatabaseSync)(workerData.path)
      db.exec('begin exclusive')
      parentPort.postMessage('locked')
      Atomics.wait(workerData.released, 0, 0, 100)
      Atomics.store(workerData.released, 0, 1)
      db.exec('rollback')
      db.close()`
    const released = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(program, { eval: true, workerData: { path, released } })
    await once(worker, 'message')
    const journal = sqlite(path)
    expect(Atomics.load(released, 0)).toBe(1)
    expect(await journal.append('thread', batchAt(0, facts('a')))).toEqual({ kind: 'appended', seq: 1 })
    await journal.close()
  })

  test('the mode is kept in the journal, and shown', async () => {
    const path = pathOf()
    const modeOf = async (options?: Parameters<typeof sqlite>[1]): Promise<string> => {
      const journal = sqlite(path, options)
      await journal.close()
      return journal.traits.mode
    }
    expect(await modeOf({ mode: 'relaxed' })).toBe('relaxed')
    expect(await modeOf()).toBe('relaxed')
    expect(await modeOf({ mode: 'strict' })).toBe('strict')
    expect(await modeOf({})).toBe('strict')
  })

  test('a new journal is strict, shared and durable, and detects damage', async () => {
    const journal = sqlite(pathOf())
    expect(journal.traits).toEqual({ name: 'sqlite', shared: true, durable: true, bytes: true, mode: 'strict' })
    await journal.close()
  })

  test('a journal in memory is neither shared nor durable', async () => {
    const journal = sqlite(':memory:')
    expect(journal.traits).toEqual({ name: 'sqlite', shared: false, durable: false, bytes: true, mode: 'memory' })
    await journal.close()
  })

  test('with a SQLite that cannot share a WAL safely, one process has the journal alone', async () => {
    const path = pathOf()
    const alone = journalIn(openDatabase(path, undefined, '3.51.2'))
    expect(alone.traits.shared).toBe(false)
    await alone.append('thread', batchAt(0, facts('a')))
    const other = new DatabaseSync(path, { timeout: 1 })
    expect(() => other.prepare('select * from threads').all()).toThrow('locked')
    other.close()
    await alone.close()
    for (const version of ['3.51.3', '3.52.0', '4.0.0']) {
      const shared = journalIn(openDatabase(path, undefined, version))
      expect(shared.traits.shared).toBe(true)
      expect(await valuesOf(shared, 'thread')).toEqual(['a'])
      await shared.close()
    }
  })

  test('only the one file is left after closing', async () => {
    const path = pathOf()
    const journal = sqlite(path)
    await journal.append('thread', batchAt(0, facts('a')))
    await journal.close()
    expect([existsSync(path), existsSync(`${path}-wal`), existsSync(`${path}-shm`)]).toEqual([true, false, false])
  })
})

describe('a closed journal', () => {
  test('throws an error from every method', async () => {
    const journal = sqlite(pathOf())
    await journal.close()
    await journal.close()
    const asked = [
      () => journal.append('thread', batchAt(0, facts('a'))),
      () => journal.read('thread'),
      () => journal.head('thread'),
      () => journal.acquire('thread', { worker: 'w', incarnation: 'first', seen: 0 }),
      () => journal.release('thread', { epoch: 1, incarnation: 'first' }),
      () => journal.threads(),
      () => journal.blob('hash'),
      () => journal.remove('thread'),
      () => journal.inspect(),
    ]
    for (const ask of asked) await expect(ask()).rejects.toThrow('was closed')
    expect(() => journal.watch('thread', () => {})).toThrow('was closed')
  })

  test('has stored what was appended before', async () => {
    const path = pathOf()
    const journal = sqlite(path)
    const appended = journal.append('thread', batchAt(0, facts('a')))
    await journal.close()
    expect(await appended).toEqual({ kind: 'appended', seq: 1 })
    const again = sqlite(path)
    expect(await valuesOf(again, 'thread')).toEqual(['a'])
    await again.close()
  })
})

test('a thread whose id has half a surrogate pair in it is refused, because it would become another', async () => {
  const journal = sqlite(':memory:')
  await expect(journal.append('a\ud800', batchAt(0, facts('a')))).rejects.toThrow('half a surrogate pair')
  await expect(journal.acquire('a\ud800', { worker: 'w', incarnation: 'first', seen: 0 })).rejects.toThrow('half a surrogate pair')
  await journal.close()
})

test('a batch id with half a surrogate pair in it is recognized', async () => {
  const journal = sqlite(':memory:')
  const batch = batchAt(0, facts('a'), { id: 'x\ud800"\\' })
  expect(await journal.append('thread', batch)).toEqual({ kind: 'appended', seq: 1 })
  expect(await journal.append('thread', batch)).toEqual({ kind: 'appended', seq: 1 })
  expect(await valuesOf(journal, 'thread')).toEqual(['a'])
  await journal.close()
})
