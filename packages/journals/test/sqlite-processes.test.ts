import { once } from 'node:events'
import { uptime } from 'node:os'
import { memoryJournal } from '@loom-agent/agent'
import { migrate, verify } from '@loom-agent/journals'
import { sqlite } from '@loom-agent/journals/sqlite'
import { describe, expect, test, vi } from 'vitest'
import { batchAt, facts } from './batches.ts'
import { allOf, eventsOf, valuesOf } from './events.ts'
import { startProcess } from './processes.ts'
import { freshPaths, meddle } from './sqlite-samples.ts'

const pathOf = freshPaths()
const findings = async (path: string): Promise<readonly unknown[]> => {
  const journal = sqlite(path)
  const found = await allOf(verify(journal))
  await journal.close()
  return found
}

describe('several processes on one journal', () => {
  test('of writers at the same seq one wins, and nothing is lost or stored twice', async () => {
    const path = pathOf()
    const names = ['a', 'b', 'c']
    const outputs = await Promise.all(names.map((name) => startProcess('sqlite-process.ts', 'append', path, 'thread', name, '40').ended))
    for (const output of outputs) expect(output).toMatch(/tries \d+/)
    const journal = sqlite(path)
    const values = await valuesOf(journal, 'thread')
    expect(values.length).toBe(240)
    expect(values.filter((_, index) => index % 2 === 1)).toEqual(Array.from({ length: 120 }, () => 'end'))
    for (const name of names) {
      const own = values.filter((value) => String(value).startsWith(name))
      expect(own).toEqual(Array.from({ length: 40 }, (_, number) => `${name} ${number}`))
    }
    await journal.close()
    expect(await findings(path)).toEqual([])
  })

  test('no epoch is given twice', async () => {
    const path = pathOf()
    const outputs = await Promise.all(['a', 'b', 'c'].map((name) => startProcess('sqlite-process.ts', 'claim', path, 'thread', name, '60').ended))
    const epochs = outputs.flatMap((output) => [...output.matchAll(/epoch (\d+)/g)].map(([, epoch]) => Number(epoch)))
    expect(epochs.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1))
  })

  test('opening one new journal at the same time creates one journal', async () => {
    const path = pathOf()
    await Promise.all(Array.from({ length: 6 }, (_, number) => startProcess('sqlite-process.ts', 'append', path, `thread ${number}`, 'x', '3').ended))
    const journal = sqlite(path)
    expect((await journal.threads()).map(({ thread, seq }) => [thread, seq])).toEqual(Array.from({ length: 6 }, (_, n) => [`thread ${n}`, 6]))
    await journal.close()
  })

  test('a driver whose thread was removed and begun again elsewhere is fenced, and takes nothing from the new driver', async () => {
    const path = pathOf()
    const journal = sqlite(path)
    await journal.acquire('thread', { worker: 'old', incarnation: 'first', seen: 0 })
    for (const seq of [0, 1]) await journal.append('thread', batchAt(seq, facts(seq), { epoch: 1 }))
    const batch = batchAt(0, facts(0), { epoch: 1 })
    const other = startProcess('sqlite-process.ts', 'replace', path, 'thread', 'second', '2')
    await other.said('replaced')
    // The same seq, the same epoch, and the id of a batch that the removed thread had.
    expect(await journal.append('thread', batchAt(2, facts('late'), { epoch: 1 }))).toEqual({ kind: 'fenced', epoch: 1 })
    expect(await journal.append('thread', batch)).toEqual({ kind: 'conflict', seq: 2 })
    await expect(journal.read('thread', { from: 3, incarnation: 'first' })).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    expect((await journal.release('thread', { epoch: 1, incarnation: 'first' }))?.holder).toBe('second')
    await journal.close()
    const reader = sqlite(path)
    expect([(await reader.head('thread'))?.holder, await valuesOf(reader, 'thread')]).toEqual(['second', ['second 0', 'second 1']])
    await reader.close()
    other.stdin?.end()
    await other.ended
  })

  test('a driver whose thread was replaced by an older copy elsewhere continues from that copy', async () => {
    const path = pathOf()
    const journal = sqlite(path)
    await journal.append('thread', batchAt(0, facts('a')))
    const copy = memoryJournal()
    await migrate(journal, copy)
    await journal.append('thread', batchAt(1, facts('b'), { id: 'known' }))
    const other = sqlite(path)
    await other.remove('thread')
    await migrate(copy, other)
    expect(await journal.append('thread', batchAt(2, facts('c')))).toEqual({ kind: 'conflict', seq: 1 })
    expect(await journal.append('thread', batchAt(1, facts('b again'), { id: 'known' }))).toEqual({ kind: 'appended', seq: 2 })
    expect(await valuesOf(other, 'thread')).toEqual(['a', 'b again'])
    await Promise.all([journal.close(), other.close()])
    expect(await findings(path)).toEqual([])
  })

  test('a watcher is notified of a removal by another connection, and of a new thread that is as long as the removed one', async () => {
    const path = pathOf()
    const [journal, other] = [sqlite(path), sqlite(path)]
    const hints: number[] = []
    journal.watch('thread', (seq) => hints.push(seq))
    await other.append('thread', batchAt(0, facts('a')))
    await vi.waitFor(() => expect(hints).toEqual([1]))
    await other.remove('thread')
    await vi.waitFor(() => expect(hints).toEqual([1, 0]))
    await other.append('thread', batchAt(0, facts('b'), { incarnation: 'second' }))
    await vi.waitFor(() => expect(hints).toEqual([1, 0, 1]))
    await Promise.all([journal.close(), other.close()])
  })

  test('a watcher is notified of what another process appends', async () => {
    const path = pathOf()
    const journal = sqlite(path)
    const other = startProcess('sqlite-process.ts', 'follow', path, 'thread', 'x', '2')
    await other.said('ready')
    for (const seq of [1, 2]) {
      const { promise, resolve } = Promise.withResolvers<number>()
      const unwatch = journal.watch('thread', resolve)
      other.stdin?.write('go\n')
      expect(await promise).toBe(seq)
      unwatch()
    }
    await other.ended
    await journal.close()
  })

  test('what was acknowledged before a process was killed is there', async () => {
    const path = pathOf()
    const child = startProcess('sqlite-process.ts', 'acknowledge', path, 'thread')
    await child.said('\n20\n')
    child.kill('SIGKILL')
    const acknowledged = (await child.ended).trim().split('\n').map(Number)
    const journal = sqlite(path)
    const values = await valuesOf(journal, 'thread')
    expect(values.slice(0, acknowledged.length)).toEqual(acknowledged)
    expect(values.length - acknowledged.length).toBeLessThanOrEqual(1)
    await journal.close()
    expect(await findings(path)).toEqual([])
  })
})

describe('the holder of a thread', () => {
  test('a thread is held while the process that acquired it runs, and free at once when it was killed', async () => {
    const path = pathOf()
    const journal = sqlite(path)
    const holder = startProcess('sqlite-process.ts', 'hold', path, 'thread', 'holder', '1')
    await holder.said('acquired 1')
    expect(await journal.acquire('thread', { worker: 'me', incarnation: 'first', seen: 1 })).toEqual({ kind: 'held', epoch: 1, holder: 'holder' })
    expect((await journal.head('thread'))?.holder).toBe('holder')
    holder.kill('SIGKILL')
    await holder.ended
    expect((await journal.head('thread'))?.holder).toBeUndefined()
    expect(await journal.acquire('thread', { worker: 'me', incarnation: 'first', seen: 0 })).toEqual({ kind: 'held', epoch: 1, holder: undefined })
    expect((await journal.acquire('thread', { worker: 'me', incarnation: 'first', seen: 1 })).kind).toBe('acquired')
    await journal.close()
  })

  test('a process that stands still counts as gone after 30 seconds without a heartbeat, and is fenced when it continues', async () => {
    const path = pathOf()
    let ahead = 0
    const journal = sqlite(path, { ports: { uptime: () => uptime() * 1000 + ahead } })
    const holder = startProcess('sqlite-process.ts', 'hold', path, 'thread', 'holder', '1')
    await holder.said('acquired 1')
    holder.kill('SIGSTOP')
    expect((await journal.acquire('thread', { worker: 'me', incarnation: 'first', seen: 1 })).kind).toBe('held')
    ahead = 29_000
    expect((await journal.acquire('thread', { worker: 'me', incarnation: 'first', seen: 1 })).kind).toBe('held')
    ahead = 31_000
    expect(await journal.acquire('thread', { worker: 'me', incarnation: 'first', seen: 1 })).toMatchObject({ kind: 'acquired', epoch: 2 })
    expect(await journal.append('thread', batchAt(0, facts('late'), { epoch: 1 }))).toEqual({ kind: 'fenced', epoch: 2 })
    holder.kill('SIGKILL')
    await holder.ended
    await journal.close()
  })

  test('a process number that is used again does not keep a thread', async () => {
    const path = pathOf()
    const journal = sqlite(path)
    const holder = startProcess('sqlite-process.ts', 'hold', path, 'thread', 'holder', '1')
    await holder.said('acquired 1')
    meddle(path, (db) => db.exec("update instances set started = started || '0'"))
    expect((await journal.acquire('thread', { worker: 'me', incarnation: 'first', seen: 1 })).kind).toBe('acquired')
    holder.kill('SIGKILL')
    await holder.ended
    await journal.close()
  })

  test('a holder on another machine counts by its heartbeats alone', async () => {
    const path = pathOf()
    let ahead = 0
    const journal = sqlite(path, { ports: { now: () => Date.now() + ahead } })
    const holder = startProcess('sqlite-process.ts', 'hold', path, 'thread', 'holder', '1')
    await holder.said('acquired 1')
    holder.kill('SIGKILL')
    await holder.ended
    meddle(path, (db) => db.exec("update instances set host = 'elsewhere'"))
    expect((await journal.acquire('thread', { worker: 'me', incarnation: 'first', seen: 1 })).kind).toBe('held')
    ahead = 30_000
    expect((await journal.acquire('thread', { worker: 'me', incarnation: 'first', seen: 1 })).kind).toBe('acquired')
    await journal.close()
  })

  test('a journal that was closed in the same process holds nothing any more', async () => {
    const path = pathOf()
    const [first, second] = [sqlite(path), sqlite(path)]
    await first.acquire('thread', { worker: 'first', incarnation: 'first', seen: 0 })
    await first.append('thread', batchAt(0, facts('a'), { epoch: 1 }))
    expect(await second.acquire('thread', { worker: 'second', incarnation: 'first', seen: 1 })).toEqual({ kind: 'held', epoch: 1, holder: 'first' })
    await first.close()
    expect((await second.head('thread'))?.holder).toBeUndefined()
    expect((await second.acquire('thread', { worker: 'second', incarnation: 'first', seen: 1 })).kind).toBe('acquired')
    await second.close()
  })

  test('rows of holders that are long gone are deleted', async () => {
    const path = pathOf()
    let ahead = 0
    const journal = sqlite(path, { ports: { now: () => Date.now() + ahead, uptime: () => uptime() * 1000 + ahead } })
    const holder = startProcess('sqlite-process.ts', 'hold', path, 'thread', 'holder', '1')
    await holder.said('acquired 1')
    holder.kill('SIGKILL')
    await once(holder, 'close')
    ahead = 3_600_000
    await journal.acquire('other', { worker: 'me', incarnation: 'first', seen: 0 })
    let rows: unknown
    meddle(path, (db) => {
      rows = db.prepare('select count(*) as count from instances').get()?.['count']
    })
    expect(rows).toBe(1)
    expect(await eventsOf(journal, 'thread')).toEqual([])
    expect((await journal.acquire('thread', { worker: 'me', incarnation: 'first', seen: 1 })).kind).toBe('acquired')
    await journal.close()
  })
})
