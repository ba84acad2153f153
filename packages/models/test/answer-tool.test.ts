/** Answers that fit a schema, from models that do not take schemas. */
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import { agent, tool } from '@loom-agent/agent'
import type { WireServer } from '@loom-agent/harness/wire'
import { answerTool, createModels } from '@loom-agent/models'
import { scriptedModel } from '@loom-agent/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { asking, createServers, partsOf } from './on-wire.ts'

const servers = createServers()
afterEach(servers.close)

const output = z.object({ city: z.string(), people: z.number() })
const count = tool({ name: 'count', input: z.object({ city: z.string() }), effect: 'pure', run: () => 3_700_000 })
const berlin = { city: 'Berlin', people: 3_700_000 }

const modelOf = (server: WireServer, jsonSchema?: boolean) =>
  createModels({
    env: {},
    providers: { mine: { baseURL: server.baseURLs['openai-compatible'], apiKey: 'sk-test', ...(jsonSchema !== undefined && { jsonSchema }) } },
  }).resolveModel('mine/llama')

interface Body {
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly tool_choice?: unknown
  readonly response_format?: { readonly type: string }
}

const bodiesOf = (server: WireServer): readonly Body[] => server.requests.map(({ body }) => body as Body)

describe('an endpoint that takes no schemas', () => {
  test('answers by a tool, after the calls that it needs, and the agent sees a plain answer', async () => {
    const server = await servers.start((_, { number }) => ({
      calls: [number === 1 ? { tool: 'count', input: { city: 'Berlin' } } : { tool: 'answer', input: berlin }],
    }))
    const worker = agent({ model: await modelOf(server), tools: [count], output })
    const result = await worker.run('How many live in Berlin?')
    expect(result).toMatchObject({ status: 'done', output: berlin, text: JSON.stringify(berlin) })
    const bodies = bodiesOf(server)
    expect(bodies.map(({ tools }) => tools?.map(({ function: { name } }) => name))).toEqual([
      ['count', 'answer'],
      ['count', 'answer'],
    ])
    expect(bodies.every(({ tool_choice, response_format }) => tool_choice === 'required' && response_format === undefined)).toBe(true)
  })

  test('is asked again when its answer does not fit', async () => {
    const server = await servers.start((_, { number }) => ({
      calls: [{ tool: 'answer', input: number === 1 ? { city: 'Berlin', people: 'many' } : berlin }],
    }))
    expect(await agent({ model: await modelOf(server), output }).run('Berlin?')).toMatchObject({ status: 'done', output: berlin })
    expect(bodiesOf(server)[0]?.tool_choice).toEqual({ type: 'function', function: { name: 'answer' } })
  })

  test('is called unchanged without a schema, and when it takes schemas', async () => {
    const server = await servers.start(() => ({ text: JSON.stringify(berlin) }))
    await agent({ model: await modelOf(server) }).run('Berlin?')
    await agent({ model: await modelOf(server, true), output }).run('Berlin?')
    expect(bodiesOf(server).map(({ tools, response_format }) => [tools, response_format?.type])).toEqual([
      [undefined, undefined],
      [undefined, 'json_schema'],
    ])
  })
})

const schema = { type: 'object', properties: { n: { type: 'number' } } } as const
const wanted = (more: Partial<LanguageModelV4CallOptions> = {}): LanguageModelV4CallOptions =>
  asking('n?', { responseFormat: { type: 'json', schema }, ...more })
const call = (name: string, input: object) => ({ tool: name, input })
const other = { type: 'function', name: 'look', inputSchema: { type: 'object' } } as const

/** A reply in one piece, of a model that streams. */
async function gathered(model: LanguageModelV4, call: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
  const parts = await partsOf(model, call)
  const text = parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part] : []))
  const finish = parts.find((part) => part.type === 'finish')
  if (finish?.type !== 'finish') throw new Error('The reply has no end.')
  const { usage, finishReason } = finish
  return { content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls], usage, finishReason, warnings: [] }
}

describe.each(['streamed', 'in one piece'] as const)('a reply that is %s', (how) => {
  async function heard(
    script: Parameters<typeof scriptedModel>[0],
    options = wanted(),
  ): Promise<{ text: string; calls: string[]; finish: string | undefined }> {
    const scripted = scriptedModel(script)
    const whole: LanguageModelV4 = { ...scripted, doGenerate: (call) => gathered(scripted, call) }
    const model = answerTool()(whole)
    if (how === 'streamed') {
      const parts = await partsOf(model, options)
      return {
        text: parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join(''),
        calls: parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolName] : [])),
        finish: parts.flatMap((part) => (part.type === 'finish' ? [part.finishReason.unified] : []))[0],
      }
    }
    const { content, finishReason } = await model.doGenerate(options)
    return {
      text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
      calls: content.flatMap((part) => (part.type === 'tool-call' ? [part.toolName] : [])),
      finish: finishReason.unified,
    }
  }

  test('is the answer alone, whatever text is beside it (ANSWER-1)', async () => {
    expect(await heard({ text: 'Here you are.', calls: [call('answer', { n: 1 })] })).toEqual({ text: '{"n":1}', calls: [], finish: 'stop' })
  })

  test('without an answer is its text (ANSWER-1)', async () => {
    expect(await heard('{"n":2}')).toMatchObject({ text: '{"n":2}', calls: [] })
  })

  test('with other calls is no answer yet (ANSWER-2)', async () => {
    const { calls, finish } = await heard({ calls: [call('look', {}), call('answer', { n: 1 })] }, wanted({ tools: [other] }))
    expect({ calls, finish }).toEqual({ calls: ['look'], finish: 'tool-calls' })
  })

  test('with two answers is the first', async () => {
    expect((await heard({ calls: [call('answer', { n: 1 }), call('answer', { n: 2 })] })).text).toBe('{"n":1}')
  })

  test('works when another tool has that name already', async () => {
    const mine = { ...other, name: 'answer' }
    expect(await heard({ calls: [call('answer_', { n: 1 })] }, wanted({ tools: [mine] }))).toMatchObject({ text: '{"n":1}', calls: [] })
  })
})
