import { verify } from '@loom-agent/journals'
import type { PostgresJournal } from '@loom-agent/journals/postgres'
import { describe, expect, onTestFinished, test } from 'vitest'
import { batchAt, facts } from './batches.ts'
import { valuesOf } from './events.ts'
import { testServer } from './postgres-samples.ts'
import { startProcess } from './processes.ts'

const { open, fresh, url, sql } = testServer({ fsync: false })
const findings = async (journal: PostgresJournal): Promise<readonly string[]> =>
  (await Array.fromAsync(verify(journal))).map(({ problem }) => problem).filter((problem) => !problem.includes('fsync'))

describe('several processes on one journal', () => {
  test('of writers at the same seq one wins, nothing is lost or stored twice, and no epoch is given twice', async () => {
    const schema = fresh()
    const names = ['a', 'b', 'c']
    // All of them find an empty database: the first one creates the tables.
    const appending = names.map((name) => startProcess('postgres-process.ts', 'append', url(), schema, 'thread', name, '30').ended)
    const claiming = names.map((name) => startProcess('postgres-process.ts', 'claim', url(), schema, 'claimed', name, '40').ended)
    for (const output of await Promise.all(appending)) expect(output).toMatch(/tries \d+/)
    const epochs = (await Promise.all(claiming)).flatMap((output) => [...output.matchAll(/epoch (\d+)/g)].map(([, epoch]) => Number(epoch)))
    expect(epochs.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
    const journal = open(schema)
    const values = await valuesOf(journal, 'thread')
    expect(values.length).toBe(180)
    expect(values.filter((_, index) => index % 2 === 1)).toEqual(Array.from({ length: 90 }, () => 'end'))
    for (const name of names) {
      const own = values.filter((value) => String(value).startsWith(name))
      expect(own).toEqual(Array.from({ length: 30 }, (_, number) => `${name} ${number}`))
    }
    expect(await findings(journal)).toEqual([])
    await journal.close()
  })

  test('a watcher is notified at once of what another process appends, and keeps its process alive for it', async () => {
    const schema = fresh()
    const journal = open(schema)
    await journal.append('thread', batchAt(0, facts('before')))
    const watcher = startProcess('postgres-process.ts', 'watch', url(), schema, 'other')
    await watcher.said('ready')
    await journal.append('other', batchAt(0, facts('a', 'b')))
    expect(await watcher.ended).toBe('ready\nnotified 2\n')
    await journal.close()
  })
})

describe('the holder of a thread', () => {
  test('it is held while the process that acquired it runs, and free at once when that was killed', async () => {
    const schema = fresh()
    const journal = open(schema)
    const holder = startProcess('postgres-process.ts', 'hold', url(), schema, 'thread', 'holder', '1')
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

  test('a process that stands still counts as gone after 30 seconds of the server’s time, and is fenced when it continues', async () => {
    const schema = fresh()
    const journal = open(schema)
    const holder = startProcess('postgres-process.ts', 'hold', url(), schema, 'thread', 'holder', '1')
    await holder.said('acquired 1')
    onTestFinished(() => void holder.kill('SIGKILL'))
    holder.kill('SIGSTOP')
    const pass = (seconds: number) => sql().unsafe(`update ${schema}.instances set beat = beat - interval '${seconds} seconds'`)
    await pass(28)
    expect((await journal.acquire('thread', { worker: 'me', incarnation: 'first', seen: 1 })).kind).toBe('held')
    await pass(3)
    expect(await journal.acquire('thread', { worker: 'me', incarnation: 'first', seen: 1 })).toMatchObject({
      kind: 'acquired',
      epoch: 2,
      head: { holder: 'me' },
    })
    holder.kill('SIGCONT')
    holder.stdin?.write('go on\n')
    expect(await holder.ended).toBe('acquired 1\nfenced\n')
    await journal.close()
  })

  test('a holder on another machine counts by its heartbeats alone', async () => {
    const schema = fresh()
    const journal = open(schema)
    const holder = startProcess('postgres-process.ts', 'hold', url(), schema, 'thread', 'holder', '1')
    await holder.said('acquired 1')
    await sql().unsafe(`update ${schema}.instances set host = 'elsewhere'`)
    holder.kill('SIGKILL')
    await holder.ended
    expect((await journal.acquire('thread', { worker: 'me', incarnation: 'first', seen: 1 })).kind).toBe('held')
    await sql().unsafe(`update ${schema}.instances set beat = now() - interval '31 seconds'`)
    expect((await journal.acquire('thread', { worker: 'me', incarnation: 'first', seen: 1 })).kind).toBe('acquired')
    // An instance without a heartbeat for very long is forgotten.
    await sql().unsafe(`update ${schema}.instances set beat = now() - interval '1 hour'`)
    await journal.acquire('another', { worker: 'me', incarnation: 'first', seen: 0 })
    expect(await sql().unsafe(`select count(*)::int as count from ${schema}.instances`)).toEqual([{ count: 1 }])
    await journal.close()
  })

  test('a journal that was closed holds nothing any more', async () => {
    const schema = fresh()
    const [first, second] = [open(schema), open(schema)]
    await first.acquire('thread', { worker: 'first', incarnation: 'first', seen: 0 })
    expect(await second.acquire('thread', { worker: 'second', incarnation: 'first', seen: 1 })).toEqual({ kind: 'held', epoch: 1, holder: 'first' })
    await first.close()
    expect((await second.head('thread'))?.holder).toBeUndefined()
    expect((await second.acquire('thread', { worker: 'second', incarnation: 'first', seen: 1 })).kind).toBe('acquired')
    await second.close()
  })
})

describe('what is left behind', () => {
  test('after everything was used and closed there is no timer and no handle', async () => {
    expect(await startProcess('postgres-process.ts', 'leave', url(), fresh(), 'thread').ended).toBe('nothing is left\n')
  })

  test('a process that holds a thread and does not close the journal ends by itself', async () => {
    expect(await startProcess('postgres-process.ts', 'forget', url(), fresh(), 'thread').ended).toBe('done\n')
  })
})
