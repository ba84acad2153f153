/** The chat of the AI SDK, with its own transport and its own chat, over real HTTP. */
import { type Agent, agent, approve, memoryJournal, tool } from '@loom-agent/agent'
import { chatHandler, type Identity } from '@loom-agent/server'
import { type LoomServer, serve } from '@loom-agent/server/node'
import { type ScriptStep, scriptedModel } from '@loom-agent/testing'
import type { UIMessage } from 'ai'
import { afterEach, describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { factsOf } from '../../../test/support/threads.ts'
import { page, partsOf, textOf } from './chat-page.ts'
import { look, pay } from './world.ts'

const servers: LoomServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close({ grace: 0 })))
})

const ann: Identity = { name: 'ann', scopes: ['read', 'run', 'answer'] }

async function serveChat(script: readonly ScriptStep[], tools: Record<string, ReturnType<typeof tool>> = {}) {
  const journal = memoryJournal()
  const clerk = agent({ name: 'clerk', model: scriptedModel(script), tools: { look, pay, ...tools } as never, journal }) as Agent
  const server = await serve({ agents: [clerk], port: 0, otherwise: chatHandler(clerk, { auth: () => ann }) })
  servers.push(server)
  return { clerk, api: `${server.url}/api/chat` }
}

describe('useChat', () => {
  test('speaks, sees reasoning, calls and their results, and goes on with the conversation', async () => {
    const script = [
      { reasoning: 'I should look.', text: 'Let me look.', calls: [{ tool: 'look', input: { at: 'x' } }] },
      'I have seen it.',
      'You said: Look.',
    ]
    const { clerk, api } = await serveChat(script)
    const chat = page(api)
    await chat.sendMessage({ text: 'Look.' })
    expect([chat.status, chat.error]).toEqual(['ready', undefined])
    expect(partsOf(chat.lastMessage)).toMatchObject([
      { type: 'reasoning', text: 'I should look.' },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool-look', state: 'output-available', input: { at: 'x' }, output: 'seen' },
      { type: 'text', text: 'I have seen it.' },
    ])
    expect(chat.lastMessage?.metadata).toMatchObject({ loom: { thread: 'c', run: 'r1', status: 'finished' } })
    await chat.sendMessage({ text: 'What did I say?' })
    expect(textOf(chat.lastMessage)).toBe('You said: Look.')
    expect(await factsOf(clerk, 'c', 'run.started')).toHaveLength(2)
    await chat.regenerate().catch(() => {})
    expect(await factsOf(clerk, 'c', 'run.started')).toHaveLength(3)
  })

  test.each([
    ['approves', true, 'output-available', { output: 'paid' }],
    ['rejects', false, 'output-denied', {}],
  ] as const)('%s a call, and the same message goes on', async (_, approved, state, rest) => {
    const { clerk, api } = await serveChat([{ text: 'I pay.', calls: [{ tool: 'pay', input: { amount: 5 } }] }, 'That was it.'])
    const chat = page(api)
    await chat.sendMessage({ text: 'Pay.' })
    const asked = chat.lastMessage?.parts.find((part) => part.type === 'tool-pay') as { state: string; approval?: { id: string } }
    expect(asked).toMatchObject({ state: 'approval-requested', input: { amount: 5 } })
    const { length } = chat.messages
    await chat.addToolApprovalResponse({ id: asked.approval?.id ?? '', approved, reason: 'So be it.' })
    await until(() => chat.status === 'ready' && textOf(chat.lastMessage) === 'I pay.That was it.')
    expect(chat.messages).toHaveLength(length)
    expect(chat.lastMessage?.parts.find((part) => part.type === 'tool-pay')).toMatchObject({ state, ...rest })
    expect((await factsOf(clerk, 'c', 'question.answered'))[0]?.data).toMatchObject({ by: 'ann' })
    expect(await factsOf(clerk, 'c', 'run.started')).toHaveLength(1)
  })

  test('is told why a run failed', async () => {
    const { api } = await serveChat([{ throws: Object.assign(new Error('Out of tokens.'), { isRetryable: false }) }])
    const chat = page(api)
    await chat.sendMessage({ text: 'Hi' })
    expect([chat.status, chat.error?.message]).toEqual(['error', expect.stringContaining('Out of tokens.')])
  })

  test('shows what the next attempt says in place of one that failed in the middle', async () => {
    const { api } = await serveChat([
      { text: 'This is wrong and', errorAfter: { parts: 4, error: Object.assign(new Error('reset'), { isRetryable: true }) } },
      'This is right.',
    ])
    const chat = page(api)
    await chat.sendMessage({ text: 'Hi' })
    expect(textOf(chat.lastMessage)).toBe('This is right.')
  })
})

describe('a page that was away', () => {
  /** A run whose second turn begins when the test says so. */
  async function held() {
    const go = Promise.withResolvers<string>()
    const wait = tool({ name: 'wait', effect: 'read', run: () => go.promise })
    return { go, ...(await serveChat([{ text: 'I begin.', calls: [{ tool: 'wait' }] }, 'I end.', 'That was all.'], { wait })) }
  }

  test('comes back in the middle, in another tab too, and each shows all of it once', async () => {
    const { go, clerk, api } = await held()
    const first = page(api)
    const sent = first.sendMessage({ text: 'Go.' })
    await until(() => textOf(first.lastMessage) === 'I begin.')
    const second = page(api, structuredClone(first.messages.slice(0, 1)))
    const watching = second.resumeStream()
    await until(() => textOf(second.lastMessage) === 'I begin.')
    await first.stop()
    await sent
    const again = first.resumeStream()
    await until(() => first.status === 'streaming')
    go.resolve('gone')
    await Promise.all([watching, again])
    const both = [first, second].map((chat) => partsOf(chat.lastMessage))
    expect(both[0]).toEqual(both[1])
    expect(textOf(first.lastMessage)).toBe('I begin.I end.')
    expect([first.messages.length, second.messages.length]).toEqual([2, 2])
    expect(first.lastMessage?.id).toBe(second.lastMessage?.id)
    expect(await factsOf(clerk, 'c', 'run.started')).toHaveLength(1)
    expect((await fetch(`${api}/c/stream`)).status).toBe(204)
  })

  test('that loads again has the messages that it had, with what is asked', async () => {
    const { api } = await serveChat([
      { reasoning: 'Hm.', text: 'Let me look.', calls: [{ tool: 'look' }] },
      { text: 'I pay.', calls: [{ tool: 'pay', input: { amount: 5 } }] },
      'Paid.',
    ])
    const chat = page(api)
    const loaded = async () => ((await (await fetch(`${api}/c/messages`)).json()) as { messages: UIMessage[] }).messages
    expect(await loaded()).toEqual([])
    await chat.sendMessage({ text: 'Pay.' })
    const [user, assistant] = await loaded()
    expect(user).toMatchObject({ id: chat.messages[0]?.id, role: 'user', parts: [{ type: 'text', text: 'Pay.' }] })
    expect(assistant).toMatchObject(JSON.parse(JSON.stringify({ id: chat.lastMessage?.id, parts: chat.lastMessage?.parts })))
    const later = page(api, await loaded())
    const asked = later.lastMessage?.parts.find((part) => part.type === 'tool-pay') as { approval?: { id: string } }
    await later.addToolApprovalResponse({ id: asked.approval?.id ?? '', approved: true })
    await until(() => textOf(later.lastMessage) === 'Let me look.I pay.Paid.')
    expect(textOf((await loaded()).at(-1))).toBe('Let me look.I pay.Paid.')
  })

  test('whose question was answered in another tab shows what came of it', async () => {
    const { clerk, api } = await serveChat([{ text: 'I pay.', calls: [{ tool: 'pay' }] }, 'Paid.'])
    const chat = page(api)
    await chat.sendMessage({ text: 'Pay.' })
    const asked = chat.lastMessage?.parts.find((part) => part.type === 'tool-pay') as { approval?: { id: string } }
    await clerk.answer(asked.approval?.id ?? '', approve({ by: 'bob' }))
    await until(async () => (await clerk.journal.head('c'))?.summary.status === 'done')
    await chat.addToolApprovalResponse({ id: asked.approval?.id ?? '', approved: true })
    await until(() => textOf(chat.lastMessage) === 'I pay.Paid.')
    expect(chat.lastMessage?.parts.find((part) => part.type === 'tool-pay')).toMatchObject({ state: 'output-available', output: 'paid' })
  })

  test('and another that speaks meanwhile each show the answer to what was said there', async () => {
    const { go, clerk, api } = await held()
    const first = page(api)
    const one = first.sendMessage({ text: 'Go.' })
    await until(() => textOf(first.lastMessage) === 'I begin.')
    const second = page(api, structuredClone(first.messages))
    const two = second.sendMessage({ text: 'And then?' })
    await until(async () => (await factsOf(clerk, 'c', 'run.queued')).length === 1)
    go.resolve('gone')
    await Promise.all([one, two])
    expect([textOf(first.lastMessage), textOf(second.lastMessage)]).toEqual(['I begin.I end.', 'That was all.'])
  })

  test('has stopped nothing; the stop route stops the run', async () => {
    const { clerk, api } = await held()
    const chat = page(api)
    const sent = chat.sendMessage({ text: 'Go.' })
    await until(() => textOf(chat.lastMessage) === 'I begin.')
    await chat.stop()
    await sent
    expect((await clerk.journal.head('c'))?.summary.status).toBe('running')
    expect((await fetch(`${api}/c/stop`, { method: 'POST' })).status).toBe(204)
    expect((await factsOf(clerk, 'c', 'run.stop-requested'))[0]?.data).toMatchObject({ by: 'ann' })
    expect((await clerk.journal.head('c'))?.summary.status).toBe('stopped')
  })
})

test('what is no request of a chat is refused, and so is who may not chat', async () => {
  const clerk = agent({ name: 'clerk', model: scriptedModel([]), journal: memoryJournal() })
  const send = async (body: unknown, identity: Identity | undefined = ann, method = 'POST', path = ''): Promise<number> => {
    const headers = { 'content-type': 'application/json' }
    const handler = chatHandler(clerk, { auth: () => identity, onError: () => {} })
    return (
      await handler(new Request(`http://localhost/api/chat${path}`, { method, headers, ...(method === 'POST' && { body: JSON.stringify(body) }) }))
    ).status
  }
  const say = { id: 'c', messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] }
  const wrong = [[], {}, { id: 'c' }, { id: 'c', messages: [] }, { id: 'c', messages: [{ id: 'm', role: 'user', parts: [] }] }, { ...say, id: 7 }]
  for (const body of [...wrong, { id: 'c', messages: [{ id: 'm', role: 'assistant', parts: [] }] }]) expect(await send(body)).toBe(400)
  expect(await send(say, { name: 'bob', scopes: [] })).toBe(403)
  expect(await send(say, { name: 'bob', scopes: ['read'] })).toBe(403)
  expect(await send(say, { ...ann, threads: () => false })).toBe(404)
  expect(await send(say, ann, 'PUT')).toBe(405)
  expect(await send(undefined, ann, 'GET', '/none/stream')).toBe(204)
  expect(await send(undefined, ann, 'GET', '/%ff/stream')).toBe(400)
  expect(await send({ ...say, messageId: 'm' })).toBe(200)
  const nobody = chatHandler(clerk, { auth: () => undefined })
  expect((await nobody(new Request('http://localhost/api/chat', { method: 'POST' }))).status).toBe(401)
  expect((await nobody(new Request('http://localhost/api/chat', { method: 'POST', headers: { origin: 'https://evil.example' } }))).status).toBe(403)
})
