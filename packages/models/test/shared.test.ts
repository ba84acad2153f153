/** Replies that are shared: at the same time, and later. */
import { agent, tool } from '@loom-agent/agent'
import type { WireServer, WireStep } from '@loom-agent/harness/wire'
import { wires } from '@loom-agent/harness/wire'
import { cache, coalesce, defineModel, memoryReplies } from '@loom-agent/models'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { asking, createServers, down, modelOn, partsOf, settle, textOf } from './on-wire.ts'

const servers = createServers()
afterEach(servers.close)

const slow: WireStep = async () => {
  await settle()
  return { text: ['a ', 'b ', 'c'] }
}
const arrived = async (server: WireServer): Promise<void> => {
  await expect.poll(() => server.requests.length, { interval: 2 }).toBe(1)
}

describe('identical requests at the same time', () => {
  test('are one call, and each gets the whole reply', async () => {
    const server = await servers.start(slow)
    const model = coalesce()(modelOn('anthropic', server))
    const texts = await Promise.all(Array.from({ length: 20 }, () => textOf(model)))
    expect(new Set(texts)).toEqual(new Set(['a b c']))
    const results = await Promise.all(Array.from({ length: 5 }, () => model.doGenerate(asking())))
    expect(results.map(({ content }) => content)).toEqual(Array.from({ length: 5 }, () => results[0]?.content))
    expect(server.requests).toHaveLength(2)
  })

  test('differ by everything that a reply depends on, and by nothing else', async () => {
    const server = await servers.start(slow)
    const model = coalesce()(modelOn('anthropic', server))
    const different = [
      asking('a'),
      asking('b'),
      asking('a', { temperature: 0 }),
      asking('a', { tools: [{ type: 'function', name: 't', inputSchema: { type: 'object' } }] }),
    ]
    const same = [asking('a', { headers: { 'x-trace': '1' } }), asking('a', { abortSignal: new AbortController().signal })]
    await Promise.all([...different, ...same].map((options) => textOf(model, options)))
    expect(server.requests).toHaveLength(4)
  })

  test('a request in the middle of a reply gets the whole reply', async () => {
    const server = await servers.start(['a b c d'])
    const model = coalesce()(modelOn('openai-chat', server))
    const { stream } = await model.doStream(asking())
    const reader = stream.getReader()
    for (let count = 0; count < 4; count += 1) await reader.read()
    expect(await textOf(model)).toBe('a b c d')
    expect(server.requests).toHaveLength(1)
  })

  test('a later request is a new call', async () => {
    const server = await servers.start(['one', 'two'])
    const model = coalesce()(modelOn('openai-chat', server))
    expect([await textOf(model), await textOf(model)]).toEqual(['one', 'two'])
  })

  test('the abort of one does not abort the others', async () => {
    const { promise: replies, resolve: reply } = Promise.withResolvers<void>()
    const server = await servers.start(async () => {
      await replies
      return { text: ['a ', 'b ', 'c'] }
    })
    const model = coalesce()(modelOn('openai-chat', server))
    const abort = new AbortController()
    const [leaver, stayer] = [textOf(model, asking('hi', { abortSignal: abort.signal })), textOf(model)]
    await arrived(server)
    abort.abort()
    await expect(leaver).rejects.toMatchObject({ code: 'LOOM_ABORTED' })
    reply()
    expect(await stayer).toBe('a b c')
    expect(server.requests).toHaveLength(1)
  })

  test('the call is aborted with the last request, and not before', async () => {
    const server = await servers.start(() => ({ text: ['a ', 'b '], fault: { kind: 'stall', after: 2 } }))
    const model = coalesce()(modelOn('openai-chat', server))
    const aborts = [new AbortController(), new AbortController()]
    const readers = aborts.map(({ signal }) => textOf(model, asking('hi', { abortSignal: signal })))
    for (const reader of readers) reader.catch(() => {})
    await arrived(server)
    aborts[0]?.abort()
    await settle()
    expect(server.requests[0]?.closedAt).toBeUndefined()
    aborts[1]?.abort()
    await server.requests[0]?.over
    expect(server.requests[0]?.isAborted).toBe(true)
    await Promise.allSettled(readers)
    void partsOf(model).catch(() => {})
    await expect.poll(() => server.requests.length, { interval: 2 }).toBe(2)
  })

  test.for(['generate', 'stream'] as const)('a request that is aborted already makes no call that outlives it (%s)', async (kind) => {
    const signals: (AbortSignal | undefined)[] = []
    const failing = ({ abortSignal }: { abortSignal?: AbortSignal | undefined }): Promise<never> => {
      signals.push(abortSignal)
      return settle().then(() => Promise.reject(new Error('stopped')))
    }
    const model = coalesce()({ ...defineModel({ id: 'x/failing', generate: () => '' }), doGenerate: failing, doStream: failing })
    const call = asking('hi', { abortSignal: AbortSignal.abort() })
    await expect(kind === 'generate' ? model.doGenerate(call) : model.doStream(call)).rejects.toMatchObject({ code: 'LOOM_ABORTED' })
    await settle()
    expect(signals.map((signal) => signal?.aborted)).toEqual([true])
  })

  test('fail together, once', async () => {
    const server = await servers.start(() => down)
    const model = coalesce()(modelOn('openai-chat', server))
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => textOf(model)))
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(server.requests).toHaveLength(1)
  })
})

describe('a reply that was kept', () => {
  test.for(wires)('is returned again on %s as the same stream, without a call and without tokens', async (wire) => {
    const server = await servers.start([{ reasoning: 'hm', text: ['a ', 'b'], calls: [{ tool: 't', input: { x: 1 } }] }])
    const model = cache()(modelOn(wire, server))
    const tools = [{ type: 'function' as const, name: 't', inputSchema: { type: 'object' as const, properties: { x: { type: 'number' as const } } } }]
    const options = asking('hi', { tools, maxOutputTokens: 4000 })
    const [first, second] = [await partsOf(model, options), await partsOf(model, options)]
    const content = (parts: typeof first) => parts.filter(({ type }) => !['finish', 'raw', 'ping', 'response-metadata'].includes(type))
    expect(content(second)).toEqual(content(first))
    expect(second.at(-1)).toMatchObject({
      type: 'finish',
      usage: { inputTokens: { total: 0 }, outputTokens: { total: 0 } },
      providerMetadata: { loom: { cached: true } },
    })
    expect(server.requests).toHaveLength(1)
  })

  test('is returned again in one piece', async () => {
    const server = await servers.start(['once'])
    const model = cache()(modelOn('anthropic', server))
    const [first, second] = [await model.doGenerate(asking()), await model.doGenerate(asking())]
    expect(second.content).toEqual(first.content)
    expect(second.usage.outputTokens.total).toBe(0)
    expect(server.requests).toHaveLength(1)
  })

  test.for([
    ['a failure', down],
    ['a stream that broke', { text: ['a ', 'b '], fault: { kind: 'cut', after: 3 } }],
    ['an error in the stream', { text: ['a ', 'b '], fault: { kind: 'error', after: 4 } }],
    ['a stream that ended too early', { text: ['a ', 'b '], fault: { kind: 'end', after: 2 } }],
    ['a reply that was cut off', { text: 'half', finish: 'length' }],
    ['a reply that was filtered', { text: 'x', finish: 'content-filter' }],
  ] as const)('is never %s', async ([, step]) => {
    const server = await servers.start([step, 'well'])
    const model = cache()(modelOn('openai-chat', server))
    await partsOf(model).catch(() => {})
    expect(await textOf(model)).toBe('well')
    expect(server.requests).toHaveLength(2)
  })

  test('nor one that was not read to its end', async () => {
    const server = await servers.start(['one two three', 'again'])
    const model = cache()(modelOn('openai-chat', server))
    await (await model.doStream(asking())).stream.cancel()
    expect(await textOf(model)).toBe('again')
  })

  test('the model is called when the store fails', async () => {
    const server = await servers.start(() => 'ok')
    const broken = { get: () => Promise.reject(new Error('no')), set: () => Promise.reject(new Error('no')) }
    const odd = { get: () => 'not JSON', set: () => {} }
    for (const store of [broken, odd]) expect(await textOf(cache({ store })(modelOn('openai-chat', server)))).toBe('ok')
    expect(server.requests).toHaveLength(2)
  })

  test('memory holds the last ones that were used', async () => {
    let calls = 0
    const counted = defineModel({ id: 'x/counted', generate: () => String(++calls) })
    const model = cache({ store: memoryReplies(2) })(counted)
    for (const text of ['a', 'b', 'a', 'c', 'a']) await textOf(model, asking(text))
    expect(calls).toBe(3)
    await textOf(model, asking('b'))
    expect(calls).toBe(4)
  })

  test('an identical run costs nothing the second time', async () => {
    const server = await servers.start([{ calls: [{ tool: 'add', input: { a: 2, b: 2 } }] }, 'It is 4.'])
    const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })
    const worker = agent({ model: cache()(modelOn('anthropic', server)), tools: { add } })
    const [first, second] = [await worker.run('2+2?'), await worker.run('2+2?')]
    expect([first.text, second.text]).toEqual(['It is 4.', 'It is 4.'])
    expect(second.usage).toEqual({ input: 0, output: 0 })
    expect(server.requests).toHaveLength(2)
  })
})
