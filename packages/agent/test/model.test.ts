import type { LanguageModelV2, LanguageModelV3 } from '@ai-sdk/provider'
import { agent, tool } from '@loom-agent/agent'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { factsOf } from './journals.ts'

const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })
const overloaded = { statusCode: 529, isRetryable: true, message: 'Overloaded' }

describe('a failing model', () => {
  const shapes = {
    'thrown before the first part': { throws: Object.assign(new Error('Overloaded'), { statusCode: 503, isRetryable: true }) },
    'sent as an error part': { text: 'so far', errorAfter: { parts: 3, error: overloaded } },
    'thrown while reading': {
      text: 'so far',
      tornBy: Object.assign(new Error('Failed to process successful response'), { statusCode: 200, isRetryable: true }),
    },
    'a stream that ends without its end': { text: 'so far', cutAfter: 3 },
    'a stream that says it was interrupted': { text: 'so far', finish: 'interrupted' },
  } as const

  test.each(Object.entries(shapes))('is tried again: %s', async (_, shape) => {
    const model = scriptedModel([shape, 'All right.'])
    const talker = agent({ model, ports: { random: () => 0 } })
    expect(await talker.run('go', { thread: 't' })).toMatchObject({ status: 'done', text: 'All right.' })
    expect(await factsOf(talker, 't', 'model.failed')).toHaveLength(1)
    expect((await factsOf(talker, 't', 'model.requested')).map(({ data }) => data.attempt)).toEqual([1, 2])
    expect(model.requests[0]?.prompt).toEqual(model.requests[1]?.prompt)
  })

  test('is given up after three attempts, and resuming tries again from there', async () => {
    const model = scriptedModel([{ throws: overloaded }, { throws: overloaded }, { throws: overloaded }, 'At last.'])
    const talker = agent({ model, ports: { random: () => 0 } })
    expect(await talker.run('go', { thread: 't' })).toMatchObject({ status: 'failed', error: { code: 'LOOM_MODEL_FAILED' } })
    expect(await talker.resume('t').result()).toMatchObject({ status: 'done', text: 'At last.' })
  })

  test('is not tried again when trying cannot help', async () => {
    for (const status of [400, 401, 403, 404, 422]) {
      const model = scriptedModel([{ throws: Object.assign(new Error('no'), { statusCode: status, isRetryable: false }) }])
      expect(await agent({ model }).run('go')).toMatchObject({ status: 'failed' })
      expect(model.requests).toHaveLength(1)
    }
  })

  test('says what it is: a rate limit, a context that is too long', async () => {
    const limited = scriptedModel([{ throws: Object.assign(new Error('slow down'), { statusCode: 429, isRetryable: true }) }])
    expect(await agent({ model: limited, behaviour: { attempts: 1 } }).run('go')).toMatchObject({
      error: { code: 'LOOM_MODEL_RATE_LIMITED', recoverable: true },
    })
    const long = scriptedModel([{ throws: Object.assign(new Error('prompt is too long: 250000 tokens'), { statusCode: 400 }) }])
    expect(await agent({ model: long }).run('go')).toMatchObject({ error: { code: 'LOOM_MODEL_CONTEXT_LENGTH' } })
  })

  test('is waited for as long as it asks', async () => {
    const clock = manualClock()
    const later = Object.assign(new Error('later'), { statusCode: 429, isRetryable: true, responseHeaders: { 'retry-after': '7' } })
    const model = scriptedModel([{ throws: later }, 'ok'])
    const run = agent({ model, ports: { clock } }).run('go')
    await clock.advance(6_900)
    expect(model.requests).toHaveLength(1)
    await clock.advance(200)
    expect((await run).status).toBe('done')
  })

  test('is waited for between attempts with a full jitter that doubles', async () => {
    const clock = manualClock()
    const talker = agent({
      model: scriptedModel([{ throws: overloaded }, { throws: overloaded }, 'ok']),
      ports: { clock, random: () => 0.5 },
    })
    const run = talker.run('go', { thread: 't' })
    await clock.advance(5_000)
    await run
    const [first, second] = await factsOf(talker, 't', 'model.failed')
    expect([(first?.data.retryAt ?? 0) - (first?.time ?? 0), (second?.data.retryAt ?? 0) - (second?.time ?? 0)]).toEqual([500, 1000])
  })

  test('can be stopped while it is waited for', async () => {
    const clock = manualClock()
    const model = scriptedModel([{ throws: overloaded }, 'never'])
    const run = agent({ model, ports: { clock, random: () => 1 } }).start('go')
    await clock.advance(10)
    await run.stop()
    expect((await run.result()).status).toBe('stopped')
    expect(model.requests).toHaveLength(1)
  })

  test('that falls silent in the middle counts as failed after a while', async () => {
    const clock = manualClock()
    const model = scriptedModel([{ text: 'wait for it', stallAfter: 3 }, 'ok'])
    const talker = agent({ model, behaviour: { modelIdle: 5_000 }, ports: { clock, random: () => 0 } })
    const run = talker.run('go', { thread: 't' })
    await clock.advance(4_900)
    expect(await factsOf(talker, 't', 'model.failed')).toHaveLength(0)
    await clock.advance(6_000)
    expect((await run).status).toBe('done')
    expect((await factsOf(talker, 't', 'model.failed'))[0]?.data).toMatchObject({ error: { code: 'LOOM_MODEL_TIMEOUT' }, partial: 'wait ' })
  })
})

describe('what a provider says', () => {
  test('in metadata is stored and sent back on the same part', async () => {
    const meta = { anthropic: { signature: 'abc' } }
    const model = scriptedModel([
      {
        parts: [
          { type: 'reasoning-start', id: 'r' },
          { type: 'reasoning-delta', id: 'r', delta: 'hmm' },
          { type: 'reasoning-end', id: 'r', providerMetadata: meta },
          { type: 'text-start', id: 'x', providerMetadata: { openai: { itemId: 'msg_1' } } },
          { type: 'text-delta', id: 'x', delta: 'Adding.' },
          { type: 'text-end', id: 'x' },
          {
            type: 'tool-call',
            toolCallId: 'c',
            toolName: 'add',
            input: '{"a":1,"b":2}',
            providerMetadata: { google: { thoughtSignature: 's' } },
          },
        ],
        finish: 'tool-calls',
      },
      'ok',
    ])
    await agent({ model, tools: [add] }).run('go')
    expect(model.requests[1]?.prompt[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hmm', providerOptions: meta },
        { type: 'text', text: 'Adding.', providerOptions: { openai: { itemId: 'msg_1' } } },
        {
          type: 'tool-call',
          toolCallId: 'c',
          toolName: 'add',
          input: { a: 1, b: 2 },
          providerOptions: { google: { thoughtSignature: 's' } },
        },
      ],
    })
  })

  test('in parts Loom does not interpret is kept, and sent back where a prompt may hold it', async () => {
    const model = scriptedModel([
      {
        text: 'Found.',
        parts: [
          { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
          { type: 'tool-call', toolCallId: 'p', toolName: 'web', input: '{"q":"x"}', providerExecuted: true },
          { type: 'tool-result', toolCallId: 'p', toolName: 'web', result: { hits: 1 } },
          { type: 'custom', kind: 'anthropic.message_start' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } },
          { type: 'ping' },
          { type: 'raw', rawValue: 1 },
        ],
        finish: 'stop',
      },
      'ok',
    ])
    const talker = agent({ model })
    expect((await talker.run('go', { thread: 't' })).text).toBe('Found.')
    await talker.run('and?', { thread: 't' })
    expect((await factsOf(talker, 't', 'model.replied'))[0]?.data.parts.map(({ type }) => type)).toEqual([
      'text',
      'provider',
      'provider',
      'provider',
      'file',
    ])
    expect(model.requests[1]?.prompt[1]).toMatchObject({
      content: [
        { type: 'text' },
        { type: 'tool-call', toolCallId: 'p', input: { q: 'x' }, providerExecuted: true },
        { type: 'tool-result', toolCallId: 'p', output: { type: 'json', value: { hits: 1 } } },
        { type: 'file', mediaType: 'image/png' },
      ],
    })
  })

  test('as call ids may repeat: within a turn and across turns the wire has unique ids, and each call its own result', async () => {
    const model = scriptedModel([
      {
        calls: [
          { tool: 'add', input: { a: 1, b: 1 }, id: 'call' },
          { tool: 'add', input: { a: 2, b: 2 }, id: 'call' },
        ],
      },
      {
        calls: [
          { tool: 'add', input: { a: 3, b: 3 }, id: 'call' },
          { tool: 'add', input: { a: 4, b: 4 }, id: '' },
        ],
      },
      'ok',
    ])
    await agent({ model, tools: [add] }).run('go')
    const prompt = model.requests[2]?.prompt ?? []
    const ids = prompt.flatMap((message) =>
      message.role === 'assistant' ? message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : [])) : [],
    )
    const answered = prompt.flatMap((message) =>
      message.role === 'tool' ? message.content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : [])) : [],
    )
    expect(new Set(ids).size).toBe(4)
    expect(answered).toEqual(ids)
    expect(JSON.stringify(prompt)).toMatch(/"value":2.*"value":4.*"value":6.*"value":8/)
  })

  test('about usage is counted, and nonsense counts 0', async () => {
    const odd = {
      inputTokens: { total: Number.NaN, noCache: undefined, cacheRead: 4, cacheWrite: 2 },
      outputTokens: { total: -5, text: undefined, reasoning: 3 },
    }
    const model = scriptedModel([{ parts: [{ type: 'finish', usage: odd, finishReason: { unified: 'stop', raw: 'stop' } }], cutAfter: 2 }])
    expect((await agent({ model }).run('go')).usage).toEqual({ input: 0, output: 0, cacheRead: 4, cacheWrite: 2, reasoning: 3 })
  })
})

describe('older specification versions', () => {
  const parts = (version: 2 | 3, text: string) => [
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: text },
    { type: 'text-end', id: '0' },
    version === 2
      ? {
          type: 'finish',
          finishReason: 'stop',
          usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10, reasoningTokens: 1, cachedInputTokens: 2 },
        }
      : {
          type: 'finish',
          finishReason: { unified: 'stop', raw: 'end' },
          usage: { inputTokens: { total: 7, cacheRead: 2 }, outputTokens: { total: 3, reasoning: 1 } },
        },
  ]
  const older = (version: 2 | 3) => {
    const requests: { prompt: unknown }[] = []
    const model = {
      specificationVersion: `v${version}`,
      provider: 'old',
      modelId: 'm',
      supportedUrls: {},
      doGenerate: () => Promise.reject(new Error('unused')),
      doStream: async (request: { prompt: unknown }) => {
        requests.push(request)
        return {
          stream: new ReadableStream({
            start(controller) {
              for (const part of parts(version, 'hi')) controller.enqueue(part)
              controller.close()
            },
          }),
        }
      },
    } as object as LanguageModelV2 | LanguageModelV3
    return { model, requests }
  }

  test.each([2, 3] as const)('v%s models work, with usage and files in their form', async (version) => {
    const { model, requests } = older(version)
    const result = await agent({ model }).run([
      { type: 'text', text: 'x' },
      { type: 'image', image: 'AQID', mediaType: 'image/png' },
    ])
    expect(result).toMatchObject({ status: 'done', text: 'hi', usage: { input: 7, output: 3, cacheRead: 2, reasoning: 1 } })
    expect(requests[0]?.prompt).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'x' },
          { type: 'file', mediaType: 'image/png', data: 'AQID' },
        ],
      },
    ])
  })
})

describe('structured output', () => {
  const output = z.object({ city: z.string(), people: z.number() })

  test('is asked for in the request and parsed, also out of a fence', async () => {
    const model = scriptedModel('```json\n{"city":"Paris","people":2}\n```')
    const result = await agent({ model, output }).run('go')
    expect(result).toMatchObject({ status: 'done', output: { city: 'Paris', people: 2 } })
    expect(model.requests[0]?.responseFormat).toMatchObject({ type: 'json', schema: { properties: { city: { type: 'string' } } } })
  })

  test('that does not fit is sent back with the reason, twice by default, then the run fails and can be resumed', async () => {
    const model = scriptedModel(['Paris', '{"city":1}', '{"city":"Paris","people":2}'])
    const geo = agent({ model, output })
    expect(await geo.run('go')).toMatchObject({ status: 'done', output: { city: 'Paris' }, turns: 3 })
    expect(JSON.stringify(model.requests[2]?.prompt)).toContain('people')
    const stubborn = agent({ model: scriptedModel(['no', 'no', 'no', '{"city":"Rome","people":1}']), output })
    expect(await stubborn.run('go', { thread: 't' })).toMatchObject({ status: 'failed', error: { code: 'LOOM_OUTPUT_INVALID' } })
    expect(await stubborn.resume('t').result()).toMatchObject({ status: 'done', output: { city: 'Rome' } })
  })

  test('works beside tools', async () => {
    const model = scriptedModel([{ calls: [{ tool: 'add', input: { a: 1, b: 2 } }] }, '{"city":"Oslo","people":3}'])
    expect(await agent({ model, output, tools: [add] }).run('go')).toMatchObject({ status: 'done', output: { people: 3 } })
  })
})
