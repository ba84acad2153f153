/** What models make up and what agents ask for, on the wires of all vendors: no request is one that its vendor refuses. */
import { agent, jsonSchema, memoryJournal, tool } from '@loom-agent/agent'
import { type Wire, type WireServer, type WireServerOptions, wireServer, wires } from '@loom-agent/harness/wire'
import { checkPairing } from '@loom-agent/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { modelOn } from '../../harness/test/wire/providers.ts'
import { factsOf } from './journals.ts'

const open: WireServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function started(reply: WireServerOptions['reply']): Promise<WireServer> {
  const server = await wireServer({ reply })
  open.push(server)
  return server
}

const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })
const settings = { maxOutputTokens: 4000, providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1500 } } } }
const ports = { random: () => 0 }
const problemsOf = ({ requests }: WireServer): readonly unknown[] =>
  requests.flatMap(({ number, problems }) => problems.map(({ rule, message }) => [number, rule, message]))
const bodyOf = ({ requests }: WireServer, number: number): string => JSON.stringify(requests[number - 1]?.body)
const calling = (call: { tool: string; input?: unknown; id?: string }) => ({ reasoning: 'hm', calls: [call] })
const sum = { tool: 'add', input: { a: 1, b: 1 } }

describe.for(wires)('on %s', (wire) => {
  test.for([
    ['closed and complete', z.object({ n: z.number() }), '{"n":2}', { n: 2 }],
    ['with an optional property', z.object({ n: z.number(), note: z.string().optional() }), '{"n":2}', { n: 2 }],
    ['with a free-form object', z.object({ by: z.record(z.string(), z.number()) }), '{"by":{"x":2}}', { by: { x: 2 } }],
    [
      'with alternatives',
      z.object({ at: z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') })]) }),
      '{"at":{"k":"b"}}',
      { at: { k: 'b' } },
    ],
    ['that is a list', z.array(z.number()), '{"value":[1,2]}', [1, 2]],
    ['that is one of several words', z.enum(['yes', 'no']), '{"value":"yes"}', 'yes'],
    ['that is a list, given bare', z.array(z.number()), '[1,2]', [1, 2]],
  ] as const)('an answer may have a schema %s', async ([, output, text, value]) => {
    const server = await started([calling(sum), text])
    const result = await agent({ model: modelOn(wire, server), tools: { add }, settings, output }).run('go')
    expect(problemsOf(server)).toEqual([])
    expect(result).toMatchObject({ status: 'done', output: value })
  })

  test('a tool whose input is no object gets what it asked for, and the wrapping is not visible', async () => {
    const seen: unknown[] = []
    const either = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), x: z.number() }),
      z.object({ kind: z.literal('b'), y: z.string() }),
    ])
    const union = tool({ name: 'union', input: either, effect: 'pure', run: (input) => seen.push(input) })
    const word = tool({ name: 'word', input: z.string(), effect: 'pure', run: (input) => seen.push(input) })
    const calls = [
      { tool: 'union', input: { value: { kind: 'b', y: 'yes' } } },
      { tool: 'word', input: { value: 'hello' } },
    ]
    const server = await started([{ reasoning: 'hm', calls }, 'ok'])
    const worker = agent({ model: modelOn(wire, server), tools: { union, word }, settings })
    expect(await worker.run('go', { thread: 't' })).toMatchObject({ status: 'done' })
    expect(problemsOf(server)).toEqual([])
    expect(seen).toEqual([{ kind: 'b', y: 'yes' }, 'hello'])
    const [reply] = await factsOf(worker, 't', 'model.replied')
    expect(reply?.data.parts.flatMap((part) => (part.type === 'call' ? [part.input] : []))).toEqual([{ kind: 'b', y: 'yes' }, 'hello'])
    expect(bodyOf(server, 2).replaceAll('\\', '')).toContain('{"value":{"kind":"b","y":"yes"}}')
  })

  test.for([
    ['strange characters', 'functions.add:0'],
    ['sixty characters', 'c'.repeat(60)],
    ['forty characters', 'c'.repeat(40)],
  ] as const)('call ids of %s that are repeated are answered under ids that the vendor takes', async ([, id]) => {
    const both = {
      reasoning: 'hm',
      calls: [
        { ...sum, id },
        { ...sum, id },
      ],
    }
    const server = await started([both, both, 'ok'])
    expect(await agent({ model: modelOn(wire, server), tools: { add }, settings }).run('go')).toMatchObject({ status: 'done', turns: 3 })
    expect(problemsOf(server)).toEqual([])
  })

  test.for(['functions.add now!', '9 lives', 'x'.repeat(90), 'größe'])(
    'a tool that the model made up (%s) is answered under a name that the vendor takes',
    async (name) => {
      const server = await started([calling({ tool: name }), 'ok'])
      expect(await agent({ model: modelOn(wire, server), tools: { add }, settings }).run('go')).toMatchObject({ status: 'done', text: 'ok' })
      expect(problemsOf(server)).toEqual([])
    },
  )

  test('a reply of reasoning alone spoils nothing that follows', async () => {
    const server = await started([{ reasoning: 'hm' }, calling(sum), 'ok'])
    const worker = agent({ model: modelOn(wire, server), tools: { add }, settings })
    await worker.run('one', { thread: 't' })
    expect(await worker.run('two', { thread: 't' })).toMatchObject({ status: 'done', text: 'ok' })
    expect(problemsOf(server)).toEqual([])
  })

  test('the last tokens of a budget are asked for as the vendor takes them', async () => {
    const server = await started([{ ...calling(sum), usage: { input: 80, output: 12 } }, 'ok'])
    const result = await agent({ model: modelOn(wire, server), tools: { add }, settings, limits: { tokens: 100 } }).run('go')
    expect(problemsOf(server)).toEqual([])
    expect(result).toMatchObject({ status: 'done', text: 'ok' })
  })

  test.for([
    ['junk in the stream', { kind: 'junk', after: 2 }],
    ['an error in the stream', { kind: 'error', after: 4, status: 503 }],
    ['an empty body with status 200', { kind: 'empty', status: 200 }],
    ['a stream that ends too early', { kind: 'end', after: 2 }],
  ] as const)('another attempt follows %s', async ([, fault]) => {
    const server = await started([{ text: ['a ', 'b ', 'c '], fault }, 'ok'])
    expect(await agent({ model: modelOn(wire, server), settings, ports }).run('go')).toMatchObject({ status: 'done', text: 'ok' })
    expect(server.requests).toHaveLength(2)
  })
})

describe('another attempt follows a call without a name', () => {
  test.for(['openai-chat', 'openai-compatible'] as const)('on %s', async (wire) => {
    const server = await started([calling({ tool: '' }), 'ok'])
    expect(await agent({ model: modelOn(wire, server), tools: { add }, settings, ports }).run('go')).toMatchObject({ status: 'done', text: 'ok' })
    expect(server.requests).toHaveLength(2)
  })
})

describe('a run that one vendor started and another one goes on with', () => {
  const pairs = wires.flatMap((from) => wires.filter((to) => to !== from).map((to) => [from, to] as const))

  /** What the first vendor kept for itself. */
  const secrets: Readonly<Record<Wire, RegExp>> = {
    'openai-chat': /nothing is hidden/,
    'openai-compatible': /nothing is signed/,
    'openai-responses': /rs_1|encrypted_content/,
    anthropic: /"signature"|the first thought/,
    google: /"thoughtSignature":"(?!skip_|context_)/,
  }

  test.for(pairs)('from %s to %s, between a call and its answer', async ([from, to]) => {
    const began = { reasoning: 'the first thought', text: 'Adding.', calls: [sum, { tool: 'add', input: { a: 2, b: 2 } }] }
    const server = await started([began, { fault: { kind: 'status', status: 400 } }, calling(sum), 'ok'])
    const worker = agent({ instructions: 'Be exact.', model: modelOn(from, server), tools: { add }, settings, behaviour: { attempts: 1 } })
    expect(await worker.run('one', { thread: 't' })).toMatchObject({ status: 'failed' })
    expect(await worker.resume('t', { model: modelOn(to, server) }).result()).toMatchObject({ status: 'done', text: 'ok' })
    expect(problemsOf(server)).toEqual([])
    expect(bodyOf(server, 3)).not.toMatch(secrets[from])
  })

  test('and the first one gets back what is its own', async () => {
    const server = await started([
      calling(sum),
      { fault: { kind: 'status', status: 400 } },
      calling(sum),
      { fault: { kind: 'status', status: 400 } },
      'ok',
    ])
    const worker = agent({ model: modelOn('anthropic', server), tools: { add }, settings, behaviour: { attempts: 1 } })
    await worker.run('one', { thread: 't' })
    await worker.resume('t', { model: modelOn('openai-responses', server) }).result()
    expect(await worker.resume('t').result()).toMatchObject({ status: 'done', text: 'ok' })
    expect(problemsOf(server)).toEqual([])
    expect(bodyOf(server, 5)).toMatch(/"signature"/)
    expect(server.requests[4]?.body['thinking']).toMatchObject({ type: 'enabled' })
  })

  test('with thinking that a general setting asks for', async () => {
    const server = await started([{ calls: [sum] }, { fault: { kind: 'status', status: 400 } }, 'ok'])
    const worker = agent({ model: modelOn('openai-chat', server), tools: { add }, settings: { reasoning: 'high' }, behaviour: { attempts: 1 } })
    await worker.run('one', { thread: 't' })
    expect(await worker.resume('t', { model: modelOn('anthropic', server) }).result()).toMatchObject({ status: 'done' })
    expect(problemsOf(server)).toEqual([])
  })
})

describe('messages that come from elsewhere', () => {
  const called = (id: string, tool = 'add') =>
    ({ role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: tool, input: { a: 1, b: 2 } }] }) as const
  const answered = (id: string) =>
    ({ role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: 'add', output: { type: 'text', value: '3' } }] }) as const
  const user = (content: string) => ({ role: 'user', content }) as const
  const system = (content: string) => ({ role: 'system', content }) as const

  const histories = [
    ['a system message in the middle', [user('a'), { role: 'assistant', content: 'b' }, system('c'), user('d')]],
    ['system messages in front', [system('a'), system('b'), user('c')]],
    ['an answer in front', [{ role: 'assistant', content: 'b' }, user('d')]],
    ['strange ids, used twice', [user('a'), called('x.1'), answered('x.1'), called('x.1'), answered('x.1'), user('d')]],
    ['a call that nobody answered', [user('a'), called('x1'), user('d')]],
    ['a call that nobody answered at the end', [user('a'), called('x1')]],
    [
      'results in messages of their own',
      [user('a'), { role: 'assistant', content: [...called('x1').content, ...called('x2').content] }, answered('x2'), answered('x1'), user('d')],
    ],
    [
      'blank texts',
      [
        user('a'),
        { role: 'assistant', content: ' \n' },
        user(''),
        {
          role: 'user',
          content: [
            { type: 'text', text: ' ' },
            { type: 'text', text: 'd' },
          ],
        },
      ],
    ],
    ['a tool that nobody has', [user('a'), called('x1', 'functions.old one'), answered('x1'), user('d')]],
  ] as const

  test.for(wires.flatMap((wire) => histories.map(([name, input]) => [name, wire, input] as const)))(
    'with %s are taken on %s',
    async ([, wire, input]) => {
      const server = await started(['ok', 'ok'])
      const worker = agent({ instructions: 'Be exact.', model: modelOn(wire, server), tools: { add } })
      expect(await worker.run(input, { thread: 't' })).toMatchObject({ status: 'done', text: 'ok' })
      expect(await worker.run([system('Mind the gap.'), user('And now?')], { thread: 't' })).toMatchObject({ status: 'done', text: 'ok' })
      expect(problemsOf(server)).toEqual([])
      expect(checkPairing((await worker.messages('t')) as never)).toEqual([])
    },
  )

  test('an open call is given a result that says that there is none', async () => {
    const server = await started(['ok'])
    const worker = agent({ model: modelOn('anthropic', server), tools: { add } })
    await worker.run([user('a'), called('x1'), user('d')], { thread: 't' })
    expect(bodyOf(server, 1)).toContain(
      '"tool_use_id":"x1","content":"This call was never answered. Whether it had an effect is not known.","is_error":true',
    )
  })

  test.for([
    ['a result that answers no call', [user('a'), answered('x1')]],
    ['a result that comes too late', [user('a'), called('x1'), user('b'), answered('x1')]],
    ['a call that is answered twice', [user('a'), called('x1'), answered('x1'), answered('x1')]],
    ['two calls of one id', [user('a'), { role: 'assistant', content: [...called('x1').content, ...called('x1').content] }]],
  ] as const)('are refused with %s', async ([, input]) => {
    const server = await started(['ok'])
    await expect(agent({ model: modelOn('anthropic', server) }).run(input)).rejects.toMatchObject({ code: 'LOOM_INPUT_INVALID' })
    expect(server.requests).toEqual([])
  })

  test('go out again as they came in', async () => {
    const input = [user('a'), { role: 'assistant', content: [{ type: 'text', text: 'b' }] }, system('c'), user('d')] as const
    const server = await started(['ok'])
    const worker = agent({ model: modelOn('google', server), journal: memoryJournal() })
    await worker.run(input, { thread: 't' })
    expect((await worker.messages('t')).map(({ role }) => role)).toEqual(['user', 'assistant', 'system', 'user', 'assistant'])
  })
})

describe('a JSON Schema', () => {
  test.for([
    ['that says nothing', {}, { type: 'object', properties: {} }],
    [
      'with alternatives at the top',
      { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      { type: 'object', properties: { value: { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] } }, required: ['value'] },
    ],
    [
      'that refers to itself',
      { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#' } }] },
      {
        type: 'object',
        properties: { value: { $ref: '#/definitions/value' } },
        required: ['value'],
        definitions: { value: { anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/definitions/value' } }] } },
      },
    ],
  ] as const)('%s travels as an object', async ([, json, sent]) => {
    const server = await started(['ok'])
    const some = tool({ name: 'some', input: jsonSchema(json), effect: 'pure', run: () => 1 })
    await agent({ model: modelOn('openai-chat', server), tools: { some } }).run('go')
    expect(problemsOf(server)).toEqual([])
    expect(server.requests[0]?.body).toMatchObject({ tools: [{ function: { parameters: sent } }] })
  })
})
