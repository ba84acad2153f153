/** The real providers understand the replies of the wire servers. */
import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import { afterEach, describe, expect, test } from 'vitest'
import type { WireReply } from '../../src/wire/reply.ts'
import { seal, signThought } from '../../src/wire/seal.ts'
import { type WireServer, type WireStep, wireServer } from '../../src/wire/server.ts'
import { type Wire, wires } from '../../src/wire/wire.ts'
import { modelOn, ofType, partsOf, question } from './providers.ts'

const open: WireServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function serverThatSays(reply: WireStep | readonly WireStep[]): Promise<WireServer> {
  const server = await wireServer({ reply })
  open.push(server)
  return server
}

const bern = { city: 'Bern 🏔️', note: 'Zürich → 北京' }
const basel = { city: 'Basel' }
const rich: WireReply = {
  reasoning: ['Two calls ', 'will do 🤔.'],
  text: ['Let me ', 'lóok.'],
  calls: [
    { tool: 'weather', input: bern },
    { tool: 'weather', input: basel, pieces: ['{"ci', 'ty":"Ba', 'sel"', '}'] },
  ],
  usage: { input: 100, cacheRead: 20, cacheWrite: 5, output: 30, reasoning: 12 },
}

const showsReasoning = (wire: Wire): boolean => wire !== 'openai-chat'
const countsWrites = (wire: Wire): boolean => wire !== 'google' && wire !== 'openai-compatible'

function expectUsage(wire: Wire, { inputTokens, outputTokens }: LanguageModelV4Usage): void {
  expect(inputTokens).toMatchObject({ total: 125, cacheRead: 20, ...(countsWrites(wire) ? { noCache: 100, cacheWrite: 5 } : { noCache: 105 }) })
  expect(outputTokens).toMatchObject({ total: 30, reasoning: 12 })
}

describe.for(wires)('%s', (wire) => {
  test('a stream gives text, reasoning, parallel calls, usage and the end', async () => {
    const server = await serverThatSays(rich)
    const { parts, thrown } = await partsOf(modelOn(wire, server))
    expect(thrown).toBeUndefined()
    expect(ofType(parts, 'error')).toEqual([])
    expect(ofType(parts, 'text-delta').map(({ delta }) => delta)).toEqual(expect.arrayContaining(['Let me ', 'lóok.']))
    const thoughts = ofType(parts, 'reasoning-delta').map(({ delta }) => delta)
    expect(thoughts.join('')).toBe(showsReasoning(wire) ? 'Two calls will do 🤔.' : '')
    const calls = ofType(parts, 'tool-call')
    expect(calls.map(({ input }) => JSON.parse(input) as unknown)).toEqual([bern, basel])
    expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(2)
    const [finish] = ofType(parts, 'finish')
    expect(finish?.finishReason.unified).toBe('tool-calls')
    if (finish) expectUsage(wire, finish.usage)
    await server.requests[0]?.over
    expect(server.requests[0]).toMatchObject({ problems: [], status: 200, isAborted: false })
  })

  test('an answer in one piece gives the same', async () => {
    const server = await serverThatSays(rich)
    const { content, finishReason, usage } = await modelOn(wire, server).doGenerate(question)
    expect(content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')).toBe('Let me lóok.')
    expect(content.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('')).toBe(
      showsReasoning(wire) ? 'Two calls will do 🤔.' : '',
    )
    expect(content.flatMap((part) => (part.type === 'tool-call' ? [JSON.parse(part.input) as unknown] : []))).toEqual([bern, basel])
    expect(finishReason.unified).toBe('tool-calls')
    expectUsage(wire, usage)
    expect(server.requests[0]).toMatchObject({ streams: false, problems: [] })
  })

  test.for([1, 2, 3, 7])('a stream that is cut every %i bytes, inside characters too, gives the same', async (bytes) => {
    const server = await serverThatSays([rich, { ...rich, bytes }])
    const model = modelOn(wire, server)
    const whole = await partsOf(model)
    const cut = await partsOf(model)
    expect(cut.thrown).toBeUndefined()
    // Ids, times and tokens of their own are all that two replies differ in.
    const said = ({ parts }: typeof cut): unknown =>
      parts.flatMap((part) => ('delta' in part ? [part.delta] : part.type === 'tool-call' ? [part.input] : []))
    expect(said(cut)).toEqual(said(whole))
  })

  test.for([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content-filter', 'content-filter'],
  ] as const)('an answer that ends with %s is recognised', async ([finish, unified]) => {
    const server = await serverThatSays({ text: 'So far', finish })
    const { parts } = await partsOf(modelOn(wire, server))
    expect(ofType(parts, 'finish').map(({ finishReason }) => finishReason.unified)).toEqual([unified])
  })

  test('arguments that are no JSON come as they are, where a wire can carry them', async () => {
    const server = await serverThatSays({ calls: [{ tool: 'weather', input: '{"city": "Ber' }] })
    const { parts } = await partsOf(modelOn(wire, server))
    const deltas = ofType(parts, 'tool-input-delta').map(({ delta }) => delta)
    expect(deltas.join('')).toBe(wire === 'google' ? '{}' : '{"city": "Ber')
  })
})

describe('what a vendor wants back', () => {
  test('Anthropic signs thoughts and hides some', async () => {
    const server = await serverThatSays({ ...rich, hidden: 'hidden thought' })
    const { parts } = await partsOf(modelOn('anthropic', server))
    const metadata = parts.flatMap((part) =>
      'providerMetadata' in part && part.type.startsWith('reasoning') ? [part.providerMetadata?.['anthropic']] : [],
    )
    expect(metadata).toContainEqual({ signature: signThought('Two calls will do 🤔.') })
    expect(metadata).toContainEqual({ redactedData: seal('hidden thought') })
  })

  test('OpenAI names its items, and encrypts reasoning for clients that keep it themselves', async () => {
    const server = await serverThatSays([rich, rich])
    const model = modelOn('openai-responses', server)
    const stored = await partsOf(model)
    expect(ofType(stored.parts, 'reasoning-start')[0]?.providerMetadata).toEqual({ openai: { itemId: 'rs_1', reasoningEncryptedContent: null } })
    expect(ofType(stored.parts, 'tool-call')[0]?.providerMetadata).toMatchObject({ openai: { itemId: 'fc_1_0' } })
    const own = await partsOf(model, { ...question, providerOptions: { openai: { store: false, include: ['reasoning.encrypted_content'] } } })
    const sealed = { openai: { itemId: 'rs_2', reasoningEncryptedContent: seal('Two calls will do 🤔.') } }
    expect(ofType(own.parts, 'reasoning-end')[0]?.providerMetadata).toEqual(sealed)
  })

  test('Google signs the first of parallel calls', async () => {
    const server = await serverThatSays(rich)
    const { parts } = await partsOf(modelOn('google', server))
    const [first, second] = ofType(parts, 'tool-call')
    expect(first?.providerMetadata).toEqual({ google: { thoughtSignature: seal('thought 1') } })
    expect(second?.providerMetadata).toBeUndefined()
  })
})
