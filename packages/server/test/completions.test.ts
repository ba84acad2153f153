/** OpenAI's chat completions, with OpenAI's own client over real HTTP. */
import { type Agent, agent, memoryJournal } from '@loom-agent/agent'
import { completionsHandler, type Identity } from '@loom-agent/server'
import { type LoomServer, serve } from '@loom-agent/server/node'
import { type ScriptStep, scriptedModel } from '@loom-agent/testing'
import OpenAI from 'openai'
import { afterEach, describe, expect, test } from 'vitest'
import { factsOf } from '../../../test/support/threads.ts'
import { look, pay } from './world.ts'

const servers: LoomServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close({ grace: 0 })))
})

const ann: Identity = { name: 'ann', scopes: ['read', 'run', 'answer'] }

async function open(script: readonly ScriptStep[], identity: Identity | undefined = ann) {
  const model = scriptedModel(script)
  const clerk: Agent = agent({ name: 'clerk', model, tools: { look, pay }, journal: memoryJournal() })
  const handler = completionsHandler({
    agents: [clerk],
    auth: (request) => (request.headers.get('authorization') === 'Bearer key' ? identity : undefined),
    onError: () => {},
  })
  const server = await serve({ agents: [clerk], port: 0, otherwise: handler })
  servers.push(server)
  return { clerk, model, client: new OpenAI({ apiKey: 'key', baseURL: `${server.url}/v1`, maxRetries: 0 }), url: server.url }
}

const hi = [{ role: 'user' as const, content: 'Hi' }]

/** What is beside the fields of the protocol. */
const loomOf = (completion: object): { thread: string; status: string } => (completion as { loom: { thread: string; status: string } }).loom

describe('the client of OpenAI', () => {
  test('lists agents as models, and completes a conversation with the calls that the agent makes by itself', async () => {
    const { client, model } = await open([
      { calls: [{ tool: 'look' }], usage: { input: 7, output: 3 } },
      { text: 'I have seen it.', usage: { input: 9, output: 4 } },
    ])
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['clerk'])
    const messages = [
      { role: 'system' as const, content: 'Be brief.' },
      ...hi,
      { role: 'assistant' as const, content: 'Hello.' },
      { role: 'user' as const, content: 'Look.' },
    ]
    const completion = await client.chat.completions.create({ model: 'clerk', messages })
    expect(completion.choices).toMatchObject([{ message: { role: 'assistant', content: 'I have seen it.' }, finish_reason: 'stop' }])
    expect(completion.usage).toEqual({ prompt_tokens: 16, completion_tokens: 7, total_tokens: 23 })
    expect(JSON.stringify(model.requests[0]?.prompt)).toMatch(/Be brief.*Hi.*Hello.*Look/)
  })

  test('streams a completion, with its tokens when it wants them', async () => {
    const { client } = await open(['I have seen it.'])
    const stream = await client.chat.completions.create({ model: 'clerk', messages: hi, stream: true, stream_options: { include_usage: true } })
    const chunks = await Array.fromAsync(stream)
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('I have seen it.')
    expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(['stop'])
    expect(chunks.at(-1)?.usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 5 })
  })

  test('goes on with a thread that it names, and only its last message is new', async () => {
    const { client, model } = await open(['One.', 'Two.'])
    const send = (content: string) =>
      client.chat.completions.create({ model: 'clerk', messages: [...hi, { role: 'user', content }], metadata: { thread: 't' } })
    expect((await send('First.')).choices[0]?.message.content).toBe('One.')
    expect(loomOf(await send('Second.'))).toMatchObject({ thread: 't', run: 'r2', status: 'done' })
    expect(JSON.stringify(model.requests[1]?.prompt)).toMatch(/First.*One.*Second/)
  })

  test.each([
    ['approve', 'paid'],
    ['reject: too much', 'too much'],
    ['{"kind":"edit","input":{"amount":1}}', 'paid'],
  ])('is asked by a call of loom_answer, answers with %s, and the same run goes on', async (answer, result) => {
    const { client, clerk, model } = await open([{ text: 'I pay.', calls: [{ tool: 'pay', input: { amount: 5 } }] }, 'That was it.'])
    const first = await client.chat.completions.create({ model: 'clerk', messages: hi })
    const [choice] = first.choices
    const [call] = choice?.message.tool_calls ?? []
    if (call?.type !== 'function') throw new Error('There is no call.')
    expect([choice?.finish_reason, call.function.name]).toEqual(['tool_calls', 'loom_answer'])
    expect(JSON.parse(call.function.arguments)).toMatchObject({ kind: 'approval', tool: 'pay', input: { amount: 5 } })
    expect(loomOf(first).status).toBe('waiting')
    const messages = [...hi, { role: 'assistant' as const, tool_calls: [call] }, { role: 'tool' as const, tool_call_id: call.id, content: answer }]
    const second = await client.chat.completions.create({ model: 'clerk', messages })
    expect(second.choices).toMatchObject([{ message: { content: 'That was it.' }, finish_reason: 'stop' }])
    expect(loomOf(second).thread).toBe(loomOf(first).thread)
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain(result)
    expect((await factsOf(clerk, loomOf(first).thread, 'question.answered'))[0]?.data).toMatchObject({ by: 'ann' })
  })

  test('is asked in a stream as well', async () => {
    const { client } = await open([{ calls: [{ tool: 'pay' }] }])
    const runner = client.chat.completions.stream({ model: 'clerk', messages: hi })
    const final = await runner.finalChatCompletion()
    expect(final.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { tool_calls: [{ function: { name: 'loom_answer' } }] } })
  })

  test('gets errors as its own: of requests, of access, of runs, in streams', async () => {
    const failing: ScriptStep = { throws: Object.assign(new Error('no'), { isRetryable: false }) }
    const { client, url } = await open([failing, failing])
    const ask = (more: object) => client.chat.completions.create({ model: 'clerk', messages: hi, ...more })
    await expect(ask({ model: 'none' })).rejects.toMatchObject({ status: 404, code: 'LOOM_ROUTE_NOT_FOUND' })
    await expect(ask({ messages: [] })).rejects.toMatchObject({ status: 400 })
    await expect(ask({ tools: [{ type: 'function', function: { name: 'x', parameters: {} } }] })).rejects.toMatchObject({ status: 400 })
    await expect(ask({ messages: [{ role: 'tool', tool_call_id: 'none#1', content: 'approve' }] })).rejects.toMatchObject({ status: 404 })
    await expect(ask({})).rejects.toMatchObject({ status: 500, code: 'LOOM_RUN_FAILED' })
    const stream = await client.chat.completions.create({ model: 'clerk', messages: hi, stream: true })
    await expect(Array.fromAsync(stream)).rejects.toThrow('no')
    await expect(new OpenAI({ apiKey: 'other', baseURL: `${url}/v1`, maxRetries: 0 }).models.list()).rejects.toMatchObject({ status: 401 })
  })

  test('of somebody who may not answer, or not use the thread, is refused', async () => {
    const { client } = await open([{ calls: [{ tool: 'pay' }] }], { name: 'bob', scopes: ['run'], threads: (thread) => thread === 'own' })
    await expect(client.chat.completions.create({ model: 'clerk', messages: hi })).rejects.toMatchObject({ status: 404 })
    const { choices } = await client.chat.completions.create({ model: 'clerk', messages: hi, metadata: { thread: 'own' } })
    const [call] = choices[0]?.message.tool_calls ?? []
    const messages = [{ role: 'tool' as const, tool_call_id: call?.id ?? '', content: 'approve' }]
    await expect(client.chat.completions.create({ model: 'clerk', messages })).rejects.toMatchObject({ status: 403 })
  })
})
