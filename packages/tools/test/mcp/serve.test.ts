/** Loom as a server of the Model Context Protocol: used by the official client, and by Loom itself. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { agent, answer, approve, memoryJournal, questions, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { type McpServed, mcp, type ServeMcpOptions, serveMcp } from '@loom-agent/tools/mcp'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { callsOnce } from '../../../../test/support/calling-model.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const sent: string[] = []
const mail = tool({
  name: 'mail',
  description: 'Sends a mail.',
  input: z.object({ to: z.string() }),
  run: ({ to }) => sent.push(to) && `sent to ${to}`,
})
const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => ({ sum: a + b }) })

/** Serves over HTTP; resolves with the address. */
async function serve(options: Partial<ServeMcpOptions>): Promise<{ url: string; served: McpServed }> {
  const served = serveMcp({ name: 'office', journal: memoryJournal(), ...options })
  const server: Server = createServer((request, response) => void served.node(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    await served.close()
    await new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    })
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, served }
}

type Elicit = (params: { readonly message: string }) => object

/** The official client. */
async function connect(url: string, { elicit, mode = 'auto' }: { elicit?: Elicit; mode?: 'auto' | 'legacy' } = {}): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities: elicit ? { elicitation: { form: {} } } : {}, versionNegotiation: { mode } },
  )
  if (elicit) client.setRequestHandler('elicitation/create', ({ params }) => elicit(params) as { action: 'decline' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  closing.push(() => client.close())
  return client
}

const textOf = (result: { readonly content: readonly object[] }): string =>
  result.content.map((part) => ('text' in part ? String(part.text) : '')).join('\n')

test('the official client lists and calls tools, over the protocols of 2025 and 2026', async () => {
  const { url } = await serve({ tools: { add }, permissions: { add: 'allow' } })
  for (const mode of ['auto', 'legacy'] as const) {
    const client = await connect(url, { mode })
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25')
    expect((await client.listTools()).tools).toMatchObject([
      { name: 'add', annotations: { readOnlyHint: true }, inputSchema: { type: 'object', required: ['a', 'b'] } },
    ])
    expect(await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } })).toMatchObject({ structuredContent: { sum: 5 } })
    expect(textOf(await client.callTool({ name: 'add', arguments: { a: 'two' } }))).toMatch(/do not fit/)
    expect(await client.callTool({ name: 'subtract', arguments: {} })).toMatchObject({ isError: true })
  }
})

test('a policy judges the calls of clients', async () => {
  const { url } = await serve({ tools: { mail, add }, permissions: { mail: 'deny', add: 'allow' } })
  const client = await connect(url)
  expect(textOf(await client.callTool({ name: 'mail', arguments: { to: 'ann' } }))).toContain('mail is not permitted')
  expect(sent).toEqual([])
})

test('a question is asked through the client, and only an approval lets the call run', async () => {
  const { url } = await serve({ tools: { mail }, permissions: { mail: 'ask' } })
  const asked: string[] = []
  const deciding = (decision: string): Elicit => {
    return ({ message }) => {
      asked.push(message)
      return { action: 'accept', content: { decision } }
    }
  }
  const rejecting = await connect(url, { elicit: deciding('reject') })
  expect(await rejecting.callTool({ name: 'mail', arguments: { to: 'ann' } })).toMatchObject({ isError: true })
  expect(sent).toEqual([])
  const approving = await connect(url, { elicit: deciding('approve') })
  expect(textOf(await approving.callTool({ name: 'mail', arguments: { to: 'bob' } }))).toBe('sent to bob')
  expect(sent.splice(0)).toEqual(['bob'])
  expect(asked).toEqual([expect.stringContaining('mail({"to":"ann"})'), expect.stringContaining('mail({"to":"bob"})')])
})

test('a client that cannot ask learns which question is open, and its call is one run under its id', async () => {
  const journal = memoryJournal()
  const { url } = await serve({ tools: { mail }, permissions: { mail: 'ask' }, journal })
  const client = await connect(url)
  const calling = { name: 'mail', arguments: { to: 'cara' }, _meta: { 'loom/id': 'order-7' } }
  const left = textOf(await client.callTool(calling))
  expect(left).toMatch(/A person has to decide.*then call again with the id order-7/s)
  const [question] = await questions(journal)
  await answer(journal, question?.id ?? '', approve({ by: 'boss' }))
  expect(textOf(await client.callTool(calling))).toBe('sent to cara')
  // Another process that serves the same journal.
  const other = await connect((await serve({ tools: { mail }, permissions: { mail: 'ask' }, journal })).url)
  expect(textOf(await other.callTool(calling))).toBe('sent to cara')
  expect(sent.splice(0)).toEqual(['cara'])
  expect(textOf(await client.callTool({ ...calling, arguments: { to: 'eve' } }))).toContain('order-7')
})

test('an agent is a tool: a conversation goes on by its thread, and a repeated call is one run', async () => {
  const replies = scriptedModel(({ prompt }) => `I have ${prompt.filter(({ role }) => role === 'user').length}.`)
  const { url } = await serve({ agents: { counter: agent({ name: 'counter', model: replies }) } })
  const client = await connect(url)
  const first = await client.callTool({ name: 'counter', arguments: { prompt: 'One.', id: 'a' } })
  expect(first).toMatchObject({ structuredContent: { status: 'done', text: 'I have 1.', thread: 'a' } })
  expect(await client.callTool({ name: 'counter', arguments: { prompt: 'One.', id: 'a' } })).toMatchObject({
    structuredContent: { text: 'I have 1.' },
  })
  expect(await client.callTool({ name: 'counter', arguments: { prompt: 'Two.', thread: 'a' } })).toMatchObject({
    structuredContent: { text: 'I have 2.' },
  })
  expect(textOf(await client.callTool({ name: 'counter', arguments: { promt: 'x' } }))).toMatch(/do not fit/)
})

test('requests for other hosts, from pages of others, and without permission are refused', async () => {
  const { served } = await serve({
    tools: { add },
    authorize: (request) => (request.headers.get('authorization') === 'Bearer key' ? { by: 'ann' } : undefined),
  })
  const statusOf = async (headers: Record<string, string>, host = 'localhost'): Promise<number> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const all = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', host, ...headers }
    return (await served.fetch(new Request(`http://${host}/mcp`, { method: 'POST', headers: all, body }))).status
  }
  expect(await statusOf({ authorization: 'Bearer key' })).toBe(200)
  expect(await statusOf({})).toBe(401)
  expect(await statusOf({ authorization: 'Bearer key' }, 'evil.example')).toBe(403)
  expect(await statusOf({ authorization: 'Bearer key', origin: 'https://evil.example' })).toBe(403)
})

test('a state that a client has changed, or has from another caller, is refused', async () => {
  let states: string[] = []
  const journal = memoryJournal()
  const { served } = await serve({
    tools: { mail },
    permissions: { mail: 'ask' },
    journal,
    authorize: (request) => ({ by: request.headers.get('x-user') ?? '' }),
  })
  const post = async (user: string, params: object): Promise<{ result?: { requestState?: string; inputRequests?: object }; error?: object }> => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    }
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'mail', arguments: { to: 'dan' }, _meta: meta, ...params },
    })
    const headers = {
      host: 'localhost',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'mail',
      'x-user': user,
    }
    return (await (await served.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body }))).json()) as never
  }
  const { requestState = '', inputRequests = {} } = (await post('ann', {})).result ?? {}
  const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((id) => [id, { action: 'accept', content: { decision: 'approve' } }]))
  states = [`${requestState.slice(0, -2)}xx`, requestState]
  expect((await post('ann', { requestState: states[0], inputResponses })).error).toMatchObject({ code: -32602 })
  expect((await post('eve', { requestState, inputResponses })).error).toMatchObject({ code: -32602 })
  expect(sent).toEqual([])
  expect((await post('ann', { requestState, inputResponses })).result).toMatchObject({ content: [{ text: 'sent to dan' }] })
  expect(sent.splice(0)).toEqual(['dan'])
})

test("Loom's client uses Loom's server: what the server asks is a question of the client's thread", async () => {
  const { url } = await serve({ tools: { mail }, permissions: { mail: 'ask' } })
  const servers = mcp({ servers: { office: { url } } })
  closing.push(() => servers.close())
  const sender = agent({ model: callsOnce('office_mail', { to: 'fay' }), tools: servers.tools, permissions: { 'mcp:office/*': 'allow' } })
  const asked = await sender.run('Go.', { thread: 't' })
  expect(asked.questions).toMatchObject([
    { kind: 'choice', prompt: expect.stringContaining('The MCP server office asks, for mail: May mail run with these arguments?') },
  ])
  expect(sent).toEqual([])
  await sender.answer(asked.questions[0]?.id ?? '', { answer: { kind: 'respond', value: { decision: 'approve' } } })
  expect((await sender.resume('t').result()).steps[0]?.calls[0]?.output).toContain('sent to fay')
  expect(sent.splice(0)).toEqual(['fay'])
})
