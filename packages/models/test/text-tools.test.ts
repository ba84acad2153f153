/** Tools for models that cannot call tools. */
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { agent, content, tool } from '@loom-agent/agent'
import { defineModel, type GeneratedReply, textTools } from '@loom-agent/models'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseLoosely } from '../src/text-tools/loose-json.ts'
import { asking, createServers, modelOn, partsOf } from './on-wire.ts'

const servers = createServers()
afterEach(servers.close)

const add = tool({ name: 'add', description: 'Adds.', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })
const tools = [{ type: 'function' as const, name: 'add', inputSchema: { type: 'object' as const } }]
/** What opens a call in the reply to a request: its last message says so. */
const openerIn = (said: unknown): string => [...JSON.stringify(said).matchAll(/```(tool-\w+)/g)].at(-1)?.[1] ?? 'none'

/** What opens a call in the reply to these options. The same message has the same mark. */
async function openerFor(options: LanguageModelV4CallOptions): Promise<string> {
  let opener = ''
  const probe = defineModel({
    id: 'x/probe',
    generate: ({ messages }) => {
      opener = openerIn(messages)
      return 'ok'
    },
  })
  await textTools()(probe).doGenerate(options)
  return opener
}

const request = asking('hi', { tools })
const opener = await openerFor(request)
const fenced = (text: string, mark = opener) => `\`\`\`${mark}\n${text}\n\`\`\``
/** Replies of a server, with the mark of each request in the place of the mark of `request`. */
const marked = (replies: readonly string[]) => replies.map((reply) => (body: unknown) => reply.replaceAll(opener, openerIn(body)))
const sum = '{"name": "add", "arguments": {"a": 2, "b": 2}}'

interface Heard {
  readonly text: string
  readonly calls: readonly (readonly [name: string, input: string])[]
  readonly finish: string | undefined
}

const heardOf = (parts: readonly LanguageModelV4StreamPart[]): Heard => ({
  text: parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join(''),
  calls: parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolName, part.input] as const] : [])),
  finish: parts.flatMap((part) => (part.type === 'finish' ? [part.finishReason.unified] : []))[0],
})

/** What is read of a reply that comes in the given pieces. */
async function hear(pieces: readonly string[], more: { finish?: 'length'; options?: LanguageModelV4CallOptions } = {}): Promise<Heard> {
  const replies: GeneratedReply[] = [...pieces, ...(more.finish ? [{ finish: more.finish }] : [])]
  const model = textTools()(defineModel({ id: 'x/plain', stream: () => replies }))
  return heardOf(await partsOf(model, more.options ?? request))
}

describe('a reply', () => {
  const replies: readonly [what: string, reply: string, text: string, calls: Heard['calls']][] = [
    ['without a block', 'It is 4.', 'It is 4.', []],
    ['that is a block', fenced(sum), '', [['add', '{"a":2,"b":2}']]],
    ['with words and a block', `Let me add.\n${fenced(sum)}`, 'Let me add.\n', [['add', '{"a":2,"b":2}']]],
    [
      'with two blocks',
      `${fenced(sum)}\n${fenced(sum)}`,
      '\n',
      [
        ['add', '{"a":2,"b":2}'],
        ['add', '{"a":2,"b":2}'],
      ],
    ],
    [
      'with a list of calls',
      fenced(`[${sum},${sum}]`),
      '',
      [
        ['add', '{"a":2,"b":2}'],
        ['add', '{"a":2,"b":2}'],
      ],
    ],
    ['that forgot the last fence', `\`\`\`${opener}\n${sum}`, '', [['add', '{"a":2,"b":2}']]],
    ['with tags', `<tool_call>${sum}</tool_call>`, `<tool_call>${sum}</tool_call>`, []],
    ['with a block of JSON that has the look of a call', fenced(sum, 'json'), fenced(sum, 'json'), []],
    ['with a block under no mark', fenced(sum, 'tool'), fenced(sum, 'tool'), []],
    ['with a block in a block of code', `\`\`\`md\n${fenced(sum, 'tool')}`, `\`\`\`md\n${fenced(sum, 'tool')}`, []],
    ['with a block after a block of code', `${fenced('x', 'sh')}\n${fenced(sum)}`, `${fenced('x', 'sh')}\n`, [['add', '{"a":2,"b":2}']]],
    ['with a block of JSON that is none', fenced('{"n": 4}', 'json'), fenced('{"n": 4}', 'json'), []],
    [
      'with a block of JSON that calls what is no tool',
      fenced('{"name": "Ann", "arguments": {}}', 'json'),
      fenced('{"name": "Ann", "arguments": {}}', 'json'),
      [],
    ],
    ['with code', `${fenced('let a = 1', 'ts')}\nand ${fenced('x', 'sh')}`, `${fenced('let a = 1', 'ts')}\nand ${fenced('x', 'sh')}`, []],
    ['with a fence in the middle of a line', `Use \`\`\`${opener} to call.`, `Use \`\`\`${opener} to call.`, []],
    ['with other tags', 'a <b> c < d', 'a <b> c < d', []],
    ['that names the arguments otherwise', fenced('{"tool": "add", "input": {"a": 1}}'), '', [['add', '{"a":1}']]],
    ['in the form of a function', fenced('{"type": "function", "function": {"name": "add", "arguments": "{\\"a\\": 1}"}}'), '', [['add', '{"a":1}']]],
    ['with arguments beside the name', fenced('{"name": "add", "a": 1}'), '', [['add', '{"a":1}']]],
    ['with single quotes, bare keys and a comma too many', fenced("{name: 'add', arguments: {a: 2, 'b': 2,},}"), '', [['add', '{"a":2,"b":2}']]],
    [
      'with comments and words of another language',
      fenced('{"name": "add", // here\n"arguments": {"a": None, "b": True}}'),
      '',
      [['add', '{"a":null,"b":true}']],
    ],
    ['with a brace too few', fenced('{"name": "add", "arguments": {"a": 2}'), '', [['add', '{"a":2}']]],
    ['that cannot be read', fenced('{"name": "add", "arguments": a lot}'), '', [['add', '{"name": "add", "arguments": a lot}']]],
    ['that is not even JSON', fenced('add(2, 2)'), '', [['add', 'add(2, 2)']]],
    ['with fences in a text', fenced('{"name": "add", "arguments": {"s": "a ```b``` c"}}'), '', [['add', '{"s":"a ```b``` c"}']]],
  ]

  test.for(replies)('%s', async ([, reply, text, calls]) => {
    const heard = await hear([reply])
    expect(heard).toEqual({ text, calls, finish: calls.length > 0 ? 'tool-calls' : 'stop' })
    const whole = await textTools()(defineModel({ id: 'x/plain', generate: () => reply })).doGenerate(request)
    expect(whole.content.map((part) => (part.type === 'text' ? part.text : '')).join('')).toBe(text)
    expect(whole.content.flatMap((part) => (part.type === 'tool-call' ? [[part.toolName, part.input]] : []))).toEqual(calls)
  })

  test.for(replies)('is read the same wherever it is cut into pieces: %s', async ([, reply, text, calls]) => {
    const cuts = fc.uniqueArray(fc.nat({ max: reply.length }), { maxLength: 12 }).map((places) => [0, ...places.sort((a, b) => a - b), reply.length])
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const heard = await hear(places.slice(1).map((end, index) => reply.slice(places[index], end)))
        expect([heard.text, heard.calls]).toEqual([text, calls])
      }),
      { numRuns: 25 },
    )
    expect((await hear(reply.split(''))).calls).toEqual(calls)
  })

  test('that was cut off makes only the calls that it wrote to their end', async () => {
    const cut = `\`\`\`${opener}\n{"name": "add", "arguments": {"a": 2`
    expect(await hear([cut], { finish: 'length' })).toMatchObject({ calls: [['add', '{"name": "add", "arguments": {"a": 2']] })
    expect(await hear([cut])).toMatchObject({ calls: [['add', '{"a":2}']] })
  })

  test('text is passed on at once, up to where a block may start', async () => {
    const model = textTools()(defineModel({ id: 'x/plain', stream: () => ['one ', 'two\n', '``', `\`${opener}\n`, sum, '\n```'] }))
    const parts = await partsOf(model, request)
    expect(parts.filter(({ type }) => type === 'text-delta').map((part) => (part as { delta: string }).delta)).toEqual(['one ', 'two\n'])
    expect(parts.map(({ type }) => type)).toEqual([
      'stream-start',
      'text-start',
      'text-delta',
      'text-delta',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      'text-end',
      'finish',
    ])
  })

  test('a block of a megabyte that comes in small pieces is read whole', async () => {
    const long = fenced(JSON.stringify({ name: 'add', arguments: { text: 'word '.repeat(200_000) } }))
    const heard = await hear(long.match(/[\s\S]{1,40}/g) ?? [])
    expect(heard.calls[0]?.[1]).toHaveLength(1_000_011)
  })
})

describe('a run on a model that calls no tools', () => {
  test('calls, sees its calls and their results as text, and answers', async () => {
    const server = await servers.start(marked([`Adding.\n${fenced(sum)}`, 'It is 4.']))
    const result = await agent({ instructions: 'Be exact.', model: textTools()(modelOn('openai-compatible', server)), tools: { add } }).run('2+2?')
    expect(result).toMatchObject({ status: 'done', text: 'It is 4.', turns: 2 })
    const [first, second] = server.requests.map(({ body }) => body as { tools?: unknown; messages: { role: string; content: string }[] })
    expect([first?.tools, second?.tools]).toEqual([undefined, undefined])
    expect(first?.messages[0]?.content).toMatch(
      /^Be exact\.\n\nYou have tools\.[\s\S]*- add: Adds\.\n {2}Arguments \(JSON Schema\): \{"type":"object"/,
    )
    expect(second?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(second?.messages[2]?.content).toMatch(/```tool-\w+\n\{"name":"add","arguments":\{"a":2,"b":2\}\}\n```/)
    expect(JSON.stringify(second?.messages[3]?.content)).toMatch(/Result of add \((\w+)\):\\n4\\nEnd of the result \(\1\)\..*```tool-\1 /)
    expect(server.requests.flatMap(({ problems }) => problems)).toEqual([])
  })

  test('is asked again when a call cannot be read', async () => {
    const server = await servers.start(marked([fenced('{"name": "add", "arguments": oops}'), fenced(sum), 'It is 4.']))
    const result = await agent({ model: textTools()(modelOn('openai-compatible', server)), tools: { add } }).run('2+2?')
    expect(result).toMatchObject({ status: 'done', text: 'It is 4.', turns: 3 })
    expect(JSON.stringify(server.requests[1]?.body)).toContain('are not JSON')
  })

  test('only grows from request to request', async () => {
    const server = await servers.start(marked([fenced(sum), `${fenced(sum)}\n${fenced(sum)}`, 'done', fenced(sum), 'again']))
    const worker = agent({ instructions: 'Be exact.', model: textTools()(modelOn('openai-compatible', server)), tools: { add } })
    await worker.run('one', { thread: 't' })
    await worker.run('two', { thread: 't' })
    const texts = server.requests.map(({ body }) => JSON.stringify((body as { messages: unknown }).messages).slice(0, -1))
    for (const [index, text] of texts.slice(1).entries()) expect(text.startsWith(texts[index] ?? '?')).toBe(true)
    expect(server.requests).toHaveLength(5)
  })

  test('sees refusals, errors, lists and pictures as what they are', async () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const many = {
      refused: tool({ name: 'refused', permission: 'deny', run: () => 1 }),
      failing: tool({
        name: 'failing',
        effect: 'pure',
        run: () => {
          throw new Error('no luck')
        },
      }),
      list: tool({ name: 'list', effect: 'pure', run: () => [1, 2] }),
      picture: tool({
        name: 'picture',
        effect: 'pure',
        run: () =>
          content([
            { type: 'text', text: 'here' },
            { type: 'image', image: png, mediaType: 'image/png' },
          ]),
      }),
    }
    const calls = Object.keys(many).map((name) => fenced(JSON.stringify({ name, arguments: {} })))
    const server = await servers.start(marked([calls.join('\n'), 'ok']))
    expect(await agent({ model: textTools()(modelOn('openai-compatible', server)), tools: many }).run('go')).toMatchObject({ status: 'done' })
    const sent = JSON.stringify(server.requests[1]?.body).replaceAll(/\(\w{20}\)/g, '(<mark>)')
    for (const said of [
      'Result of refused (<mark>):\\nRefused:',
      'Result of failing (<mark>):\\nError:',
      'Result of list (<mark>):\\n[1,2]',
      'Result of picture (<mark>):\\nhere',
      'image_url',
    ])
      expect(sent).toContain(said)
    expect(server.requests.flatMap(({ problems }) => problems)).toEqual([])
  })

  test('gets a note when a tool must be called, and when there are none', async () => {
    const server = await servers.start(() => 'ok')
    const model = textTools()(modelOn('openai-compatible', server))
    const history = {
      ...asking(),
      prompt: [
        ...asking().prompt,
        { role: 'assistant' as const, content: [{ type: 'tool-call' as const, toolCallId: 'x', toolName: 'add', input: {} }] },
        {
          role: 'tool' as const,
          content: [{ type: 'tool-result' as const, toolCallId: 'x', toolName: 'add', output: { type: 'text' as const, value: '4' } }],
        },
      ],
    }
    for (const options of [
      asking('hi', { tools, toolChoice: { type: 'required' } }),
      asking('hi', { tools, toolChoice: { type: 'tool', toolName: 'add' } }),
      history,
      asking(),
    ])
      await partsOf(model, options)
    const said = server.requests.map(({ body }) => JSON.stringify(body))
    expect(said[0]).toContain('You must call a tool now.')
    expect(said[1]).toContain('You must call the tool add now.')
    expect(said[2]).toContain('There are no tools now.')
    expect(said[3]).not.toContain('tool')
  })

  test('the ids of its calls are the same for the same conversation, and differ from reply to reply', async () => {
    const ids = async (options: LanguageModelV4CallOptions) => {
      const block = fenced(sum, await openerFor(options))
      const parts = await partsOf(textTools()(defineModel({ id: 'x/plain', generate: () => `${block}\n${block}` })), options)
      return parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
    }
    const longer = asking('hi', { tools, prompt: [...asking().prompt, ...asking().prompt] })
    expect(await ids(asking('hi', { tools }))).toEqual(['call_1_0', 'call_1_1'])
    expect(await ids(asking('hi', { tools }))).toEqual(['call_1_0', 'call_1_1'])
    expect(await ids(longer)).toEqual(['call_2_0', 'call_2_1'])
  })
})

describe('JSON as models write it', () => {
  test('valid JSON has its JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseLoosely(JSON.stringify(value), { mayClose: false })).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('any text is a value or none, and never an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\'\\/*\n ntrue0-.é'.split('')) }), fc.boolean(), (text, mayClose) => {
        const value = parseLoosely(text, { mayClose })
        if (value !== undefined) JSON.stringify(value)
      }),
      { numRuns: 500 },
    )
    expect(parseLoosely('{"a":'.repeat(100_000), { mayClose: true })).toBeUndefined()
  })

  test('open brackets are closed only when nothing was cut off', () => {
    expect(parseLoosely('{"a": [1, {"b": 2', { mayClose: true })).toEqual({ a: [1, { b: 2 }] })
    expect(parseLoosely('{"a": [1, {"b": 2', { mayClose: false })).toBeUndefined()
    expect(parseLoosely('{"a": "no end', { mayClose: true })).toBeUndefined()
  })

  test('escapes, raw line breaks and a key named __proto__', () => {
    expect(parseLoosely(`{'a': 'it\\'s\nhere \\u00e9', __proto__: 1,}`, { mayClose: false })).toEqual(
      JSON.parse('{"a":"it\'s\\nhere é","__proto__":1}'),
    )
  })
})
