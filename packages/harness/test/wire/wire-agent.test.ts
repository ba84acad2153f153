/** Loom on the real providers, judged by the wire servers: every request of an agent is one that its vendor takes. */
import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { agent, reject, tool } from '@loom-agent/agent'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { seal, signThought } from '../../src/wire/seal.ts'
import { type WireServer, type WireServerOptions, wireServer } from '../../src/wire/server.ts'
import { type Wire, wires } from '../../src/wire/wire.ts'
import { modelIds, modelOn } from './providers.ts'

const open: WireServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function started(options: WireServerOptions): Promise<WireServer> {
  const server = await wireServer(options)
  open.push(server)
  return server
}

const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })
const fails = tool({
  name: 'fails',
  input: z.object({}),
  effect: 'pure',
  run: () => {
    throw new Error('no luck')
  },
})
const asks = tool({ name: 'asks', input: z.object({}), permission: 'ask', run: () => 'done' })
const settings = { maxOutputTokens: 4000, providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2000 } } } }

/** Attempts follow at once. */
const ports = { random: () => 0 }

const thought = 'Let me add 🤔.'
const sum = {
  reasoning: thought,
  text: 'Adding.',
  calls: [
    { tool: 'add', input: { a: 2, b: 2 } },
    { tool: 'add', input: { a: 3, b: 4 } },
  ],
}

const problemsOf = ({ requests }: WireServer): readonly unknown[] =>
  requests.flatMap(({ number, problems }) => problems.map(({ rule }) => [number, rule]))

/** What the second request must bring back of the first reply, whose number is 1. */
const broughtBack: Readonly<Record<Wire, string>> = {
  'openai-chat': '"tool_call_id":"call_1_0","content":"4"',
  'openai-compatible': `"reasoning_content":"${thought}"`,
  'openai-responses': '{"type":"item_reference","id":"rs_1"}',
  anthropic: `"signature":"${signThought(thought)}"`,
  google: `"thoughtSignature":"${seal('thought 1')}"`,
}

describe.for(wires)('on %s', (wire) => {
  test('an agent calls its tool, sends back what the vendor requires, and answers', async () => {
    const server = await started({
      reply: [
        { ...sum, bytes: 5 },
        { ...sum, bytes: 3 },
        { reasoning: 'So.', text: '4 and 7.' },
      ],
    })
    const math = agent({ instructions: 'Be exact.', model: modelOn(wire, server), tools: { add }, settings })
    const result = await math.run('2+2? And 3+4?')
    expect(result).toMatchObject({ status: 'done', text: '4 and 7.', turns: 3 })
    expect(problemsOf(server)).toEqual([])
    expect(JSON.stringify(server.requests[1]?.body)).toContain(broughtBack[wire])
    expect(JSON.stringify(server.requests[2]?.body)).toContain(broughtBack[wire])
  })

  test('a thread continues with its earlier messages', async () => {
    const server = await started({ reply: [sum, '4 and 7.', sum, 'The same.'] })
    const math = agent({ instructions: 'Be exact.', model: modelOn(wire, server), tools: { add }, settings })
    await math.run('2+2? And 3+4?', { thread: 't' })
    expect(await math.run('Again, please.', { thread: 't' })).toMatchObject({ status: 'done', text: 'The same.' })
    expect(problemsOf(server)).toEqual([])
  })

  test('calls that fail, are refused, do not exist or cannot be read keep every request valid', async () => {
    const calls = [
      { tool: 'fails' },
      { tool: 'asks' },
      { tool: 'unheard_of' },
      { tool: 'add', input: '{"a": 2, "b' },
      { tool: 'add', input: { a: 2, b: 2 } },
    ]
    const server = await started({ reply: [{ reasoning: thought, calls }, 'Sorry.'] })
    const math = agent({ model: modelOn(wire, server), tools: { add, fails, asks }, settings, onQuestion: () => reject('not today') })
    expect(await math.run('Do it all.')).toMatchObject({ status: 'done', text: 'Sorry.' })
    expect(problemsOf(server)).toEqual([])
  })

  test('a steered message and a stop in the middle of an answer keep every request valid', async () => {
    const server = await started({ reply: [sum, { text: ['so ', 'far '], fault: { kind: 'stall', after: 5 } }, sum, 'Gone on.'] })
    const math = agent({ model: modelOn(wire, server), tools: { add }, settings })
    const run = math.start('2+2?', { thread: 't' })
    await expect.poll(() => server.requests.length, { interval: 5 }).toBe(2)
    await run.steer('And 3+4?')
    await run.stop('enough')
    expect(await run.result()).toMatchObject({ status: 'stopped', kind: 'cancelled' })
    const stalled = server.requests[1]
    await stalled?.over
    expect(stalled?.isAborted).toBe(true)
    expect(await math.run('Go on.', { thread: 't' })).toMatchObject({ status: 'done', text: 'Gone on.' })
    expect(problemsOf(server)).toEqual([])
  })

  test('what a run cost is what the vendor billed', async () => {
    const usage = { input: 900, cacheRead: 4000, cacheWrite: 300, output: 120, reasoning: 40 }
    const price = { input: 3_000_000, output: 15_000_000, cacheRead: 300_000, cacheWrite: 3_750_000 }
    const server = await started({
      reply: [
        { ...sum, usage },
        { text: '4 and 7.', usage },
      ],
      prices: { [modelIds[wire]]: price },
    })
    const priced = (
      _: string,
      { input, output, cacheRead = 0, cacheWrite = 0 }: { input: number; output: number; cacheRead?: number; cacheWrite?: number },
    ): number => Math.round((input - cacheRead - cacheWrite) * 3 + cacheRead * 0.3 + cacheWrite * 3.75 + output * 15)
    const result = await agent({ model: modelOn(wire, server), tools: { add }, settings, ports: { price: priced } }).run('2+2? And 3+4?')
    expect(result.cost).toBe(server.cost())
    expect(server.cost()).toBeGreaterThan(0)
  })

  test.for([
    ['a rate limit', { kind: 'status', status: 429, retryAfter: 0 }],
    ['an overloaded vendor', { kind: 'status', status: 529 }],
    ['a page of a gateway', { kind: 'html' }],
    ['a torn socket', { kind: 'cut' }],
    ['a torn stream', { kind: 'cut', after: 3 }],
  ] as const)('another attempt follows %s, with the same request', async ([, fault]) => {
    const server = await started({ reply: [{ text: 'Half an answer', fault }, 'The answer.'] })
    const result = await agent({ model: modelOn(wire, server), settings, ports }).run('2+2?')
    expect(result).toMatchObject({ status: 'done', text: 'The answer.' })
    expect(server.requests).toHaveLength(2)
    expect(server.requests[1]?.body).toEqual(server.requests[0]?.body)
  })

  test.for([400, 401, 403, 404, 413])('no other attempt follows status %i', async (status) => {
    const server = await started({ reply: () => ({ fault: { kind: 'status', status, message: 'No.' } }) })
    const result = await agent({ model: modelOn(wire, server), settings, ports }).run('2+2?')
    expect(result).toMatchObject({ status: 'failed', error: { message: 'The model failed: No.', context: { status } } })
    expect(server.requests).toHaveLength(1)
  })
})

describe('a thread that began with one vendor', () => {
  test.for(wires.flatMap((from) => wires.map((to) => [from, to] as const)))('continues with another: from %s to %s', async ([from, to]) => {
    const server = await started({ reply: [sum, '4 and 7.', sum, 'The same.'] })
    const math = agent({ instructions: 'Be exact.', model: modelOn(from, server), tools: { add }, settings })
    await math.run('2+2? And 3+4?', { thread: 't' })
    const again = await math.run('Again, please.', { thread: 't', model: modelOn(to, server) })
    expect(again).toMatchObject({ status: 'done', text: 'The same.' })
    expect(problemsOf(server)).toEqual([])
  })
})

describe('a rule is broken', () => {
  /** A model whose prompts have lost what providers wanted back. */
  const forgetful = (model: LanguageModelV4, forget: (prompt: LanguageModelV4Prompt) => LanguageModelV4Prompt): LanguageModelV4 => ({
    ...model,
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: {},
    doGenerate: (options) => model.doGenerate(options),
    doStream: (options) => model.doStream({ ...options, prompt: forget(options.prompt) }),
  })

  const withoutReasoning = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt =>
    prompt.map((message) =>
      message.role === 'assistant' ? { ...message, content: message.content.filter(({ type }) => type !== 'reasoning') } : message,
    )

  test.for([
    ['anthropic', 'anthropic/thinking-first'],
    ['openai-compatible', 'compatible/reasoning-returned'],
  ] as const)('when reasoning is lost on %s', async ([wire, rule]) => {
    const server = await started({ reply: [sum, '4 and 7.'] })
    const math = agent({ model: forgetful(modelOn(wire, server), withoutReasoning), tools: { add }, settings })
    expect(await math.run('2+2? And 3+4?')).toMatchObject({ status: 'failed', error: { context: { status: 400 } } })
    expect(problemsOf(server)).toEqual([[2, rule]])
  })

  test('when a thought comes back with other words', async () => {
    const server = await started({ reply: [sum, '4 and 7.'] })
    const reworded = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt =>
      prompt.map((message) => {
        if (message.role !== 'assistant') return message
        return { ...message, content: message.content.map((part) => (part.type === 'reasoning' ? { ...part, text: `${part.text} ` } : part)) }
      })
    const math = agent({ model: forgetful(modelOn('anthropic', server), reworded), tools: { add }, settings })
    expect(await math.run('2+2? And 3+4?')).toMatchObject({ status: 'failed' })
    expect(problemsOf(server)).toEqual([[2, 'anthropic/thinking-untouched']])
  })
})

describe('reasoning that the client keeps itself', () => {
  test('goes back to OpenAI encrypted', async () => {
    const server = await started({ reply: [sum, '4 and 7.'] })
    const own = { ...settings, providerOptions: { openai: { store: false } } }
    expect(await agent({ model: modelOn('openai-responses', server), tools: { add }, settings: own }).run('2+2?')).toMatchObject({ status: 'done' })
    expect(problemsOf(server)).toEqual([])
    expect(JSON.stringify(server.requests[1]?.body)).toContain(`"encrypted_content":"${seal(thought)}"`)
  })

  test('goes back to Anthropic unread', async () => {
    const server = await started({ reply: [{ hidden: 'hidden thought', calls: sum.calls }, '4 and 7.'] })
    expect(await agent({ model: modelOn('anthropic', server), tools: { add }, settings }).run('2+2?')).toMatchObject({ status: 'done' })
    expect(problemsOf(server)).toEqual([])
    expect(JSON.stringify(server.requests[1]?.body)).toContain(`"data":"${seal('hidden thought')}"`)
  })
})
