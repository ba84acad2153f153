/** Callbacks that throw, reject and pretend to be promises: none of them leaves an unhandled rejection, and a run always comes to an end. */
import {
  type AgentOptions,
  agent,
  analytics,
  contextInjection,
  createAgentFactory,
  type Hook,
  hookPoints,
  humanApproval,
  loggingHook,
  memoryJournal,
  type RunHandle,
  reminders,
  skip,
  subscribe,
  suspend,
  tool,
  window,
} from '@loom-agent/agent'
import { EventBus, nodeHook } from '@loom-agent/agent/compat'
import { manualClock, type ScriptStep, scriptedModel } from '@loom-agent/testing'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { idle } from '../support/event-loop.ts'
import { loadAll } from './load-all.ts'

const thenable = (then: unknown): unknown => Object.fromEntries([['then', then]])
const boom = (): Error => new Error('boom')
const rejected = (reason: unknown): Promise<never> => Promise.reject(reason)

/** Throws whatever is read of it. */
const unreadable = new Proxy(
  {},
  { get: () => raise(boom()), has: () => raise(boom()), ownKeys: () => raise(boom()), getPrototypeOf: () => raise(boom()) },
)
const raise = (error: unknown): never => {
  throw error
}

/** Makes what follows a promise, and fails when that settles. */
function followerThatFails(execute: (resolve: () => void, reject: () => void) => void): void {
  const fail = (): never => raise(boom())
  execute(fail, fail)
}

class OwnPromise<T> extends Promise<T> {}

/** Ways in which code of a user goes wrong. */
const bad: Readonly<Record<string, () => unknown>> = {
  'throws an error': () => raise(boom()),
  'throws nothing': () => raise(undefined),
  'throws what cannot be read': () => raise(unreadable),
  'rejects with an error': () => rejected(boom()),
  'rejects with undefined': () => rejected(undefined),
  'rejects with null': () => rejected(null),
  'rejects with what cannot be read': () => rejected(unreadable),
  'rejects later': async () => {
    await idle(2)
    throw boom()
  },
  'rejects with a promise of its own class': () => OwnPromise.reject(boom()),
  'rejects with a promise that hides its methods': () =>
    Object.assign(rejected(boom()), Object.fromEntries([['then', undefined]]), { catch: () => {} }),
  'rejects with a promise whose methods lie': () =>
    Object.assign(rejected(boom()), Object.fromEntries([['then', (resolve: (value: unknown) => void) => resolve(undefined)]])),
  'rejects with a promise whose constructor cannot be read': () =>
    Object.defineProperty(rejected(boom()), 'constructor', { configurable: true, get: () => raise(boom()) }),
  'rejects with a promise whose followers fail': () =>
    Object.assign(rejected(boom()), { constructor: Object.fromEntries([[Symbol.species, followerThatFails]]) }),
  'returns a thenable that throws': () => thenable(() => raise(boom())),
  'returns a thenable whose then throws when it is read': () => Object.defineProperty({}, 'then', { get: () => raise(boom()) }),
  'returns a thenable that rejects': () => thenable((_: unknown, reject: (error: unknown) => void) => reject(boom())),
  'returns a thenable whose then is asynchronous and fails': () => thenable(async () => raise(boom())),
  'returns a thenable that calls both back, then fails': () =>
    thenable((resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
      reject(boom())
      resolve(undefined)
      return rejected(boom())
    }),
  'returns a thenable that resolves with a rejected promise': () => thenable((resolve: (value: unknown) => void) => resolve(rejected(boom()))),
  'returns a thenable that resolves with a thenable whose then fails': () =>
    thenable((resolve: (value: unknown) => void) => resolve(thenable(async () => raise(boom())))),
  'returns a function that is a thenable and fails': () => Object.assign(() => {}, Object.fromEntries([['then', async () => raise(boom())]])),
}

const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(typeof reason === 'object' ? 'an object' : reason)
const consoles = { error: console.error, warn: console.warn }
beforeAll(loadAll)
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
  Object.assign(console, { error: () => {}, warn: () => {} })
})
afterEach(() => {
  process.off('unhandledRejection', note)
  process.off('uncaughtException', note)
  Object.assign(console, consoles)
})

/** The status of a run that comes to an end. */
async function statusOf(run: RunHandle<unknown>): Promise<string> {
  let status = 'nothing'
  run.result().then(
    (result) => {
      status = result.status
    },
    (error: unknown) => {
      status = String((error as { code?: string }).code)
    },
  )
  for (let round = 0; round < 400 && status === 'nothing'; round += 1) await idle(round < 20 ? 1 : 20)
  await idle()
  return status
}

const calling: readonly ScriptStep[] = [{ calls: [{ tool: 'act', input: { a: 1 } }] }, 'ok']
const act = tool({ name: 'act', effect: 'read', run: () => 'acted' })
const schemaThat = (validate: () => unknown): StandardSchemaV1 => ({
  '~standard': { version: 1, vendor: 'own', validate, jsonSchema: { input: () => ({ type: 'object' }), output: () => ({}) } } as never,
})

/** Runs an agent once with each kind of bad code; returns how the runs end, and what was not handled. */
async function outcomes(optionsOf: (callback: () => never) => AgentOptions): Promise<Readonly<Record<string, string>>> {
  const ended: Record<string, string> = {}
  for (const [name, callback] of Object.entries(bad)) {
    const options = optionsOf(callback as () => never)
    const run = agent({ behaviour: { attempts: 1, repairs: 0 }, ...options }).start('go', { thread: 't' })
    ended[name] = await statusOf(run)
    if (unhandled.length > 0) ended[name] += `, and ${unhandled.splice(0).length} unhandled`
  }
  return ended
}

const all = (status: string): Readonly<Record<string, string>> => Object.fromEntries(Object.keys(bad).map((name) => [name, status]))

describe('code that only listens cannot change a run', () => {
  const listening: Readonly<Record<string, (callback: () => never) => AgentOptions>> = {
    'an observer': (callback) => ({ model: scriptedModel('ok'), observers: [callback] }),
    'the observe of a hook': (callback) => ({ model: scriptedModel('ok'), hooks: [{ observe: callback }] }),
    'the log of a hook that logs': (callback) => ({ model: scriptedModel('ok'), hooks: [loggingHook({ log: callback })] }),
    'the sink of analytics': (callback) => ({ model: scriptedModel('ok'), hooks: [analytics({ sink: callback })] }),
    'a price': (callback) => ({ model: scriptedModel('ok'), ports: { price: callback } }),
  }
  it.each(Object.entries(listening))('%s', async (_, optionsOf) => {
    expect(await outcomes(optionsOf)).toEqual(all('done'))
  })

  it('a price that a limit of cost needs, which is not known then', async () => {
    const ended = await outcomes((callback) => ({ model: scriptedModel('ok'), limits: { cost: 1_000 }, ports: { price: callback } }))
    expect(ended).toEqual(all('failed'))
  })

  it('a step of a durable body that nobody waits for', async () => {
    const durable = (callback: () => never) =>
      tool({
        name: 'act',
        durable: true,
        run: async (_, ctx) => {
          void ctx.step('left alone', callback, { effect: 'read' })
          await ctx.step('waited for', () => 1, { effect: 'read' })
          return 'ended'
        },
      })
    expect(await outcomes((callback) => ({ model: scriptedModel(calling), tools: [durable(callback)] }))).toEqual(all('done'))
  })

  it('a wait, a question and a child of a durable body that are refused and that nobody waits for', async () => {
    const durable = tool({
      name: 'act',
      durable: true,
      run: async (_, ctx) => {
        void ctx.sleep(-1)
        void ctx.ask('')
        void ctx.waitFor('')
        void ctx.run({} as never, 'go')
        void ctx.step('', () => 1)
        return 'ended'
      },
    })
    expect(await statusOf(agent({ model: scriptedModel(calling), tools: [durable] }).start('go'))).toBe('done')
    expect(unhandled).toEqual([])
  })

  it('the onRecovered of a recovery', async () => {
    for (const callback of Object.values(bad)) {
      const journal = memoryJournal()
      const sleeps = tool({ name: 'act', durable: true, run: (_, ctx) => ctx.sleep(3_600_000) })
      const options = {
        model: scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'ok' : { calls: [{ tool: 'act' }] })),
        tools: [sleeps],
        journal,
      }
      await agent({ ...options, ports: { clock: manualClock() } }).run('go', { thread: 't' })
      let told = 0
      const heir = agent({ ...options, ports: { clock: manualClock(10_000_000) } })
      const onRecovered = (): never => {
        told += 1
        return callback() as never
      }
      await heir.recover({ onRecovered })
      expect(told).toBe(1)
      await idle()
    }
    expect(unhandled).toEqual([])
  })

  it('the onError of a recovery that looks again and again, and a console that throws', async () => {
    for (const callback of [...Object.values(bad), undefined]) {
      const closed = { ...memoryJournal(), threads: () => rejected(boom()) }
      const looking = new AbortController()
      if (!callback) Object.assign(console, { warn: () => raise(boom()) })
      const worker = agent({ model: scriptedModel('ok'), journal: closed })
      const recovering = worker.recover({ every: 1, signal: looking.signal, ...(callback && { onError: callback as () => never }) })
      await idle(20)
      looking.abort()
      await recovering
    }
    expect(unhandled).toEqual([])
  })

  it('a listener that subscribes to a run ends its own subscription', async () => {
    for (const callback of Object.values(bad)) {
      const run = agent({ model: scriptedModel(calling), tools: [act] }).start('go', { thread: 't' })
      const listening = subscribe(run.events(), { progress: callback as () => never }).catch(() => {})
      expect(await statusOf(run as RunHandle<unknown>)).toBe('done')
      await listening
    }
    expect(unhandled).toEqual([])
  })

  it('a listener of the bus of events hears what comes after its mistake', async () => {
    for (const callback of Object.values(bad)) {
      const worker = agent({ model: scriptedModel(calling), tools: [act] })
      const run = worker.start('go', { thread: 't' })
      let heard = 0
      new EventBus(worker, run).subscribe('progress', () => {
        heard += 1
        return callback() as never
      })
      expect(await statusOf(run as RunHandle<unknown>)).toBe('done')
      await idle(50)
      expect(heard).toBeGreaterThan(1)
    }
    expect(unhandled).toEqual([])
  })
})

describe('code that supplies or decides fails what it decides, and nothing else', () => {
  const deciding: Readonly<Record<string, readonly [string, (callback: () => never) => AgentOptions]>> = {
    dependencies: ['failed', (callback) => ({ model: scriptedModel('ok'), deps: callback, instructions: () => 'x' })],
    instructions: ['failed', (callback) => ({ model: scriptedModel('ok'), instructions: callback })],
    tools: ['failed', (callback) => ({ model: scriptedModel('ok'), tools: callback })],
    'a context strategy': ['failed', (callback) => ({ model: scriptedModel('ok'), context: { name: 'own', assemble: callback } })],
    'the text of a reminder': [
      'failed',
      (callback) => ({
        model: scriptedModel((_, number) => ({ calls: [{ tool: 'act', input: { number } }] })),
        tools: [tool({ name: 'act', effect: 'read', run: () => raise(boom()) })],
        context: reminders({ texts: { errors: callback } }),
        limits: { turns: 10, loop: false },
      }),
    ],
    'a counter of tokens': [
      'failed',
      (callback) => ({ model: scriptedModel('ok'), context: window({ tokens: 10 }), ports: { countTokens: callback } }),
    ],
    'a model': ['failed', (callback) => ({ model: { ...scriptedModel('ok'), doStream: callback } })],
    'the schema of the output': ['failed', (callback) => ({ model: scriptedModel('{}'), output: schemaThat(callback) as never })],
    'the availability of a tool': [
      'done',
      (callback) => ({ model: scriptedModel(calling), tools: [tool({ name: 'act', available: callback, run: () => 1 })] }),
    ],
    'the lock of a tool': [
      'done',
      (callback) => ({ model: scriptedModel(calling), tools: [tool({ name: 'act', schedule: { lock: callback }, run: () => 1 })] }),
    ],
    'the permission of a tool': [
      'done',
      (callback) => ({ model: scriptedModel(calling), tools: [tool({ name: 'act', permission: callback, run: () => 1 })] }),
    ],
    'the `when` of a rule': [
      'done',
      (callback) => ({ model: scriptedModel(calling), tools: [act], permissions: { rules: [{ tool: 'act', verdict: 'allow', when: callback }] } }),
    ],
    'the schema of a tool': [
      'done',
      (callback) => ({ model: scriptedModel(calling), tools: [tool({ name: 'act', input: schemaThat(callback), run: () => 1 })] }),
    ],
    'the body of a tool': ['done', (callback) => ({ model: scriptedModel(calling), tools: [tool({ name: 'act', effect: 'read', run: callback })] })],
    'a step of a durable body': [
      'done',
      (callback) => ({
        model: scriptedModel(calling),
        tools: [tool({ name: 'act', durable: true, run: (_, ctx) => ctx.step('s', callback, { effect: 'read' }) })],
      }),
    ],
    'what a tool returns as its JSON': [
      'done',
      (callback) => ({ model: scriptedModel(calling), tools: [tool({ name: 'act', effect: 'read', run: () => ({ toJSON: callback }) })] }),
    ],
    'the tools that a human must approve': [
      'done',
      (callback) => ({ model: scriptedModel(calling), tools: [act], hooks: [humanApproval({ tools: callback })] }),
    ],
    'what a hook injects into the context': ['failed', (callback) => ({ model: scriptedModel('ok'), hooks: [contextInjection({ say: callback })] })],
    'the onStart of a node': ['failed', (callback) => ({ model: scriptedModel('ok'), hooks: [nodeHook({ onStart: callback })] })],
  }
  /** Where the wrong code is no failure because what it returns in the end is no mistake. */
  const harmless = /methods lie|hides its methods/

  it.each(Object.entries(deciding))('%s', async (_, [status, optionsOf]) => {
    const ended = Object.entries(await outcomes(optionsOf)).filter(
      ([name, how]) => how !== status && !(harmless.test(name) && !how.includes('unhandled')),
    )
    expect(ended).toEqual([])
  })

  it.each(hookPoints)('a hook at %s', async (point) => {
    const ended = Object.values(
      await outcomes((callback) => ({ model: scriptedModel(calling), tools: [act], hooks: [{ [point]: callback } as Hook] })),
    )
    expect(ended.filter((how) => how !== 'failed' && how !== 'done')).toEqual([])
  })

  it('a resolver of questions leaves the question open', async () => {
    const asks = tool({ name: 'act', permission: 'ask', run: () => 1 })
    expect(await outcomes((callback) => ({ model: scriptedModel(calling), tools: [asks], onQuestion: callback }))).toMatchObject({
      'rejects with an error': 'waiting',
      'rejects with undefined': 'waiting',
      'returns a thenable that throws': 'waiting',
      'returns a thenable whose then is asynchronous and fails': 'waiting',
      'returns a thenable that calls both back, then fails': 'waiting',
    })
  })

  it('dependencies that fail beside a model that cannot be resolved', async () => {
    const make = createAgentFactory({ resolveModel: async () => raise(boom()) })
    expect(await statusOf(make({ model: 'some/model', deps: async () => raise(boom()) }).start('go') as RunHandle<unknown>)).toBe('failed')
    await idle()
    expect(unhandled).toEqual([])
  })

  it('a stream of a model whose cancel throws ends with its attempt', async () => {
    const never = (): Promise<never> => new Promise(() => {})
    const stream = { getReader: () => ({ read: never, cancel: () => raise(boom()) }) }
    const model = { ...scriptedModel('ok'), doStream: async () => ({ stream: stream as never }) }
    const run = agent({ model, behaviour: { grace: 1 } }).start('go')
    await idle(50)
    await run.stop()
    expect(await statusOf(run as RunHandle<unknown>)).toBe('stopped')
    expect(unhandled).toEqual([])
  })

  it('a thenable that resolves with itself does not go on for ever', async () => {
    const own: { then?: unknown } = {}
    Object.assign(
      own,
      thenable((resolve: (value: unknown) => void) => resolve(own)),
    )
    const looping = tool({ name: 'act', effect: 'read', run: () => own })
    expect(await statusOf(agent({ model: scriptedModel(calling), tools: [looping] }).start('go') as RunHandle<unknown>)).toBe('done')
  })
})

describe('what a hook point does not take is an error of that hook', () => {
  class Fields {
    get say(): string {
      return 'hidden'
    }
  }
  const foreign: Readonly<Record<string, unknown>> = {
    true: true,
    false: false,
    zero: 0,
    'a number': 5,
    'a text': 'allow',
    'an empty text': '',
    'a big integer': 5n,
    'a symbol': Symbol('x'),
    'a function': () => ({}),
    'a list': [],
    'a list of fields': [{ say: 'x' }],
    'a date': new Date(0),
    'a map': new Map([['say', 'x']]),
    'a set': new Set(['say']),
    'an error': boom(),
    'a regular expression': /x/,
    bytes: new Uint8Array(2),
    'a boxed text': new String('x'),
    'an instance without fields': new Fields(),
    'what cannot be read': unreadable,
    'an answer to a question': { kind: 'approve' },
    'an unknown decision': { kind: 'allow' },
    'a decision that is no text': { kind: 5 },
    'an unknown field': { mesage: 'x' },
    'a suspension without a reason': { kind: 'suspend' },
    'a suspension for no text': suspend(5 as never),
  }
  const elsewhere: Readonly<Record<string, unknown>> = {
    'skip()': skip('x'),
    'answerWith()': { kind: 'answer', output: { type: 'text', value: 'x' } },
    'a skip without a reason': { kind: 'skip' },
    'an answer without an output': { kind: 'answer' },
  }
  const ofCalls: Readonly<Record<string, unknown>> = {
    'a skip without a reason': { kind: 'skip' },
    'an answer without an output': { kind: 'answer' },
  }

  it.each(hookPoints)('at %s, of every kind, thrown and promised', async (point) => {
    const values = { ...foreign, ...(point === 'beforeToolExecution' ? ofCalls : elsewhere) }
    const wrong: string[] = []
    for (const [name, value] of Object.entries(values)) {
      for (const hook of [() => value, async () => value]) {
        const model = scriptedModel(calling)
        const worker = agent({ model, tools: [act], hooks: [{ name: 'mine', [point]: hook } as Hook] })
        const run = worker.start('go', { thread: 't' })
        const status = await statusOf(run as RunHandle<unknown>)
        const result = status === 'nothing' ? undefined : await run.result()
        const shown = result?.status === 'failed' ? result.error.message : JSON.stringify(model.requests[1]?.prompt.at(-1) ?? '')
        if (status !== (point.includes('Tool') ? 'done' : 'failed') || !/hook.*(mine|failed)/.test(shown)) wrong.push(`${name}: ${status}`)
        const patches = status === 'nothing' ? [] : (await worker.journal.read('t')).filter(({ type }) => type === 'hook.applied')
        if (patches.some((event) => 'hook' in event.data && event.data.hook === 'mine')) wrong.push(`${name}: a patch`)
      }
    }
    expect(wrong).toEqual([])
    expect(unhandled).toEqual([])
  })
})
