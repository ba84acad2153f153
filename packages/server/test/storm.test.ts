/** Schedules and webhooks in servers that are killed. */
import { memoryJournal } from '@loom-agent/agent'
import { startPostgresServer } from '@loom-agent/harness/servers'
import { createWebhookSecret } from '@loom-agent/server'
import { expect, test } from 'vitest'
import { draws } from './draws.ts'
import { judge, storm } from './storm.ts'
import { receive } from './webhook-world.ts'

test('each due time is one run and each end is received in order, whatever is killed and whatever the clocks say', async () => {
  const end = await storm({ kills: 6, random: draws(7) })
  expect(end.faults).toEqual([])
  expect(end.due).toBeGreaterThan(10)
  expect(end.deliveries).toBe(end.due)
}, 120_000)

test('two servers on one PostgreSQL start each due time once', async () => {
  const server = await startPostgresServer({ fsync: false })
  try {
    const end = await storm({ kills: 3, random: draws(11), address: server.url })
    expect(end.faults).toEqual([])
    expect(end.deliveries).toBe(end.due)
  } finally {
    await server.close()
  }
}, 180_000)

test('a storm that loses, doubles or reorders something is found out', async () => {
  const secret = createWebhookSecret()
  const to = await receive([secret])
  const journal = memoryJournal()
  const started = async (thread: string, id: string): Promise<void> => {
    const request = { input: [], model: 'm', limits: {}, agent: { name: 'clerk', fingerprint: 'f' }, start: { id, digest: 'd' } }
    await journal.append(thread, {
      ...{ id: thread, incarnation: thread, expected: 0, time: 1, summary: { status: 'done', agent: 'clerk' } },
      events: [
        { type: 'thread.started', data: { agent: 'clerk', incarnation: thread } },
        { type: 'run.started', data: { run: 'r1', request } },
        { type: 'run.finished', data: {} },
      ],
    })
  }
  await started('a', 'schedule:one:1970-01-01T00:00:01.000Z')
  await started('b', 'schedule:one:1970-01-01T00:00:01.000Z')
  const schedule = {
    name: 'one',
    agent: 'clerk',
    timing: { interval: 1000, from: 0 },
    start: { input: 'Go.' },
    missed: 'all',
    most: 1,
    grace: 0,
    from: 0,
  } as const
  await journal.append('schedule:one', {
    ...{ id: 's', incarnation: 's', expected: 0, time: 1, summary: { status: 'idle', agent: 'loom:schedules' } },
    events: [
      { type: 'thread.started', data: { agent: 'loom:schedules', incarnation: 's' } },
      { type: 'schedule.set', data: schedule },
      { type: 'schedule.due', data: { set: 2, to: 3000, starts: [1000, 3000], skipped: { from: 2000, to: 2000 } } },
    ],
  })
  const delivery = (id: string, seq: number) => ({
    id,
    status: 204,
    delivery: { id, kind: 'done' as const, thread: 'c', incarnation: 'c', seq, time: 1, data: {} },
  })
  to.receipts.push(delivery('1', 9), delivery('2', 5), delivery('3', 5))
  const { faults } = await judge(journal, to, 0)
  expect(faults).toEqual([
    'schedule:one has skipped due times',
    'schedule:one has decided about other due times than each one once',
    '2 runs were started for 2 due times',
    'a@3 was not received',
    'b@3 was not received',
    'an event was received under two ids',
    'c@5 came after a later one',
  ])
  await to.close()
})
