/** Heartbeats of a PostgreSQL journal do not depend on the main thread (LIVE-5, LIVE-6). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgres } from '@loom-agent/journals/postgres'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { HeartbeatTask } from './heartbeat-process.ts'
import { testServer } from './postgres-samples.ts'
import { startProcess } from './processes.ts'

const { sql, url, fresh } = testServer({ fsync: false })
const folder = mkdtempSync(join(tmpdir(), 'loom-heartbeat-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A process that holds a thread while its event loop stands still. */
async function blocked(more: Partial<HeartbeatTask> = {}) {
  const schema = fresh()
  const go = join(folder, `${schema}.go`)
  const task: HeartbeatTask = { journal: url(), schema, every: 500, go, log: join(folder, `${schema}.log`), ...more }
  const holder = startProcess('heartbeat-process.ts', 'hold', JSON.stringify(task))
  onTestFinished(() => void holder.kill('SIGKILL'))
  await holder.said('valid true')
  /** Makes the last heartbeat an old one: only another heartbeat renews it. */
  const age = (): Promise<unknown> => sql().unsafe(`update ${schema}.instances set beat = now() - interval '29 seconds'`)
  const isRecent = async (): Promise<boolean> =>
    (await sql().unsafe(`select beat > now() - interval '20 seconds' as recent from ${schema}.instances`))[0]?.['recent'] === true
  const journal = postgres(url(), { schema })
  onTestFinished(() => journal.close())
  const claim = () => journal.acquire('thread', { worker: 'other', incarnation: 'first', seen: 1 })
  return { holder, age, isRecent, claim, go: () => writeFileSync(go, '') }
}

test('a process whose event loop stands still keeps its thread: heartbeats are sent, and its lease is valid', { timeout: 60_000 }, async () => {
  const { holder, age, isRecent, claim, go } = await blocked()
  for (let round = 0; round < 3; round += 1) {
    await age()
    await vi.waitFor(async () => expect(await isRecent()).toBe(true), { timeout: 20_000, interval: 50 })
    expect((await claim()).kind).toBe('held')
  }
  go()
  expect((await holder.ended).trim().split('\n')).toEqual(['valid true', 'then valid true', 'appended'])
})

test('a process that has stood still for longer than `stall` sends no more heartbeats, and loses its thread', { timeout: 60_000 }, async () => {
  const { holder, age, isRecent, claim, go } = await blocked({ stall: 1500 })
  await age()
  // A heartbeat comes long before the last second of the lease is over, as long as there are any.
  while ((await claim()).kind !== 'acquired') if (await isRecent()) await age()
  go()
  expect((await holder.ended).trim().split('\n').at(-1)).toBe('fenced')
})

test('an address with a function is used by the main thread alone, and the lease is valid all the same', async () => {
  const { hostname, port, username, password, pathname } = new URL(url())
  const address = { host: hostname, port: Number(port), user: username, password: () => password, database: pathname.slice(1) }
  const journal = postgres(address, { schema: fresh() })
  onTestFinished(() => journal.close())
  const { epoch } = await journal.acquire('thread', { worker: 'w', incarnation: 'first', seen: 0 })
  expect(journal.leaseValid('thread', { epoch, incarnation: 'first' })).toBe(true)
})

test('an interval that is longer than a third of a lease is refused', () => {
  expect(() => postgres('postgres://localhost/x', { heartbeat: { every: 10_001 } })).toThrow(
    'postgres.heartbeat: every is 10001. Give a number from 1 to 10000',
  )
  expect(() => postgres('postgres://localhost/x', { heartbeat: { stall: 0 } })).toThrow(
    'postgres.heartbeat: stall is 0. Give a number of at least 1.',
  )
})
