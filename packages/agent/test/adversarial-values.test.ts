/** Values that are not JSON, at every point where a program passes them in: memory and disk behave alike (JSON-1, law 1). */
import {
  type AgentOptions,
  agent,
  answerWith,
  approve,
  frameAt,
  type Hook,
  memoryJournal,
  type RunHandle,
  respond,
  type SignedAnswer,
  tool,
} from '@loom-agent/agent'
import type { Frame } from '@loom-agent/kernel'
import { type ScriptStep, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

const act = tool({ name: 'act', effect: 'read', run: () => 'acted' })
const calling: readonly ScriptStep[] = [{ calls: [{ tool: 'act', input: { n: 1 } }] }, 'ok']

/** What a careless program passes in. Types forbid it; programs do it. */
const odd = {
  big: 2n ** 70n,
  date: new Date(0),
  nan: Number.NaN,
  infinite: Number.POSITIVE_INFINITY,
  minus: -0,
  map: new Map([['a', 1]]),
  half: 'a\ud83d',
  missing: undefined,
  run: () => 1,
} as never

interface EntryPoint {
  readonly says?: readonly ScriptStep[]
  readonly options?: AgentOptions
  readonly given?: object
  readonly live?: (run: RunHandle<unknown>) => Promise<void>
}

const hook = (methods: Hook): EntryPoint => ({ says: calling, options: { tools: [act], hooks: [methods] } })
const asking = (show: never) => tool({ name: 'act', durable: true, run: async (_, ctx) => (await ctx.ask('?', { show })).kind })
const answering =
  (answer: SignedAnswer) =>
  async (run: RunHandle<unknown>): Promise<void> => {
    const { questions } = await run.result()
    await run.answer(questions[0]?.id ?? '', answer)
  }

const steered = Promise.withResolvers<string>()

const entryPoints: Record<string, EntryPoint> = {
  'arguments from a hook': hook({ beforeToolExecution: () => ({ input: odd }) }),
  'a result from a hook': hook({ afterToolExecution: () => ({ output: { type: 'json', value: odd } }) }),
  'a stand-in from a hook': hook({ beforeToolExecution: () => answerWith({ type: 'json', value: odd }) }),
  'a reply from a hook': hook({
    afterModelReply: ({ turn }, { parts }) =>
      turn === 1 ? { parts: parts.map((part) => (part.type === 'call' ? { ...part, input: odd } : part)) } : undefined,
  }),
  'messages from a hook': hook({
    beforeModelCall: (_, { messages }) => ({
      messages: [...messages, { role: 'user', content: [{ type: 'text', text: 'x', providerOptions: { a: odd } }] }],
    }),
  }),
  'settings from a hook': hook({ beforeIterationStart: () => ({ settings: { providerOptions: { a: odd } } }) }),
  'limits without a limit from a hook': hook({ beforeIterationStart: () => ({ limits: { tokens: Number.POSITIVE_INFINITY } }) }),
  'arguments from a model': {
    says: [{ calls: [{ tool: 'act', input: '{"minus":-0,"big":12345678901234567890,"half":"\\ud83d"}' }] }, 'ok'],
    options: { tools: [act] },
  },
  'the result of a tool': { says: calling, options: { tools: [tool({ name: 'act', run: () => odd })] } },
  'minus nothing from a tool': { says: calling, options: { tools: [tool({ name: 'act', run: () => -0 })] } },
  'the result of a step': { says: calling, options: { tools: [tool({ name: 'act', durable: true, run: (_, ctx) => ctx.step('s', () => odd) })] } },
  'what a question shows': { says: calling, options: { tools: [asking(odd)] }, live: answering(approve()) },
  'what an answer gives': { says: calling, options: { tools: [asking(1 as never)] }, live: answering(respond(odd)) },
  'limits without a limit in an answer': {
    says: [{ calls: [{ tool: 'act' }], usage: { input: 90, output: 20 } }, { calls: [{ tool: 'act' }], usage: { input: 90, output: 20 } }, 'ok'],
    options: { tools: [act], limits: { tokens: 100 } },
    live: (run) =>
      answering(approve({ limits: { tokens: Number.POSITIVE_INFINITY } }))(run).catch(() => answering(approve({ limits: { tokens: 9_999 } }))(run)),
  },
  'the priority of a word in between': {
    says: [
      { calls: [{ tool: 'act' }] },
      ({ prompt }) => (JSON.stringify(prompt).indexOf('urgent') < JSON.stringify(prompt).indexOf('later') ? 'ok' : 'out of order'),
    ],
    options: { tools: [tool({ name: 'act', effect: 'read', run: () => steered.promise })] },
    async live(run) {
      await run.steer('later')
      await run.steer('urgent', { priority: Number.POSITIVE_INFINITY })
      steered.resolve('x')
    },
  },
  'what a strategy retrieves': {
    says: ['ok'],
    options: {
      context: {
        name: 'x',
        assemble: () => ({ retrieved: { query: 'q', documents: [{ id: 'd', text: 'a\ud83d', title: undefined as never }] } }),
      },
    },
  },
  'what a strategy summarizes': {
    says: ['ok'],
    options: {
      context: { name: 'x', assemble: () => ({ compressed: { from: 1, to: 1, summary: 'a\ud83d', tokensAfter: undefined as never } }) },
    },
  },
  'a price': { says: ['ok'], options: { ports: { price: () => Number.NaN } } },
  metadata: { says: ['ok'], given: { metadata: odd } },
  settings: { says: ['ok'], given: { settings: { providerOptions: { a: odd } } } },
  'parts of an input': { says: ['ok'] },
}

describe('what is not JSON becomes JSON when it enters an event', () => {
  test.each(Object.entries(entryPoints))('%s', async (name, { says = ['ok'], options = {}, given = {}, live }) => {
    const journal = memoryJournal()
    const seen: Frame[] = []
    const observers = [(_: unknown, frame: Frame) => void seen.push(frame)]
    const worker = agent({ model: scriptedModel(says), journal, observers, ...options })
    const input = name === 'parts of an input' ? [{ type: 'data' as const, data: odd }] : 'go'
    const run = worker.start(input, { thread: 't', ...given })
    await live?.(run)
    expect(await run.result()).toMatchObject({ status: 'done', text: 'ok' })
    expect(seen.at(-1)).toEqual(await frameAt(journal, 't'))
  })

  test('hooks see what the hook before them made, as JSON', async () => {
    const seen: unknown[] = []
    const look: Hook = { beforeToolExecution: (_, { input }) => void seen.push(input) }
    const hooks: readonly Hook[] = [{ beforeToolExecution: () => ({ input: { at: new Date(0), n: -0 } as never }) }, look]
    await agent({ model: scriptedModel(calling), tools: [act], hooks }).run('go')
    expect(seen).toEqual([{ at: '1970-01-01T00:00:00.000Z', n: 0 }])
  })

  test('and what a program keeps of it, and changes later, changes nothing', async () => {
    const mine = { list: [1] }
    const hooks: readonly Hook[] = [{ beforeToolExecution: () => ({ input: mine }) }]
    const seen: Frame[] = []
    const spoil = tool({
      name: 'act',
      run: () => {
        mine.list.push(2)
        return mine
      },
    })
    const worker = agent({ model: scriptedModel(calling), tools: [spoil], hooks, observers: [(_, frame) => void seen.push(frame)] })
    await worker.run('go', { thread: 't' })
    mine.list.push(3)
    expect(seen.at(-1)).toEqual(await frameAt(worker.journal, 't'))
  })
})

describe('what a hook cannot have meant', () => {
  const ofRun: Record<string, Hook> = {
    'a word where fields are expected': { beforeIterationStart: () => 'go on' as never },
    'a list where fields are expected': { beforeIterationStart: () => [] as never },
    'a date where fields are expected': { beforeIterationStart: () => new Date(0) as never },
    'a limit that does not exist': { beforeIterationStart: () => ({ limits: { tokns: 5 } as never }) },
    'a limit that is no number': { beforeIterationStart: () => ({ limits: { tokens: Number.NaN } }) },
    'limits that are none': { beforeIterationStart: () => ({ limits: null as never }) },
    'parts that are none': { afterModelReply: () => ({ parts: 5 as never }) },
    'a list of what are no parts': { afterModelReply: () => ({ parts: [5 as never] }) },
  }
  test.each(Object.entries(ofRun))('%s fails the run, which can be resumed', async (_, methods) => {
    const worker = agent({ model: scriptedModel(calling), tools: [act], hooks: [methods] })
    expect(await worker.run('go', { thread: 't' })).toMatchObject({ status: 'failed', error: { code: 'LOOM_HOOK_FAILED' } })
    const mended = agent({ model: scriptedModel(() => 'ok'), tools: [act], journal: worker.journal })
    expect(await mended.resume('t').result()).toMatchObject({ status: 'done', text: 'ok' })
  })

  const outputs: readonly unknown[] = [
    'x',
    null,
    { type: 'txt', value: 'x' },
    { type: 'text', value: 5 },
    { type: 'json' },
    { type: 'parts', value: [5] },
  ]
  test.each(outputs)('the output %j is an error that the model reads', async (output) => {
    const hooks: readonly Hook[] = [
      { afterToolExecution: () => ({ output: output as never }) },
      { beforeToolExecution: () => answerWith(output as never) },
    ]
    for (const one of hooks) {
      const model = scriptedModel(calling)
      expect((await agent({ model, tools: [act], hooks: [one] }).run('go')).status).toBe('done')
      expect(model.requests[1]?.prompt.at(-1)).toMatchObject({
        content: [{ output: { type: 'error-text', value: expect.stringContaining('output is') } }],
      })
    }
  })
})
