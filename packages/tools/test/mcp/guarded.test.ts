/** What servers reply is looked at by guards before anything of it is stored. */
import { agent, type Guard, memoryJournal } from '@loom-agent/agent'
import { secretsGuard } from '@loom-agent/agent/guards'
import type { JsonObject } from '@loom-agent/kernel'
import { afterEach, expect, test } from 'vitest'
import { callsOnce } from '../../../../test/support/calling-model.ts'
import { eventsOf, factsOf } from '../../../../test/support/threads.ts'
import { keepWorlds } from './mcp-setup.ts'

const worlds = keepWorlds()
afterEach(() => worlds.close())

const secret = ['ghp', 'Zk3vQ9sT1wXy7LmN5pR2bC8dF4gH6jK0aE1u'].join('_')
/** Bytes of a picture that look like a secret. */
const picture = Buffer.from(secret.repeat(3)).toString('base64')

async function callOf(reply: object, guards: readonly Guard[]) {
  const world = worlds.open({ tools: [{ name: 'find', does: [{ reply }] }] })
  const journal = memoryJournal()
  const model = callsOnce('box_find', {})
  await agent({ model, tools: world.servers().tools, permissions: { 'mcp:*': 'allow' }, journal, guards }).run('Go.', { thread: 't' })
  const [finished] = await factsOf({ journal }, 't', 'tool.finished')
  return { record: JSON.stringify(await eventsOf({ journal }, 't')), finished, prompt: JSON.stringify(model.requests.at(-1)?.prompt) }
}

const replies: readonly [string, object][] = [
  ['a text', { content: [{ type: 'text', text: `The key is ${secret}.` }] }],
  ['a field', { content: [], structuredContent: { list: [{ note: `The key is ${secret}.` }] } }],
  ['a file', { content: [{ type: 'resource', resource: { uri: 'mem:a', text: `The key is ${secret}.` } }] }],
  ['the description of a link', { content: [{ type: 'resource_link', uri: 'mem:a', name: 'a', description: `The key is ${secret}.` }] }],
  ['an error', { isError: true, content: [{ type: 'text', text: `The key is ${secret}.` }] }],
]

test.each(replies)('a secret in %s of a server is stored nowhere', async (_, reply) => {
  expect((await callOf(reply, [])).record).toContain(secret)
  const { record, prompt } = await callOf(reply, [secretsGuard()])
  expect(record).not.toContain(secret)
  expect(prompt).toContain('[redacted]')
})

test('a failure of a server that names a secret is stored without it', async () => {
  const world = worlds.open({ tools: [{ name: 'find', does: [{ fail: { code: -32_000, message: `The key is ${secret}.` } }] }] })
  const journal = memoryJournal()
  const options = { tools: world.servers().tools, permissions: { 'mcp:*': 'allow' }, journal, guards: [secretsGuard()] } as const
  await agent({ model: callsOnce('box_find', {}), ...options }).run('Go.', { thread: 't' })
  expect(JSON.stringify(await eventsOf({ journal }, 't'))).not.toContain(secret)
})

test('the bytes of a picture stay as they are', async () => {
  const reply = {
    content: [
      { type: 'text', text: secret },
      { type: 'image', data: picture, mimeType: 'image/png' },
    ],
  }
  const { finished } = await callOf(reply, [secretsGuard()])
  const [said, image] = (finished?.data.output.value ?? []) as readonly JsonObject[]
  expect([said?.['text'], image?.['data']]).toEqual([expect.stringContaining('[redacted]'), picture])
})

test('a reply that a guard blocks is stored nowhere, and the model reads that it is withheld', async () => {
  const strict: Guard = { name: 'strict', result: (text) => (text.includes('key') ? { block: 'it names a key' } : undefined) }
  const { record, prompt } = await callOf({ content: [{ type: 'text', text: 'The key is under the mat.' }] }, [strict])
  expect(record).not.toContain('under the mat')
  expect(prompt).toMatch(/withheld by the guard strict/)
})
