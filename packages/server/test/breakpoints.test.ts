/** Breakpoints over routes: one server sets them, any driver stops, and any server goes on. */
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { jsonOf, sender } from './world.ts'

const world = async () => {
  const paid: string[] = []
  const pay = tool({ name: 'pay', run: () => paid.push('paid') })
  const child = agent({ name: 'child', description: 'Pays.', model: scriptedModel([{ calls: [{ tool: 'pay' }] }, 'Paid.']), tools: [pay] })
  const ask = { calls: [{ tool: 'child', input: { prompt: 'Pay.' } }] }
  const clerk = agent({
    name: 'clerk',
    model: scriptedModel(['Hello.', ask, 'Told.']),
    tools: { child },
    journal: memoryJournal(),
    permissions: { '*': 'allow' },
  })
  await clerk.run('Hello', { thread: 't' })
  const { send } = sender({ agents: [clerk] })
  const stopped = async (thread: string) => (await jsonOf<{ isPaused: boolean; at?: string }>(send(`GET /threads/${thread}/breakpoints`))) ?? {}
  return { paid, clerk, send, stopped }
}

test('a run stops where a client has said, and is stepped through its child to its end', async () => {
  const { paid, clerk, send, stopped } = await world()
  expect((await send('PUT /threads/t/breakpoints', { body: { breakpoints: [{ tool: 'child', once: true }] } })).status).toBe(204)
  await send('POST /agents/clerk/runs', { body: { input: 'Go.', thread: 't' } })
  await until(async () => (await stopped('t')).isPaused)
  expect(await stopped('t')).toMatchObject({ items: [], at: '2 tools 2.0' })
  expect((await send('POST /threads/t/steps', { body: { how: 'into' } })).status).toBe(204)
  const childThread = async () => (await clerk.journal.threads({ parent: 't' }))[0]?.thread
  await until(async () => (await childThread()) !== undefined)
  const thread = encodeURIComponent((await childThread()) ?? '')
  await until(async () => (await stopped(thread)).at === '0 first ')
  await send(`POST /threads/${thread}/steps`, { body: { how: 'out' } })
  await until(async () => (await stopped('t')).at === '2 next ')
  expect(paid).toEqual(['paid'])
  await send('POST /threads/t/steps', { body: { how: 'continue' } })
  await until(async () => (await jsonOf<{ status: string }>(send('GET /threads/t'))).status === 'done')
  const events = await jsonOf<{ items: readonly { data: { by?: string } }[] }>(send('GET /threads/t/events?types=breakpoints.changed'))
  expect(events.items.map(({ data }) => data.by)).toEqual(['ann', 'ann', 'ann'])
})

test('a breakpoint that says nothing, or steps out of a root, are refused', async () => {
  const { send } = await world()
  for (const breakpoint of [{}, { hook: 'never' }, { depth: 0 }, { strange: 1 }])
    expect((await send('PUT /threads/t/breakpoints', { body: { breakpoints: [breakpoint] } })).status).toBe(400)
  expect((await send('POST /threads/t/steps', { body: { how: 'out' } })).status).toBe(400)
  expect((await send('POST /threads/t/steps', { body: { how: 'sideways' } })).status).toBe(400)
})
