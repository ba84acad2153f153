/** Code that never ends, against `limits.time`: whatever is in flight when the time of a run is used up, the run ends with what there is. */
import type { LanguageModelV4 } from '@ai-sdk/provider'
import {
  type AgentOptions,
  agent,
  approve,
  createAgentFactory,
  type Hook,
  hookPoints,
  memoryJournal,
  type Result,
  type RunHandle,
  tool,
} from '@loom-agent/agent'
import { type Journal, type LoomEvent, readEvents } from '@loom-agent/kernel'
import { checkHistory, type ManualClock, manualClock, type ScriptStep, scriptedModel } from '@loom-agent/testing'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { beforeAll, describe, expect, it } from 'vitest'
import { idle } from '../support/event-loop.ts'
import { loadAll } from './load-all.ts'

beforeAll(loadAll)

const limit = 1000
const grace = 50
/** Rounds of the event loop in which whatever is ready has run, code that is loaded on use too. */
const rounds = 200

/** Never settles, ignores every signal, and says that it was called. */
type Hang = () => Promise<never>
interface Attack {
  readonly hang: Hang
  readonly clock: ManualClock
}

const never = (): Promise<never> => new Promise(() => {})
/** Code that notes that it was called. */
function noted<T>(code: () => Promise<T>): (() => Promise<T>) & { readonly isCalled: () => boolean } {
  let isCalled = false
  const call = (): Promise<T> => {
    isCalled = true
    return code()
  }
  return Object.assign(call, { isCalled: () => isCalled })
}

const calling: readonly ScriptStep[] = [{ calls: [{ tool: 'act' }] }, 'ok']
const act = tool({ name: 'act', effect: 'read', run: () => 'acted' })
const eventsOf = (journal: Journal, thread = 't'): Promise<readonly LoomEvent[]> => Array.fromAsync(readEvents(journal, thread))

/** Lets everything run that is ready, until something is so. */
async function rest(isSo: () => boolean | Promise<boolean> = () => false): Promise<void> {
  for (let round = 0; round < rounds && !(await isSo()); round += 1) await idle(round < 20 ? 1 : 20)
}

/** The result of a run, if it comes to one; meanwhile grace periods pass on the clock. */
async function settledBy(run: RunHandle<unknown>, clock?: ManualClock): Promise<Result<unknown> | 'nothing'> {
  let result: Result<unknown> | 'nothing' = 'nothing'
  run.result().then((settled) => {
    result = settled
  })
  await rest(async () => {
    if (result === 'nothing') await clock?.advance(grace)
    return result !== 'nothing'
  })
  return result
}

interface Attacked {
  readonly journal: Journal
  readonly clock: ManualClock
  readonly run: RunHandle<unknown>
  readonly events: readonly LoomEvent[]
  readonly result: Result<unknown> | 'nothing'
}

/** Starts a run, waits until the code hangs, lets the time of the run pass, and then the grace period of what is in flight. */
async function attack(optionsOf: (attack: Attack) => AgentOptions, make = agent): Promise<Attacked> {
  const journal = memoryJournal()
  const clock = manualClock()
  let hangs = false
  const hang: Hang = () => {
    hangs = true
    return never()
  }
  const options = optionsOf({ hang, clock })
  const worker = make({
    ...options,
    limits: { time: limit, ...options.limits },
    journal,
    behaviour: { grace, ...options.behaviour },
    ports: { clock },
  })
  const run = worker.start('go', { thread: 't' })
  await rest(() => hangs)
  expect(hangs).toBe(true)
  await clock.advance(limit)
  const result = await settledBy(run, clock)
  await rest(async () => {
    await clock.advance(grace)
    return clock.timers === 0 && (await journal.head('t'))?.holder === undefined
  })
  return { journal, clock, run, result, events: await eventsOf(journal) }
}

const stream = (pull: (controller: ReadableStreamDefaultController) => Promise<void>): LanguageModelV4 => ({
  ...scriptedModel('never'),
  doStream: async () => ({ stream: new ReadableStream({ pull }) }),
})
/** Sends a word every hundred milliseconds, for ever. */
function trickling({ hang, clock }: Attack): LanguageModelV4 {
  let words = 0
  return stream(async (controller) => {
    if (words === 0) controller.enqueue({ type: 'text-start', id: '0' })
    words += 1
    if (words === 1) void hang()
    await new Promise<void>((resolve) => clock.at(clock.now() + 100, resolve))
    controller.enqueue({ type: 'text-delta', id: '0', delta: `${words} ` })
  })
}

const schemaThat = (validate: () => unknown): StandardSchemaV1 => ({
  '~standard': { version: 1, vendor: 'slow', validate, jsonSchema: { input: () => ({ type: 'object' }), output: () => ({}) } } as never,
})

/** A thenable whose `then` calls nothing back. */
const deafThenable = (hang: Hang): PromiseLike<never> => Object.fromEntries([['then', hang]]) as never

const places: Record<string, (attack: Attack) => AgentOptions> = {
  'a model that returns no stream': ({ hang }) => ({ model: { ...scriptedModel('never'), doStream: hang } }),
  'a model whose stream stands still': ({ hang }) => ({ model: stream(hang) }),
  'a model whose stream trickles': (given) => ({ model: trickling(given) }),
  'a stream that is iterated and stands still': ({ hang }) => ({
    model: { ...scriptedModel('never'), doStream: async () => ({ stream: { [Symbol.asyncIterator]: () => ({ next: hang }) } as never }) },
  }),
  'a function that gives the dependencies': ({ hang }) => ({ model: scriptedModel('ok'), deps: hang }),
  'a function that gives the instructions': ({ hang }) => ({ model: scriptedModel('ok'), instructions: hang }),
  'a function that gives the tools': ({ hang }) => ({ model: scriptedModel('ok'), tools: hang }),
  'a context strategy': ({ hang }) => ({ model: scriptedModel('ok'), context: { name: 'slow', assemble: hang } }),
  'the permission of a tool': ({ hang }) => ({
    model: scriptedModel(calling),
    tools: [tool({ name: 'act', permission: hang, run: () => 1 })],
  }),
  'the `when` of a rule': ({ hang }) => ({
    model: scriptedModel(calling),
    tools: [act],
    permissions: { rules: [{ tool: 'act', verdict: 'allow', when: hang }] },
  }),
  'the schema of a tool': ({ hang }) => ({ model: scriptedModel(calling), tools: [tool({ name: 'act', input: schemaThat(hang), run: () => 1 })] }),
  'the schema of the output': ({ hang }) => ({ model: scriptedModel('{}'), output: schemaThat(hang) as never }),
  'a tool that ignores its signal': ({ hang }) => ({ model: scriptedModel(calling), tools: [tool({ name: 'act', effect: 'read', run: hang })] }),
  'a tool that returns a thenable that calls nothing back': ({ hang }) => ({
    model: scriptedModel(calling),
    tools: [tool({ name: 'act', effect: 'read', run: () => deafThenable(hang) })],
  }),
  'a generator that yields nothing more': ({ hang }) => ({
    model: scriptedModel(calling),
    tools: [
      tool({
        name: 'act',
        effect: 'read',
        async *run() {
          yield 1
          await hang()
        },
      }),
    ],
  }),
  'a step of a durable tool': ({ hang }) => ({
    model: scriptedModel(calling),
    tools: [tool({ name: 'act', durable: true, run: (_, ctx) => ctx.step('s', hang) })],
  }),
  'a durable body outside of its steps': ({ hang }) => ({
    model: scriptedModel(calling),
    tools: [tool({ name: 'act', durable: true, run: hang })],
  }),
  'the model of a child': ({ hang, clock }) => ({
    model: scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'go' } }] }, 'ok']),
    tools: [agent({ name: 'child', model: { ...scriptedModel('never'), doStream: hang }, behaviour: { grace }, ports: { clock } })],
  }),
  ...Object.fromEntries(
    hookPoints.map((point) => [
      `the hook ${point}`,
      ({ hang }: Attack): AgentOptions => ({ model: scriptedModel(calling), tools: [act], hooks: [{ [point]: hang } as Hook] }),
    ]),
  ),
  'a hook that returns a thenable that calls nothing back': ({ hang }) => ({
    model: scriptedModel('ok'),
    hooks: [{ beforeModelCall: () => deafThenable(hang) as Promise<never> }],
  }),
}

describe('the time of a run bounds what is in flight', () => {
  it.each(Object.entries(places))('%s does not outlast limits.time', async (_, optionsOf) => {
    const { result, journal, clock, events } = await attack(optionsOf)
    expect(result).toMatchObject({ status: 'stopped', kind: 'limit', reason: expect.stringContaining('The limit of 1 second is reached') })
    expect((await journal.head('t'))?.holder).toBeUndefined()
    expect(clock.timers).toBe(0)
    expect(checkHistory(events)).toEqual([])
  })

  it('whatever turns an id into a model does not outlast limits.time', async () => {
    const hangs: Hang[] = []
    const make = createAgentFactory({ resolveModel: () => hangs[0]?.() ?? never() })
    const { result } = await attack(({ hang }) => {
      hangs.push(hang)
      return { model: 'some/model' }
    }, make)
    expect(result).toMatchObject({ status: 'stopped', kind: 'limit' })
  })

  it('the check of a lost call does not outlast limits.time', async () => {
    const journal = memoryJournal()
    const lost = manualClock()
    const reconcilable = (check: () => Promise<never>, run: () => unknown) =>
      tool({ name: 'act', effect: 'reconcilable', check: check as never, run: run as never })
    const first = agent({ model: scriptedModel(calling), tools: [reconcilable(never, never)], journal, ports: { clock: lost } })
    first.start('go', { thread: 't', limits: { time: limit } })
    await rest(async () => (await eventsOf(journal)).some(({ type }) => type === 'tool.started'))
    const taken: Journal = { ...journal, acquire: (thread, claim) => journal.acquire(thread, { ...claim, force: true }) }
    const clock = manualClock(lost.now())
    const check = noted(never)
    const next = agent({ model: scriptedModel('ok'), tools: [reconcilable(check, () => 1)], journal: taken, behaviour: { grace }, ports: { clock } })
    const run = next.resume('t')
    await rest(check.isCalled)
    expect(check.isCalled()).toBe(true)
    await clock.advance(limit)
    expect(await settledBy(run, clock)).toMatchObject({ status: 'stopped', kind: 'limit' })
  })
})

describe('what a run leaves that its time has ended', () => {
  it('the words that the model had sent are in the result, and the reason says what was pending', async () => {
    const { result } = await attack((given) => ({ model: trickling(given) }))
    expect(result).toMatchObject({ text: expect.stringMatching(/^1 2 3 /), reason: expect.stringContaining('model') })
  })

  it('the reason names the tool that was running', async () => {
    const { result } = await attack(places['a tool that ignores its signal'] as never)
    expect(result).toMatchObject({ reason: expect.stringContaining('act') })
  })

  it('reaching the limit is a fact before anything is aborted', async () => {
    const { events } = await attack(places['a tool that ignores its signal'] as never)
    const types = events.map(({ type }) => type)
    expect(types.slice(types.indexOf('tool.started') + 1)).toEqual(['run.stop-requested', 'tool.finished', 'run.stopped'])
    expect(events.at(-1)?.data).toMatchObject({ kind: 'limit', limit: 'time', max: limit })
  })

  it('a call that may have happened says that its outcome is unknown', async () => {
    const { events } = await attack(({ hang }) => ({ model: scriptedModel(calling), tools: [tool({ name: 'act', effect: 'unsafe', run: hang })] }))
    expect(events.find(({ type }) => type === 'tool.finished')?.data).toMatchObject({ errorType: 'outcome-unknown' })
  })

  it('a tool that listens to its signal is told, and a result that comes in its grace period is kept', async () => {
    const { events, result } = await attack(({ hang }) => ({
      model: scriptedModel(calling),
      tools: [
        tool({
          name: 'act',
          effect: 'read',
          run: (_, { signal }) => {
            void hang()
            return new Promise((resolve) => signal.addEventListener('abort', () => resolve('half of it'), { once: true }))
          },
        }),
      ],
    }))
    expect(result).toMatchObject({ status: 'stopped', kind: 'limit' })
    expect(events.find(({ type }) => type === 'tool.finished')?.data).toMatchObject({ output: { value: 'half of it' } })
  })

  it('calls that have ended keep their results beside the one that hangs', async () => {
    const both: readonly ScriptStep[] = [{ calls: [{ tool: 'act' }, { tool: 'slow' }] }, 'ok']
    const { events } = await attack(({ hang }) => ({ model: scriptedModel(both), tools: [act, tool({ name: 'slow', effect: 'read', run: hang })] }))
    const outcomes = events.flatMap((event) => (event.type === 'tool.finished' ? [event.data.status] : []))
    expect(outcomes).toEqual(['success', 'error'])
  })

  it('what the code does later changes nothing', async () => {
    const later = Promise.withResolvers<string>()
    const { journal, events } = await attack(({ hang }) => ({
      model: scriptedModel(calling),
      tools: [tool({ name: 'act', effect: 'read', run: () => Promise.race([hang(), later.promise]) })],
    }))
    later.resolve('late')
    await rest()
    expect((await eventsOf(journal)).length).toBe(events.length)
    expect(events.at(-1)?.type).toBe('run.stopped')
  })

  it('the run goes on when the limit is raised, and asks the model again', async () => {
    const journal = memoryJournal()
    const clock = manualClock()
    let asked = 0
    const good = scriptedModel('Here I am.')
    const model: LanguageModelV4 = { ...good, doStream: (request) => (++asked === 1 ? never() : good.doStream(request)) }
    const worker = agent({ model, limits: { time: limit }, journal, behaviour: { grace }, ports: { clock } })
    const run = worker.start('go', { thread: 't' })
    await rest(() => asked > 0)
    await clock.advance(limit)
    expect(await settledBy(run, clock)).toMatchObject({ status: 'stopped', kind: 'limit' })
    const resumed = worker.resume('t', { limits: { time: 10 * limit } })
    expect(await settledBy(resumed)).toMatchObject({ status: 'done', text: 'Here I am.', run: 'r1' })
    expect(checkHistory(await eventsOf(journal))).toEqual([])
  })

  it('what a run has cost that was stopped during a request is not known', async () => {
    const { result } = await attack((given) => ({ model: trickling(given) }))
    expect(result).toMatchObject({ status: 'stopped', cost: undefined })
  })

  it('a process that was late says how much time was used', async () => {
    const journal = memoryJournal()
    const clock = manualClock()
    const asked = noted(never)
    const model: LanguageModelV4 = { ...scriptedModel('never'), doStream: asked }
    const run = agent({ model, limits: { time: limit }, journal, behaviour: { grace }, ports: { clock } }).start('go', { thread: 't' })
    await rest(asked.isCalled)
    clock.skip(5 * limit)
    expect(await settledBy(run, clock)).toMatchObject({ status: 'stopped', kind: 'limit' })
    expect((await eventsOf(journal)).at(-1)?.data).toMatchObject({ used: 5 * limit, max: limit })
  })

  it('the next run of the thread has its own time', async () => {
    const { journal, clock } = await attack(places['a model that returns no stream'] as never)
    const next = agent({ model: scriptedModel('ok'), limits: { time: limit }, journal, ports: { clock } })
    expect(await settledBy(next.start('again', { thread: 't' }))).toMatchObject({ status: 'done', run: 'r2' })
  })

  it('a process that takes over after the request ends the run with the same stop', async () => {
    const journal = memoryJournal()
    const clock = manualClock()
    const runs = noted(never)
    const tools = [tool({ name: 'act', effect: 'read', run: runs })]
    agent({ model: scriptedModel(calling), tools, limits: { time: limit }, journal, behaviour: { grace: 1e6 }, ports: { clock } }).start('go', {
      thread: 't',
    })
    await rest(runs.isCalled)
    await clock.advance(limit)
    await rest(async () => (await eventsOf(journal)).at(-1)?.type === 'run.stop-requested')
    const taken: Journal = { ...journal, acquire: (thread, claim) => journal.acquire(thread, { ...claim, force: true }) }
    const next = agent({ model: scriptedModel('never'), tools, journal: taken, ports: { clock: manualClock(clock.now()) } })
    expect(await settledBy(next.resume('t'))).toMatchObject({ status: 'stopped', kind: 'limit' })
  })

  it('a limit that a hook lowers holds for what is in flight', async () => {
    const { result } = await attack(({ hang }) => ({
      model: { ...scriptedModel('never'), doStream: hang },
      limits: { time: 1e9 },
      hooks: [{ beforeIterationStart: () => ({ limits: { time: limit } }) }],
    }))
    expect(result).toMatchObject({ status: 'stopped', kind: 'limit' })
  })
})

describe('time that people take is not time of the run', () => {
  it('a question that is open for a day ends nothing, and the call runs when it is approved', async () => {
    const clock = manualClock()
    const asks = tool({ name: 'act', permission: 'ask', run: () => 'acted' })
    const run = agent({ model: scriptedModel(calling), tools: [asks], limits: { time: limit }, ports: { clock } }).start('go', { thread: 't' })
    const waiting = await run.result()
    await clock.advance(86_400_000)
    await run.answer(waiting.questions[0]?.id ?? '', approve())
    expect(await settledBy(run)).toMatchObject({ status: 'done', text: 'ok' })
  })

  it('a resolver that thinks for a day ends nothing, and its answer counts', async () => {
    const clock = manualClock()
    const asks = tool({ name: 'act', permission: 'ask', run: () => 'acted' })
    const answer = Promise.withResolvers<ReturnType<typeof approve>>()
    const options: AgentOptions = { model: scriptedModel(calling), tools: [asks], limits: { time: limit }, ports: { clock } }
    const asked = noted(() => answer.promise)
    const run = agent({ ...options, onQuestion: asked }).start('go', { thread: 't' })
    await rest(asked.isCalled)
    await clock.advance(86_400_000)
    answer.resolve(approve())
    expect(await settledBy(run)).toMatchObject({ status: 'done', text: 'ok' })
  })

  it('a resolver that never answers does not outlast the expiry of its question', async () => {
    const clock = manualClock()
    const rule = { tool: 'act', verdict: 'ask', expires: 5000 } as const
    const options: AgentOptions = { model: scriptedModel(calling), tools: [act], permissions: { rules: [rule] }, ports: { clock } }
    const asked = noted(never)
    const run = agent({ ...options, onQuestion: asked }).start('go', { thread: 't' })
    await rest(asked.isCalled)
    await clock.advance(5000)
    expect(await settledBy(run)).toMatchObject({ status: 'done', text: 'ok' })
    expect(clock.timers).toBe(0)
  })
})

describe('the bound costs nothing where it is far away', () => {
  it('a run of many turns sets no more timers than one of a few', async () => {
    const timersIn = async (turns: number): Promise<number> => {
      let set = 0
      const clock = manualClock()
      const at: ManualClock['at'] = (time, ring) => {
        set += 1
        return clock.at(time, ring)
      }
      const counting = { now: clock.now, at }
      const model = scriptedModel((_, number) => (number <= turns ? { calls: [{ tool: 'act', input: { number } }] } : 'ok'))
      const result = await agent({
        model,
        tools: [tool({ name: 'act', effect: 'read', run: async () => 'x' })],
        limits: { loop: false },
        ports: { clock: counting },
      }).run('go')
      expect(result.status).toBe('done')
      expect(clock.timers).toBe(0)
      return set
    }
    expect(await timersIn(40)).toBe(await timersIn(4))
  })
})
