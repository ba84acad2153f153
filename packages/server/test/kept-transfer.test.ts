/** Schedules and webhooks that are taken to another journal. */
import { adopt, agent, memoryJournal } from '@loom-agent/agent'
import { exportThread, importThread } from '@loom-agent/journals'
import type { Journal } from '@loom-agent/kernel'
import { createWebhookSecret, getSchedule, listWebhooks, setSchedule, startDue } from '@loom-agent/server'
import { scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { eventsOf } from '../../../test/support/threads.ts'
import { driveWebhooks } from '../src/webhook/drive-webhooks.ts'

const clerkOf = (journal: Journal) => agent({ name: 'clerk', model: scriptedModel(() => 'Done.'), journal })

async function move(thread: string, from: Journal, to: Journal): Promise<void> {
  const lines = await Array.fromAsync(exportThread(from, thread))
  await importThread(to, lines)
}

test('a schedule starts nothing where it was imported until it is trusted, and then goes on where it was', async () => {
  const clock = { now: 1_000_000 }
  const from = memoryJournal({ now: () => clock.now })
  const to = memoryJournal({ now: () => clock.now })
  await setSchedule(from, 'tick', { agent: 'clerk', input: 'Go.', every: '1m', missed: 'all' })
  clock.now += 60_000
  await startDue([clerkOf(from)])
  await move('schedule:tick', from, to)
  clock.now += 60_000
  await startDue([clerkOf(to)])
  expect(await to.threads({ agent: 'clerk' })).toEqual([])
  await expect(getSchedule(to, 'tick')).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
  await adopt(to, 'schedule:tick')
  await startDue([clerkOf(to)])
  expect((await to.threads({ agent: 'clerk' })).map(({ thread }) => thread)).toEqual([`tick/${new Date(1_120_000).toISOString()}`])
})

test('a webhook whose position is of another journal goes on with what is new, and says so', async () => {
  const from = memoryJournal()
  const to = memoryJournal()
  const received: string[] = []
  const errors: unknown[] = []
  const webhook = { name: 'out', url: 'https://example.com/', secrets: [createWebhookSecret()], on: ['done'] } as const
  const drive = (journal: Journal) => {
    const over = new AbortController()
    const send = async ({ body }: { readonly body: string }) => {
      received.push((JSON.parse(body) as { thread: string }).thread)
      return { status: 204 }
    }
    const driven = driveWebhooks(journal, [webhook], { send, signal: over.signal, every: 1, onError: (error) => errors.push(error) })
    return () => {
      over.abort()
      return driven
    }
  }
  const end = drive(from)
  await until(async () => (await listWebhooks(from)).length === 1)
  for (let n = 0; n < 5; n += 1) await clerkOf(from).run('Hi', { thread: `t${n}` })
  await until(() => received.length === 5)
  await until(async () => (await eventsOf(from, 'webhook:out')).length > 3)
  await end()
  await move('webhook:out', from, to)
  await adopt(to, 'webhook:out')
  await clerkOf(to).run('Hi', { thread: 'old' })
  const endOther = drive(to)
  const isStale = async (): Promise<boolean> =>
    (await eventsOf(to, 'webhook:out')).some((event) => event.type === 'webhook.moved' && event.data.stale === true)
  await until(isStale)
  await clerkOf(to).run('Hi', { thread: 'new' })
  await until(() => received.length === 6)
  await endOther()
  expect(received.slice(5)).toEqual(['new'])
  expect(errors).toMatchObject([{ context: { webhook: 'out' } }])
})
