/** Models that send what no model may send: the run ends with a typed failure that says what was wrong. It never throws a raw error, and never hangs. */
import { agent, type Model, tool } from '@loom-agent/agent'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { typesOf } from './journals.ts'

const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
const modelOf = (doStream: () => unknown): Model =>
  ({ specificationVersion: 'v4', provider: 'odd', modelId: 'odd', supportedUrls: {}, doStream: async () => doStream() }) as never
const streaming = (parts: readonly unknown[]): Model =>
  modelOf(() => ({
    stream: (async function* () {
      yield* parts
    })(),
  }))

const finish = { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } } }
const call = { type: 'tool-call', toolCallId: 'c', toolName: 'look', input: '{}' }

/** An error of a provider's package whose fields throw until its response has been read. */
const unreadableError: unknown = Object.defineProperty(new Error('refused'), 'statusCode', {
  get: () => {
    throw new Error('the response was not read yet')
  },
})
const throwing = (): never => {
  throw unreadableError
}

/** The words of the platform for what a program did wrong: a user must not read them. */
const raw = /Cannot read|is not a function|not iterable|undefined \(|Cannot destructure|Cannot convert|in' operator/

async function runOn(model: Model) {
  const worker = agent({ model, tools: [look], behaviour: { attempts: 1 }, limits: { turns: 3 } })
  const result = await worker.run('go', { thread: 't' })
  return { result, types: await typesOf(worker, 't') }
}

describe('a model fails with what it sent:', () => {
  test.each<[string, Model, string]>([
    ['an error that cannot be looked at', modelOf(throwing), 'an error that cannot be read'],
    ['such an error in the stream', streaming([{ type: 'error', error: unreadableError }]), 'an error that cannot be read'],
    ['nothing at all', modelOf(() => undefined), 'doStream returned no stream'],
    ['no stream', modelOf(() => ({ content: [] })), 'doStream returned no stream'],
    ['a stream that is a text', modelOf(() => ({ stream: 'hi' })), 'doStream returned no stream'],
    ['an object that is no stream', modelOf(() => ({ stream: {} })), 'doStream returned no stream'],
    ['null as a part', streaming([null]), 'a part of the stream has no type'],
    ['a part without a type', streaming([{ text: 'x' }]), 'a part of the stream has no type'],
    ['text that is a number', streaming([{ type: 'text-delta', id: '1', delta: 7 }, finish]), 'text-delta needs a text as its delta'],
    ['a call without a name', streaming([{ ...call, toolName: undefined }, finish]), 'tool-call needs a text as its toolName'],
    ['a call without an id', streaming([{ ...call, toolCallId: 4 }, finish]), 'tool-call needs a text as its toolCallId'],
    ['arguments that are no text', streaming([{ ...call, input: {} }, finish]), 'tool-call needs a text as its input'],
    ['an end without a reason', streaming([{ ...finish, finishReason: undefined }]), 'finish needs a finishReason'],
  ])('%s', async (_, model, problem) => {
    const { result, types } = await runOn(model)
    expect(result).toMatchObject({ status: 'failed', error: { code: expect.stringMatching(/^LOOM_MODEL_(FAILED|INVALID)$/) } })
    expect(result.status === 'failed' && result.error.message).toContain(problem)
    expect(types.slice(-2)).toEqual(['model.failed', 'run.failed'])
  })
})

test('an object without doStream is refused where it is given', () => {
  expect(() => agent({ model: { specificationVersion: 'v4', provider: 'p', modelId: 'm' } as never })).toThrow(/without doStream/)
})

test('usage that is missing or garbage counts 0, and the reply is used', async () => {
  for (const usage of [undefined, null, 'x', { inputTokens: null }, { inputTokens: 'many', outputTokens: { total: -1 } }]) {
    const { result } = await runOn(
      streaming([
        { type: 'text-delta', id: '1', delta: 'hi' },
        { ...finish, usage },
      ]),
    )
    expect(result).toMatchObject({ status: 'done', text: 'hi', usage: { input: 0, output: 0 } })
  }
})

/** A part with garbage in one or more of its fields, or without them. */
const anyPart = fc
  .tuple(
    fc.constantFrom<object>(
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'x' },
      { type: 'text-end', id: '1' },
      { type: 'reasoning-delta', id: '2', delta: 'x' },
      { type: 'tool-input-start', id: 'c', toolName: 'look' },
      { type: 'tool-input-delta', id: 'c', delta: '{' },
      { type: 'tool-input-end', id: 'c' },
      call,
      { ...call, providerExecuted: true },
      { type: 'tool-result', toolCallId: 'c', toolName: 'look', result: {} },
      { type: 'file', mediaType: 'text/plain', data: 'aGk=' },
      { type: 'file', mediaType: 'text/plain', data: { type: 'url', url: 'https://example.com' } },
      { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
      { type: 'custom', kind: 'a.b', providerMetadata: { a: {} } },
      { type: 'response-metadata', modelId: 'm' },
      { type: 'stream-start', warnings: [] },
      { type: 'error', error: 'broken' },
      finish,
    ),
    fc.dictionary(
      fc.constantFrom(
        'type',
        'id',
        'delta',
        'toolName',
        'toolCallId',
        'input',
        'mediaType',
        'data',
        'usage',
        'finishReason',
        'modelId',
        'providerMetadata',
      ),
      fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.constant(Number.NaN), fc.bigInt(), fc.constant(Symbol('odd')), fc.func(fc.constant(1))),
      { maxKeys: 2 },
    ),
  )
  .map(([part, garbage]): unknown => ({ ...part, ...garbage }))

test('whatever is in the fields of a reply, the run settles with a typed result', async () => {
  const anyReply = fc.array(fc.oneof({ weight: 9, arbitrary: anyPart }, { weight: 1, arbitrary: fc.anything() }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(anyReply, fc.boolean(), async (parts, ends) => {
      const { result, types } = await runOn(streaming(ends ? [...parts, finish] : parts))
      expect(['done', 'failed', 'stopped']).toContain(result.status)
      if (result.status !== 'failed') return
      expect(result.error.code).toMatch(/^LOOM_/)
      expect(result.error.message).not.toMatch(raw)
      expect(types.at(-1)).toBe('run.failed')
    }),
    { numRuns: 1000 },
  )
})
