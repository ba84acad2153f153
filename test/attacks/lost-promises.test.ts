/** Promises that reject inside of what code of a user returns, throws or gives: whether it is taken or refused, none is an unhandled rejection. */
import { type AgentOptions, agent, approve, type RunOptions, subscribe, tool } from '@loom-agent/agent'
import { isLoomError } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { idle } from '../support/event-loop.ts'
import { loadAll } from './load-all.ts'

let lost: unknown[] = []
const note = (error: unknown): void => void lost.push(error)
beforeAll(loadAll)
beforeEach(() => {
  lost = []
  process.on('unhandledRejection', note)
})
afterEach(() => {
  process.off('unhandledRejection', note)
})

const late = (): Promise<never> => Promise.reject(new Error('late'))
/** Anything may be given where types are not checked. */
type Anything = never
const shapes: Readonly<Record<string, () => unknown>> = {
  'in a list': () => [late(), { b: late() }],
  'under names': () => ({ a: [late(), { b: late() }] }),
  'under a symbol': () => ({ a: 1, [Symbol('hidden')]: late() }),
}

type Body = (input: unknown, ctx: { readonly [name: string]: (...given: readonly unknown[]) => unknown }) => unknown
const start = (options: object, of: object = {}) => {
  const act = tool({ name: 'act', effect: 'read', run: () => 'acted', ...of } as Anything)
  const model = scriptedModel([{ calls: [{ tool: 'act', input: { a: 1 } }] }, 'ok', 'ok'])
  return agent({ name: 'worker', model, tools: [act], ports: { development: false }, ...options } as AgentOptions)
}
const acting = (of: object) => start({}, of).run('go')
const entering = (run: Body) => start({ onQuestion: () => approve() }, { durable: true, run }).run('go')
const asking = (onQuestion: () => unknown) => start({ permissions: { act: 'ask', default: 'deny' }, onQuestion }).run('go')
const schema = (validate: () => unknown) => ({
  '~standard': { version: 1, vendor: 'own', validate, jsonSchema: { input: () => ({ type: 'object' }) } },
})

const places: Readonly<Record<string, (make: () => unknown) => unknown>> = {
  'the tools of an agent': (make) => start({ tools: make() }).run('go'),
  'the tools of a run': (make) => start({}).run('go', { tools: make() } as RunOptions),
  'what tools return': (make) => start({ tools: async () => make() }).run('go'),
  'what instructions return': (make) => start({ instructions: () => make() }).run('go'),
  'what deps return': (make) => start({ deps: () => make() }).run('go'),
  'a model': (make) => start({ model: make() }).run('go'),
  'what a model returns': (make) =>
    start({ model: { specificationVersion: 'v4', provider: 'p', modelId: 'm', doStream: async () => make() } }).run('go'),
  metadata: (make) => start({}).run('go', { metadata: make() as Anything }),
  'what a tool says of being available': (make) => acting({ available: () => make() }),
  'what a lock returns': (make) => acting({ schedule: { lock: () => make() } }),
  'an effect class': (make) => acting({ effect: () => make() }),
  'what the permission of a tool returns': (make) => acting({ permission: async () => make() }),
  'what a condition returns': (make) =>
    start({ permissions: { rules: [{ tool: 'act', verdict: 'deny', when: () => make() }], default: 'allow' } }).run('go'),
  'what a hook observes': (make) => start({ hooks: [{ name: 'h', observe: () => make() }] }).run('go'),
  'what a hook returns': (make) => start({ hooks: [{ name: 'h', afterToolExecution: async () => make() }] }).run('go'),
  'what a listener returns': async (make) => subscribe(start({}).start('go').events(), { event: () => make() } as Anything),
  'what a resolver returns': (make) => asking(async () => make()),
  'the answer of a resolver': (make) => asking(() => ({ answer: make() })),
  'edited arguments': (make) => asking(() => ({ answer: { kind: 'edit', input: make() } })),
  'who answers': (make) => asking(() => ({ answer: { kind: 'approve' }, by: make() })),
  'an answer': async (make) => {
    const worker = start({ permissions: { act: 'ask', default: 'deny' } })
    const { questions } = await worker.run('go')
    await worker.answer(questions[0]?.id ?? '', make() as Anything)
  },
  'what a tool returns': (make) => acting({ run: () => make() }),
  'what a tool throws': (make) =>
    acting({
      run: () => {
        throw make()
      },
    }),
  'what a generator yields and returns': (make) =>
    acting({
      run: async function* () {
        yield make()
        return make()
      },
    }),
  progress: (make) => acting({ run: (_: unknown, { progress }: { progress: (data: unknown) => void }) => progress(make()) }),
  'problems of a schema': (make) => acting({ input: schema(() => ({ issues: [make()] })) }),
  'what a step returns': (make) => entering((_, ctx) => ctx['step']?.('s', () => make())),
  'the options of a step': (make) => entering((_, ctx) => ctx['step']?.('s', make(), make())),
  'what a question shows, at each entry': (make) => entering((_, ctx) => ctx['ask']?.('Sure?', { show: make() })),
  'what is asked': (make) => entering((_, ctx) => ctx['ask']?.(make())),
  'the value of a signal': async (make) => {
    const worker = start({})
    await worker.run('go', { thread: 't' })
    await worker.signal('t', 'name', make())
  },
  'the name of a signal': (make) => start({}).signal('t', make() as string, 1),
  'the name of a thread': (make) => start({}).run('go', { thread: make() as string }),
}

describe.each(Object.entries(shapes))('a promise %s', (_, make) => {
  it.each(Object.entries(places))('of %s is lost nowhere', async (_place, give) => {
    const outcome = await Promise.resolve()
      .then(() => give(make))
      .then(
        () => 'taken',
        (error: unknown) => (isLoomError(error) ? 'refused' : error),
      )
    await idle()
    expect(outcome).toMatch(/^(?:taken|refused)$/)
    expect(lost).toEqual([])
  })
})

it.each([
  ['options', () => agent(late() as Anything)],
  ['a hook', () => start({ hooks: [late()] })],
  ['the options of a run', () => start({}).run('go', late() as Anything)],
])('a promise in the place of %s is refused', async (_, give) => {
  await expect((async (): Promise<unknown> => give())()).rejects.toMatchObject({
    code: 'LOOM_OPTION_INVALID',
    message: expect.stringContaining('promise'),
  })
  await idle()
  expect(lost).toEqual([])
})

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])

it.each([
  ['a value of megabytes', 'x'.repeat(5_000_000), /5000002 characters/],
  ['a value of many levels', deep(65), /nested more than 64 deep/],
])('a signal with %s is refused, and nothing is stored', async (_, value, words) => {
  const worker = start({})
  await worker.run('go', { thread: 't' })
  const before = await worker.journal.head('t')
  await expect(worker.signal('t', 'name', value)).rejects.toMatchObject({ code: 'LOOM_SIGNAL_INVALID', message: expect.stringMatching(words) })
  expect((await worker.journal.head('t'))?.seq).toBe(before?.seq)
  await worker.signal('t', 'name', deep(64))
})

it.each([
  ['edits arguments of many levels', { kind: 'edit', input: { a: deep(64) } }, /nested more than 64 deep/],
  ['edits arguments to more than a model may send', { kind: 'edit', input: { a: 'x'.repeat(300_000) } }, /262144 are allowed/],
  ['responds with many levels', { kind: 'respond', value: deep(65) }, /nested more than 64 deep/],
] as const)('an answer that %s is refused, and the question stays open', async (_, answer, words) => {
  const worker = start({ permissions: { act: 'ask', default: 'deny' } })
  const { questions } = await worker.run('go', { thread: 't' })
  const id = questions[0]?.id ?? ''
  await expect(worker.answer(id, { answer: answer as Anything })).rejects.toMatchObject({
    code: 'LOOM_ANSWER_INVALID',
    message: expect.stringMatching(words),
  })
  await expect(worker.answer(id, { answer: { kind: 'edit', input: { a: deep(60) as Anything } } })).resolves.toBeUndefined()
})
