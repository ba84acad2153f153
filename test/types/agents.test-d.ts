/** What an agent, its runs and their results know without saying any type. Compiled, never run: `tsc -b` and `test/types/programs.test.ts` judge it. */
import { migrate } from '@loom-agent/journals'
import {
  type Agent,
  agent,
  type ChildResult,
  type Done,
  done,
  type EventOf,
  type Failure,
  type Head,
  isSignal,
  type Json,
  jsonSchema,
  type LoomEvent,
  type Question,
  type Result,
  type RunEvent,
  type RunHandle,
  type RunOptions,
  type Signal,
  type SignedAnswer,
  type Situation,
  type Step,
  tool,
} from 'loom-agent'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'

interface Shop {
  readonly orders: Map<number, string>
}
const shop: Shop = { orders: new Map() }
const look = tool<Shop>()({ name: 'look', run: (_, ctx) => ctx.deps.orders.size })
const invoice = z.object({ total: z.number(), paid: z.boolean().default(false) })

test('output is what the schema lets through; without a schema it is the text', async () => {
  expectTypeOf(agent({ output: invoice })).toEqualTypeOf<Agent<unknown, { total: number; paid: boolean }>>()
  expectTypeOf(agent({ output: jsonSchema<{ total: number }>({ type: 'object' }) })).toEqualTypeOf<Agent<unknown, { total: number }>>()
  expectTypeOf(agent({ output: jsonSchema({ type: 'object' }) })).toEqualTypeOf<Agent<unknown, unknown>>()
  expectTypeOf(agent({})).toEqualTypeOf<Agent<unknown, string>>()
  expectTypeOf(agent<Shop>()({ output: invoice, deps: shop })).toExtend<Agent<Shop, { total: number; paid: boolean }>>()
  const result = await agent({ output: invoice }).run('Hi')
  expectTypeOf(result).toEqualTypeOf<Result<{ total: number; paid: boolean }>>()
  if (result.status === 'done') {
    expectTypeOf(result.output).not.toBeAny()
    expectTypeOf(result.output).toEqualTypeOf<{ total: number; paid: boolean }>()
  }
})

test('output is what the journal returns: a date that the schema makes is a text', () => {
  const order = z.object({
    when: z.iso.datetime().transform((text) => new Date(text)),
    words: z.string().transform((text) => new Set(text.split(' '))),
    length: z.string().transform((text) => text.length),
    big: z.string().transform((digits) => BigInt(digits)),
    note: z.string().optional(),
    pairs: z.array(z.tuple([z.string(), z.number()])),
    any: z.unknown(),
  })
  type Expected = {
    when: string
    words: string[]
    length: number
    big: string
    note?: string | undefined
    pairs: [string, number][]
    any: unknown
  }
  expectTypeOf(agent({ output: order })).toEqualTypeOf<Agent<unknown, Expected>>()
  expectTypeOf(agent({ output: z.string().transform((text) => new Date(text)) })).toEqualTypeOf<Agent<unknown, string>>()
})

test('a result narrows on its status, and only what is done has an output', async () => {
  const result = await agent({}).run('Hi')
  expectTypeOf(result.status).toEqualTypeOf<'done' | 'waiting' | 'stopped' | 'failed'>()
  expectTypeOf(result.text).toBeString()
  expectTypeOf(result.cost).toEqualTypeOf<number | undefined>()
  expectTypeOf(result.questions).toEqualTypeOf<readonly Question[]>()
  switch (result.status) {
    case 'done':
      expectTypeOf(result).toEqualTypeOf<Done<string>>()
      return
    case 'waiting':
      expectTypeOf(result.until).toEqualTypeOf<number | undefined>()
      return
    case 'stopped':
      expectTypeOf(result.kind).toEqualTypeOf<'cancelled' | 'limit' | 'budget' | 'loop' | 'length' | 'filtered'>()
      return
    case 'failed':
      expectTypeOf(result.error).toEqualTypeOf<Failure>()
      return
    default:
      expectTypeOf(result).toBeNever()
  }
})

test('a result has steps, whose calls narrow on their status', async () => {
  const result = await agent({}).run('Hi')
  expectTypeOf(result.steps).toEqualTypeOf<readonly Step[]>()
  expectTypeOf(result.finish).toEqualTypeOf<'stop' | 'calls' | 'length' | 'filtered' | 'other' | undefined>()
  expectTypeOf(result.files[0]?.mediaType).toEqualTypeOf<string | undefined>()
  expectTypeOf(result.warnings[0]?.message).toEqualTypeOf<string | undefined>()
  for (const call of result.steps[0]?.calls ?? []) {
    expectTypeOf(call.tool).toBeString()
    expectTypeOf(call.input).toEqualTypeOf<Json>()
    expectTypeOf(call.output).toEqualTypeOf<Json | undefined>()
    if (call.status === 'success' || call.status === 'warning') expectTypeOf(call.output).toEqualTypeOf<Json>()
    else if (call.status === 'error') expectTypeOf([call.output, call.errorType]).toEqualTypeOf<string[]>()
    else expectTypeOf(call.output).toBeUndefined()
  }
  for (const source of result.sources) {
    if (source.type === 'url') expectTypeOf(source.url).toBeString()
    else expectTypeOf(source.mediaType).toBeString()
  }
})

test('done() takes the result of a run or of a child, and returns the one that is done', async () => {
  const result = await agent({ output: invoice }).run('Hi')
  expectTypeOf(done(result)).toEqualTypeOf<Done<{ total: number; paid: boolean }>>()
  expectTypeOf(done(result).finish).toEqualTypeOf<'stop' | 'calls' | 'length' | 'filtered' | 'other'>()
  tool({
    durable: true,
    async run(_, ctx) {
      const child = done(await ctx.run(agent({ output: invoice }), 'Hi'))
      expectTypeOf(child.status).toEqualTypeOf<'done'>()
      expectTypeOf(child.output).toEqualTypeOf<{ total: number; paid: boolean }>()
      return child.text
    },
  })
  // A promise is no result: it has to be awaited.
  expectTypeOf<Promise<Result>>().not.toExtend<Parameters<typeof done>[0]>()
})

test('start, resume and stream return what run returns, each in its own form', () => {
  const clerk = agent({ output: invoice })
  expectTypeOf(clerk.start('Hi')).toEqualTypeOf<RunHandle<{ total: number; paid: boolean }>>()
  expectTypeOf(clerk.resume('t')).toEqualTypeOf<RunHandle<{ total: number; paid: boolean }>>()
  expectTypeOf(clerk.start('Hi').result()).toEqualTypeOf<Promise<Result<{ total: number; paid: boolean }>>>()
  expectTypeOf(clerk.stream('Hi')).toEqualTypeOf<AsyncIterableIterator<RunEvent>>()
  expectTypeOf(clerk.with({ name: 'other' })).toEqualTypeOf<Agent<unknown, { total: number; paid: boolean }>>()
})

test('agent<Deps>() types the dependencies of functions and runs', () => {
  const clerk = agent<Shop>()({
    tools: [look],
    instructions(situation) {
      expectTypeOf(situation).toEqualTypeOf<Situation<Shop>>()
      return ''
    },
    deps(situation) {
      expectTypeOf(situation.thread).toBeString()
      expectTypeOf<keyof typeof situation>().toEqualTypeOf<'thread' | 'metadata'>()
      return shop
    },
  })
  clerk.run('Hi', { deps: shop, tools: { look } })
  expectTypeOf<NonNullable<Parameters<typeof clerk.run>[1]>['deps']>().toExtend<Shop | undefined>()
  agent<Shop>()({
    deps: shop,
    tools(situation) {
      expectTypeOf(situation.deps).toEqualTypeOf<Shop>()
      return [look]
    },
  })
})

test('an agent learns its dependencies from its tools', () => {
  const clerk = agent({ tools: { look }, deps: shop })
  expectTypeOf(clerk).toExtend<Agent<Shop>>()
})

test('a child gets its dependencies from its parent: an agent that has agents as tools learns what they need', () => {
  const child = agent<Shop>()({ name: 'child', tools: [look] })
  expectTypeOf(agent({ tools: { child } })).toEqualTypeOf<Agent<Shop>>()
  expectTypeOf(agent({ tools: [child, look, agent({})] })).toEqualTypeOf<Agent<Shop>>()
  expectTypeOf(agent<Shop & { readonly owner: string }>()({ tools: { child, look } })).toEqualTypeOf<Agent<Shop & { readonly owner: string }>>()
  agent({ tools: { parent: agent({ tools: { child } }) } }).run('Hi', { deps: shop })
  agent({ tools: { child }, deps: () => shop }).run('Hi')
  agent<Shop>()({ tools: ({ deps }) => (deps.orders.size > 0 ? { child } : { look }) }).run('Hi', { deps: shop })
})

test('a child that has dependencies of its own needs none of its parent', () => {
  const child = agent<Shop>()({ name: 'child', tools: [look] })
  expectTypeOf(child.with({ deps: shop })).toEqualTypeOf<Agent<Shop, string, true>>()
  expectTypeOf(child.with({ deps: shop }).with({ name: 'other' })).toEqualTypeOf<Agent<Shop, string, true>>()
  expectTypeOf(child.with({ name: 'other' })).toEqualTypeOf<Agent<Shop, string, false>>()
  const complete = agent<Shop>()({ tools: [look], deps: shop })
  agent<{ readonly other: string }>()({ tools: { complete, remade: child.with({ deps: shop }) } }).run('Hi', { deps: { other: '' } })
  expectTypeOf(agent({ tools: { complete } })).toEqualTypeOf<Agent>()
  agent({ tools: { complete } }).run('Hi')
})

test('ctx.run takes agents that need what the tool needs, or less', () => {
  const child = agent<Shop>()({ name: 'child', output: invoice })
  const delegate = tool<Shop & { readonly owner: string }>()({
    durable: true,
    async run(_, ctx) {
      expectTypeOf(await ctx.run(child, 'Go.')).toEqualTypeOf<ChildResult<{ total: number; paid: boolean }>>()
      expectTypeOf(await ctx.run(agent({}), 'Go.')).toEqualTypeOf<ChildResult<string>>()
      return ctx.run(child.with({ deps: shop }), 'Go.')
    },
  })
  tool({ durable: true, run: (_, ctx) => ctx.run(child.with({ deps: shop }), 'Go.') })
  expectTypeOf(agent({ tools: { delegate } })).toEqualTypeOf<Agent<Shop & { readonly owner: string }>>()
})

test('forks and replays know the dependencies of their agent', async () => {
  const deps: Shop = shop
  const clerk = agent<Shop>()({ name: 'clerk', instructions: ({ deps: { orders } }) => `${orders.size} orders` })
  const fork = await clerk.fork('t@3')
  expectTypeOf(fork.resume).toBeCallableWith({ deps })
  // @ts-expect-error the fork goes on as a run does: it needs the dependencies
  fork.resume()
  // @ts-expect-error these are not the dependencies of the agent
  fork.resume({ deps: 7 })
  expectTypeOf(clerk.replay).toBeCallableWith('t', { with: { deps, instructions: (situation: Situation<Shop>) => `${situation.deps.orders.size}` } })
  // @ts-expect-error these are not the dependencies of the agent
  clerk.replay('t', { with: { deps: 7 } })
  const live = await clerk.replay('t', { mode: 'continue-live', with: { deps } })
  expectTypeOf(live.fork).toEqualTypeOf<typeof fork | undefined>()
  for await (const replayed of clerk.replayAll(['t'], { with: { deps }, mode: 'continue-live', fork: { limits: { tokens: 1 } } }))
    expectTypeOf(replayed.report?.fork).toEqualTypeOf<typeof fork | undefined>()
  const supplied = await clerk.with({ deps }).fork('t@3')
  expectTypeOf(supplied.resume).toBeCallableWith()
  expectTypeOf((await agent({}).fork('t@3')).resume).toBeCallableWith()
})

test('what a run may be given is typed, piece by piece', () => {
  expectTypeOf<keyof RunOptions>().toEqualTypeOf<
    | 'thread'
    | 'id'
    | 'deps'
    | 'model'
    | 'tools'
    | 'settings'
    | 'limits'
    | 'signal'
    | 'taint'
    | 'metadata'
    | 'onQuestion'
    | 'adopt'
    | 'permissions'
    | 'pin'
    | 'whenBusy'
  >()
  expectTypeOf<NonNullable<RunOptions['settings']>['temperature']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<NonNullable<RunOptions['limits']>['turns']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<NonNullable<RunOptions['limits']>['onReached']>().toEqualTypeOf<'ask' | 'stop' | undefined>()
  expectTypeOf<RunOptions['signal']>().toEqualTypeOf<AbortSignal | undefined>()
  agent({}).run('Hi', {
    settings: { temperature: 0 },
    limits: { turns: 3, loop: false },
    onQuestion(question) {
      expectTypeOf(question).toEqualTypeOf<Question>()
      return undefined
    },
  })
  expectTypeOf<NonNullable<RunOptions['onQuestion']>>().returns.toEqualTypeOf<SignedAnswer | undefined | Promise<SignedAnswer | undefined>>()
})

test('what a run emits narrows by its type, to one event or one signal', async () => {
  for await (const event of agent({}).start('Hi').events()) {
    expectTypeOf(event).not.toBeAny()
    expectTypeOf(event).toEqualTypeOf<LoomEvent | Signal>()
    if (event.type === 'text-delta') {
      expectTypeOf(event.text).toBeString()
      expectTypeOf(event.attempt).toBeNumber()
    }
    if (event.type === 'tool-delta') expectTypeOf(event.data).toBeUnknown()
    if (event.type === 'tool.finished') {
      expectTypeOf(event).toEqualTypeOf<EventOf<'tool.finished'>>()
      expectTypeOf(event.data.status).toEqualTypeOf<'success' | 'error' | 'warning'>()
    }
    if (event.type === 'question.asked') expectTypeOf(event.data.prompt).toBeString()
    if (isSignal(event)) expectTypeOf(event).toEqualTypeOf<Signal>()
    else expectTypeOf(event).toEqualTypeOf<LoomEvent>()
  }
  for await (const text of agent({}).start('Hi').text()) expectTypeOf(text).toBeString()
})

test('an entry of the feed has the summary of its thread, unless it is a removal', async () => {
  const { entries } = await agent({}).journal.feed()
  for (const entry of entries) {
    if (entry.kind === 'changed') expectTypeOf(entry.status).toEqualTypeOf<Head['summary']['status']>()
    else expectTypeOf(entry.status).toEqualTypeOf<undefined>()
  }
})

test('an option that is undefined is one that is left out', () => {
  const none = undefined as undefined
  const worker = agent({})
  expectTypeOf(worker.run).toBeCallableWith('Hi', { thread: none, id: none, model: none, limits: none, signal: none, metadata: none, whenBusy: none })
  expectTypeOf(worker.recover).toBeCallableWith({ every: none, signal: none, onRecovered: none, onError: none })
  expectTypeOf(worker.drain).toBeCallableWith({ grace: none })
  expectTypeOf(worker.journal.threads).toBeCallableWith({ status: none, parent: none, after: none, sort: none, limit: none })
  expectTypeOf(migrate).toBeCallableWith(worker.journal, worker.journal, { threads: none, force: none, onProgress: none, signal: none })
})
