/** Custom models, and many calls at a time. */
import { agent, tool } from '@loom-agent/agent'
import { batch, defineModel } from '@loom-agent/models'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { idle, until } from '../../../test/support/event-loop.ts'
import { asking, createServers, down, modelOn, partsOf, settle, textOf } from './on-wire.ts'

const servers = createServers()
afterEach(servers.close)

const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })

describe('a custom model', () => {
  test('is one line', async () => {
    const echo = defineModel({ id: 'mine/echo', generate: ({ text }) => `You said: ${text}` })
    expect(await agent({ model: echo }).run('hello')).toMatchObject({ status: 'done', text: 'You said: hello' })
    expect(echo).toMatchObject({ specificationVersion: 'v4', provider: 'mine', modelId: 'echo' })
  })

  test('calls tools, reasons, and reports its usage', async () => {
    const math = defineModel({
      id: 'math',
      generate: ({ messages, tools, text }) => {
        if (messages.at(-1)?.role === 'tool') return { text: 'It is 4.', usage: { input: 20, output: 3 } }
        return { reasoning: text, calls: [{ tool: tools[0]?.name ?? '', input: { a: 2, b: 2 } }], usage: { input: 10, output: 2 } }
      },
    })
    expect(await agent({ model: math, tools: { add } }).run('2+2?')).toMatchObject({ text: 'It is 4.', usage: { input: 30, output: 5 }, turns: 2 })
  })

  test('streams what it has', async () => {
    const slow = defineModel({
      id: 'x/slow',
      async *stream() {
        yield { reasoning: 'hm' }
        yield 'one '
        yield 'two'
        yield { calls: [{ tool: 'add', input: '{"a":1' }], finish: 'length' }
      },
    })
    expect((await partsOf(slow)).slice(1)).toEqual([
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'hm' },
      { type: 'reasoning-end', id: '0' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'one ' },
      { type: 'text-delta', id: '1', delta: 'two' },
      { type: 'text-end', id: '1' },
      { type: 'tool-call', toolCallId: 'call_1_0', toolName: 'add', input: '{"a":1' },
      expect.objectContaining({ type: 'finish', finishReason: { unified: 'length', raw: undefined } }),
    ])
    expect((await slow.doGenerate(asking())).content).toMatchObject([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'one two' },
      { type: 'tool-call' },
    ])
  })

  test('gets an abort, and ends when its stream is cancelled', async () => {
    let isOver = false
    const endless = defineModel({
      id: 'x/endless',
      async *stream() {
        try {
          for (;;) {
            await settle()
            yield 'word '
          }
        } finally {
          isOver = true
        }
      },
    })
    const run = agent({ model: endless }).start('go')
    for await (const event of run.events()) if (event.type === 'text-delta') break
    await run.stop('enough')
    expect(await run.result()).toMatchObject({ status: 'stopped' })
    await expect.poll(() => isOver).toBe(true)
  })

  test('what it throws is a failure of the model', async () => {
    const broken = defineModel({ id: 'x/broken', generate: () => Promise.reject(new Error('out of order')) })
    expect(await agent({ model: broken }).run('hi')).toMatchObject({ status: 'failed', error: { message: 'The model failed: out of order' } })
  })

  test('needs an id and one way to answer', () => {
    expect(() => defineModel({ id: '', generate: () => '' })).toThrow(/Give an id/)
    expect(() => defineModel({ id: 'x' })).toThrow(/give generate or stream/)
    expect(() => defineModel({ id: 'x', generate: () => '', stream: () => [] })).toThrow(/not both/)
    expect(() => defineModel({ id: 'x', genrate: () => '' } as never)).toThrow(/Did you mean "generate"\?/)
  })
})

describe('a batch', () => {
  test('returns items in the order of the requests, with a limit on calls at a time', async () => {
    let [now, most] = [0, 0]
    const server = await servers.start(async (body) => {
      now += 1
      most = Math.max(most, now)
      const text = JSON.stringify(body['messages']).match(/number (\d+)/)?.[1] ?? ''
      await until(() => most === 4)
      await idle(Number(text) % 3)
      now -= 1
      return `answer ${text}`
    })
    const items = await batch(
      modelOn('anthropic', server),
      Array.from({ length: 25 }, (_, index) => `number ${index}`),
      { concurrency: 4 },
    )
    expect(items.map((item) => (item.status === 'done' ? item.text : item))).toEqual(Array.from({ length: 25 }, (_, index) => `answer ${index}`))
    expect(most).toBe(4)
    expect(server.requests.every(({ streams }) => !streams)).toBe(true)
  })

  test('a request that fails does not stop the others, and is sent once', async () => {
    const server = await servers.start((body) => (JSON.stringify(body).includes('bad') ? down : 'fine'))
    const items = await batch(modelOn('openai-chat', server), ['a', 'bad', asking('c')])
    expect(items).toMatchObject([
      { status: 'done', text: 'fine' },
      { status: 'failed', error: { statusCode: 503 } },
      { status: 'done', text: 'fine' },
    ])
    expect(server.requests).toHaveLength(3)
  })

  test('an abort ends the calls in flight and starts no more; finished items are kept', async () => {
    const server = await servers.start((_, { number }) => (number <= 2 ? 'fine' : { fault: { kind: 'stall' } }))
    const abort = new AbortController()
    const items = batch(modelOn('openai-chat', server), ['a', 'b', 'c', 'd', 'e'], { concurrency: 1, signal: abort.signal })
    await expect.poll(() => server.requests.length, { interval: 2 }).toBe(3)
    abort.abort()
    expect((await items).map(({ status }) => status)).toEqual(['done', 'done', 'failed', 'failed', 'failed'])
    expect(server.requests).toHaveLength(3)
  })

  test('of nothing is nothing', async () => {
    expect(await batch(defineModel({ id: 'x', generate: () => '' }), [])).toEqual([])
    expect(await textOf(defineModel({ id: 'x', generate: () => '' }))).toBe('')
  })
})
