/** What servers ask people: questions of the thread, answered from any process. */
import { answer, approve, memoryJournal, reject, respond } from '@loom-agent/agent'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../../../test/support/event-loop.ts'
import type { Script } from '../../../../test/support/mcp/script.ts'
import { abandoned } from '../../../../test/support/threads.ts'
import { caller, keepWorlds, outputOf, textResult } from './mcp-setup.ts'

const worlds = keepWorlds()
afterEach(() => worlds.close())

const form = { type: 'object', properties: { city: { type: 'string' }, nights: { type: 'integer', default: 2 } }, required: ['city'] }
const hotel: Script = {
  tools: [{ name: 'book', does: [{ effect: 'asked' }, { ask: { message: 'Where to?', requestedSchema: form } }, { effect: 'booked' }] }],
}

test('what a server asks within a call is a question of the thread, and its answer reaches the server', async () => {
  const world = worlds.open(hotel)
  const journal = memoryJournal()
  const booker = caller(world.servers(), 'box_book', { journal })
  const asked = await booker.run('Go.', { thread: 't' })
  expect(asked).toMatchObject({
    status: 'waiting',
    questions: [{ kind: 'choice', prompt: 'The MCP server box asks, for book: Where to?', show: { server: 'box', tool: 'book' } }],
  })
  const { id = '' } = asked.questions[0] ?? {}
  await expect(answer(journal, id, respond({ nights: 3 }))).rejects.toMatchObject({ code: 'LOOM_ANSWER_INVALID' })
  // Another process needs the journal alone.
  await answer(journal, id, respond({ city: 'Rome' }))
  const done = await booker.resume('t').result()
  expect(outputOf(done)).toContain('{"action":"accept","content":{"city":"Rome"}}')
  expect(world.ledger()).toEqual(['asked', 'booked'])
})

test('a rejection is a refusal for the server, and the call goes on', async () => {
  const world = worlds.open(hotel)
  const booker = caller(world.servers(), 'box_book')
  const asked = await booker.run('Go.', { thread: 't' })
  await booker.answer(asked.questions[0]?.id ?? '', reject('no'))
  expect(outputOf(await booker.resume('t').result())).toContain('{"action":"decline"}')
})

test('a call that was waiting for an answer when its process ended is made again only if a person says so', async () => {
  const world = worlds.open(hotel)
  const journal = memoryJournal()
  const first = world.servers()
  const asked = await caller(first, 'box_book', { journal }).run('Go.', { thread: 't' })
  await first.close()
  const booker = caller(world.servers(), 'box_book', { journal })
  await answer(journal, asked.questions[0]?.id ?? '', respond({ city: 'Rome' }))
  const lost = await booker.resume('t').result()
  expect(lost.questions).toMatchObject([{ prompt: expect.stringContaining('whether book has done something is not known. Call it again?') }])
  expect(world.ledger()).toEqual(['asked'])
  await booker.answer(lost.questions[0]?.id ?? '', reject())
  expect(outputOf(await booker.resume('t').result())).toContain('Whether book has done something is not known')
  expect(world.ledger()).toEqual(['asked'])
})

test('a call whose process is lost is in doubt, and is made again under the definition that is judged then', async () => {
  const world = worlds.open({ tools: [{ name: 'pay', does: [{ effect: 'paid' }, { stall: true }] }] })
  const journal = memoryJournal()
  void caller(world.servers(), 'box_pay', { journal }).start('Go.', { thread: 't' })
  await until(() => world.ledger().includes('paid'))
  world.set({ tools: [{ name: 'pay', does: [{ effect: 'paid again' }] }] })
  const other = caller(world.servers(), 'box_pay', { journal: abandoned(journal) })
  const doubt = await other.resume('t').result()
  expect(doubt).toMatchObject({ status: 'waiting', questions: [{ kind: 'in-doubt' }] })
  expect(world.ledger()).toEqual(['paid'])
  await other.answer(doubt.questions[0]?.id ?? '', approve())
  expect(await other.resume('t').result()).toMatchObject({ status: 'done' })
  expect(world.ledger()).toEqual(['paid', 'paid again'])
})

test('a task is waited for, and its result is that of the call', async () => {
  const world = worlds.open({ tools: [{ name: 'research', execution: { taskSupport: 'required' } }] })
  const run = caller(world.servers(), 'box_research').start('Go.')
  const created = (): string | undefined => world.ledger().find((line) => line.startsWith('task created '))
  await until(() => created() !== undefined)
  world.finish(created()?.slice('task created '.length) ?? '', textResult('Found.'))
  expect(outputOf(await run.result())).toContain('Found.')
  expect(world.ledger().filter((line) => line.startsWith('task created'))).toHaveLength(1)
})

test('a task of a call that is stopped is cancelled', async () => {
  const world = worlds.open({ tools: [{ name: 'research', execution: { taskSupport: 'optional' } }] })
  const run = caller(world.servers(), 'box_research').start('Go.')
  await until(() => world.ledger().some((line) => line.startsWith('task looked at')))
  await run.stop('enough')
  expect(await run.result()).toMatchObject({ status: 'stopped' })
  await until(() => world.ledger().some((line) => line.startsWith('task cancelled')))
})

test('an approval of a form takes what it has as defaults', async () => {
  const world = worlds.open({
    tools: [
      {
        name: 'ask',
        does: [{ ask: { message: 'Sure?', requestedSchema: { type: 'object', properties: { sure: { type: 'boolean', default: true } } } } }],
      },
    ],
  })
  const asker = caller(world.servers(), 'box_ask')
  const asked = await asker.run('Go.', { thread: 't' })
  await asker.answer(asked.questions[0]?.id ?? '', approve())
  expect(outputOf(await asker.resume('t').result())).toContain('{"action":"accept","content":{"sure":true}}')
})

test('questions that a server asks at once are asked one after another', async () => {
  const ask = (message: string) => ({ askBeside: { message, requestedSchema: { type: 'object', properties: {} } } })
  const world = worlds.open({ tools: [{ name: 'both', does: [ask('One?'), ask('Two?')] }] })
  const asker = caller(world.servers(), 'box_both')
  const prompts: string[] = []
  const done = await asker.run('Go.', {
    onQuestion: ({ prompt }) => {
      prompts.push(prompt.slice(-4))
      return approve()
    },
  })
  expect(prompts).toEqual(['One?', 'Two?'])
  expect(outputOf(done)).toContain('["accept","accept"]')
})

test('a server that asks without end is given up', async () => {
  const ask = { ask: { message: 'Again?', requestedSchema: { type: 'object', properties: {} } } }
  const world = worlds.open({ tools: [{ name: 'nag', does: Array.from({ length: 40 }, () => ask) }] })
  const done = await caller(world.servers(), 'box_nag').run('Go.', { onQuestion: () => approve() })
  expect(outputOf(done)).toContain('has asked more than 16 times')
})
