import { spawnSync } from 'node:child_process'
import { sqlite } from '@loom-agent/journals/sqlite'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { batchAt, facts } from './batches.ts'
import { valuesOf } from './events.ts'
import { freshPaths, meddle } from './sqlite-samples.ts'

const pathOf = freshPaths()
afterEach(() => void vi.useRealTimers())

describe('long tables and long threads', () => {
  test('a thousand threads are listed, all of them and by every query', async () => {
    const journal = sqlite(pathOf(), { mode: 'relaxed' })
    const names = Array.from({ length: 1100 }, (_, number) => `thread ${String(number).padStart(4, '0')}`)
    const summary = (number: number) => ({ status: number % 2 === 0 ? 'done' : 'waiting', wakeAt: number, parent: 'parent' }) as const
    await Promise.all(names.map((name, number) => journal.append(name, batchAt(0, facts(number), { summary: summary(number) }))))
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
    const journal = sqlite(pathOf(), { mode: 'relaxed' })
    await journal.append('thread', batchAt(0, facts(...Array.from({ length: 600 }, (_, number) => number))))
    expect((await journal.read('thread', { limit: 10_000 })).length).toBe(512)
    expect((await journal.read('thread', { from: 513 })).length).toBe(88)
    for (let number = 0; number < 40; number += 1) await journal.append('big', batchAt(number, facts('y'.repeat(60_000))))
    const page = await journal.read('big')
    expect(page.length).toBeGreaterThan(10)
    expect(page.length).toBeLessThan(30)
    expect((await valuesOf(journal, 'big')).length).toBe(40)
    await journal.close()
  })
})

describe('heartbeats', () => {
  test('a holder sends one every ten seconds, and so keeps its thread', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const path = pathOf()
    let time = 1_000_000
    const ports = { uptime: () => time }
    const [holder, other] = [sqlite(path, { ports }), sqlite(path, { ports })]
    await holder.acquire('thread', { worker: 'holder', incarnation: 'first', seen: 0 })
    for (let passed = 0; passed < 60; passed += 10) {
      const { commits } = holder.stats()
      time += 10_000
      vi.advanceTimersByTime(10_000)
      await vi.waitFor(() => expect(holder.stats().commits).toBe(commits + 1))
      expect((await other.acquire('thread', { worker: 'other', incarnation: 'first', seen: 1 })).kind).toBe('held')
    }
    await holder.release('thread', { epoch: 1, incarnation: 'first' })
    const { commits } = holder.stats()
    vi.advanceTimersByTime(60_000)
    await new Promise((resolve) => setImmediate(resolve))
    expect(holder.stats().commits).toBe(commits)
    await Promise.all([holder.close(), other.close()])
  })

  test('a holder that was replaced stops sending them, when it is fenced or at the next one', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: 1_000_000 })
    const path = pathOf()
    const [holder, other] = [sqlite(path), sqlite(path)]
    await holder.acquire('a', { worker: 'holder', incarnation: 'first', seen: 0 })
    await holder.acquire('b', { worker: 'holder', incarnation: 'first', seen: 0 })
    for (const thread of ['a', 'b']) await other.acquire(thread, { worker: 'other', incarnation: 'first', seen: 1, force: true })
    expect((await holder.append('a', batchAt(0, facts('late'), { epoch: 1 }))).kind).toBe('fenced')
    const beats = async (): Promise<number> => {
      const { commits } = holder.stats()
      vi.advanceTimersByTime(10_000)
      await new Promise((resolve) => setImmediate(resolve))
      return holder.stats().commits - commits
    }
    expect(await beats()).toBe(1)
    expect(await beats()).toBe(0)
    await Promise.all([holder.close(), other.close()])
  })

  test('one that could not be sent does no harm', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const path = pathOf()
    const journal = sqlite(path)
    await journal.acquire('thread', { worker: 'w', incarnation: 'first', seen: 0 })
    meddle(path, (db) => db.exec('alter table instances rename to elsewhere'))
    vi.advanceTimersByTime(10_000)
    await new Promise((resolve) => setImmediate(resolve))
    meddle(path, (db) => db.exec('alter table elsewhere rename to instances'))
    expect(await journal.append('thread', batchAt(0, facts('a'), { epoch: 1 }))).toEqual({ kind: 'appended', seq: 1 })
    await journal.close()
  })
})

describe('what is left behind', () => {
  const run = (program: string) => {
    const start = `import { sqlite } from '@loom-agent/journals/sqlite'
      const { batchAt, facts } = await import(${JSON.stringify(new URL('batches.ts', import.meta.url).href)})
      const journal = sqlite(process.argv[1])\n`
    const args = ['--conditions=loom-source', '--input-type=module', '-e', start + program, pathOf()]
    return spawnSync(process.execPath, args, { encoding: 'utf8', cwd: import.meta.dirname, timeout: 55_000 })
  }

  test('after everything was used and closed there is no timer and no handle', () => {
    const { stdout, stderr, status } = run(`
      const before = process.getActiveResourcesInfo().sort().join()
      const unwatch = journal.watch('thread', () => {})
      journal.watch('other', () => {})
      await journal.acquire('thread', { worker: 'w', incarnation: 'first', seen: 0 })
      await journal.append('thread', batchAt(0, facts('a'), { epoch: 1 }))
      await journal.read('thread')
      unwatch()
      journal.leaseValid('thread', { epoch: 1, incarnation: 'first' })
      await journal.close()
      console.log(process.getActiveResourcesInfo().sort().join() === before)`)
    expect([stdout, stderr, status]).toEqual(['true\n', '', 0])
  })

  test('a process that holds a thread and does not close the journal ends by itself', () => {
    const { stdout, status } = run(`
      await journal.acquire('thread', { worker: 'w', incarnation: 'first', seen: 0 })
      await journal.append('thread', batchAt(0, facts('a'), { epoch: 1 }))
      journal.watch('thread', () => {})()
      console.log(journal.leaseValid('thread', { epoch: 1, incarnation: 'first' }) && 'done')`)
    expect([stdout, status]).toEqual(['done\n', 0])
  })

  test('a process that watches stays alive, because it waits for other processes', () => {
    const { stdout } = run(`
      journal.watch('thread', (seq) => { console.log('notified', seq); process.exit(0) })
      const other = sqlite(process.argv[1])
      await other.append('thread', batchAt(0, facts('a')))
      await other.close()`)
    expect(stdout).toBe('notified 1\n')
  })
})
