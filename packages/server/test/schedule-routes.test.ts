/** Schedules over HTTP, with a scheduler that looks by itself. */
import { agent, memoryJournal } from '@loom-agent/agent'
import { createClient } from '@loom-agent/server/client'
import { type LoomServer, serve } from '@loom-agent/server/node'
import { scriptedModel } from '@loom-agent/testing'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { setSchedule } from '../src/schedule/schedules.ts'
import { startDue } from '../src/schedule/start-due.ts'
import { admin, clerkOf, jsonOf, sender } from './world.ts'

const servers: LoomServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close({ grace: 0 })))
})

const clerk = () => agent({ name: 'clerk', model: scriptedModel(() => 'Done.'), journal: memoryJournal() })
const identity = { name: 'ann', scopes: ['admin'] } as const

test('a schedule that a client sets starts when it is due, and not at the next look', async () => {
  const one = clerk()
  const server = await serve({ agents: [one], port: 0, recover: 3_600_000, auth: () => identity })
  servers.push(server)
  const client = createClient({ url: `${server.url}/api/v1` })
  const set = await client.setSchedule({ schedule: 'soon' }, { agent: 'clerk', input: 'Go.', every: '1s' })
  expect(set).toMatchObject({ name: 'soon', paused: false })
  const [at = 0] = set.next
  await until(async () => (await client.getSchedule({ schedule: 'soon' }, {})).last.length > 0)
  await until(async () => (await one.journal.head(`soon/${new Date(at).toISOString()}`))?.summary.status === 'done')
  expect((await client.listSchedules()).items.map(({ name }) => name)).toEqual(['soon'])
  await client.pauseSchedule({ schedule: 'soon' })
  expect(await client.resumeSchedule({ schedule: 'soon' })).toMatchObject({ paused: false })
  await client.removeSchedule({ schedule: 'soon' })
  expect((await client.listSchedules()).items).toEqual([])
})

test('recover starts what is due with each of its looks', async () => {
  const one = clerk()
  await setSchedule(one.journal, 'tick', { agent: 'clerk', input: 'Go.', every: '1s', grace: 0, missed: 'all' })
  const over = new AbortController()
  const recovering = one.recover({ every: 10, signal: over.signal, alongside: () => startDue([one]) })
  await until(async () => (await one.journal.threads({ agent: 'clerk', status: 'done' })).length > 0)
  over.abort()
  await recovering
})

test('what is done alongside a recovery and fails is reported like a look that failed', async () => {
  const failure = new Error('no schedules today')
  await expect(clerk().recover({ alongside: () => Promise.reject(failure) })).rejects.toBe(failure)
  const said: unknown[] = []
  const over = new AbortController()
  const fail = (): never => {
    throw failure
  }
  void clerk().recover({ every: 1, signal: over.signal, alongside: fail, onError: (error) => said.push(error) })
  await until(() => said.length > 1)
  over.abort()
  expect(said[0]).toBe(failure)
})

test('who may use some threads only has the schedules of those alone', async () => {
  const { send } = sender({ agents: [clerkOf(['One.'])] })
  const acme = { name: 'acme', scopes: ['run', 'read'] as const, threads: (thread: string) => thread.startsWith('acme/') }
  const body = { agent: 'clerk', input: 'Go.', every: '1h' }
  expect((await send('PUT /schedules/ours', { body, as: acme })).status).toBe(400)
  expect((await send('PUT /schedules/ours', { body: { ...body, thread: 'other/1' }, as: acme })).status).toBe(400)
  expect((await send('PUT /schedules/ours', { body: { ...body, thread: 'acme/1' }, as: acme })).status).toBe(200)
  expect((await send('PUT /schedules/theirs', { body, as: admin })).status).toBe(200)
  expect((await jsonOf<{ items: { name: string }[] }>(send('GET /schedules', { as: acme }))).items.map(({ name }) => name)).toEqual(['ours'])
  for (const route of ['GET /schedules/theirs', 'POST /schedules/theirs/pause', 'POST /schedules/theirs/resume', 'DELETE /schedules/theirs']) {
    expect([route, (await send(route, { as: acme })).status]).toEqual([route, 404])
  }
  expect((await send('PUT /schedules/theirs', { body: { ...body, thread: 'acme/1' }, as: acme })).status).toBe(404)
  expect((await send('PUT /schedules/x', { body: { ...body, agent: 'nobody' } })).status).toBe(404)
  expect((await send('PUT /schedules/x', { body: { ...body, every: 'often' } })).status).toBe(400)
})
