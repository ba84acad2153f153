/** Law 7: after `result()` no listener, timer or handle remains, and memory does not grow with runs. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Agent, type AgentOptions, agent, answer, approve, memoryJournal, type Result, type RunHandle, tool } from '@loom-agent/agent'
import type { Draft, Journal } from '@loom-agent/kernel'
import { type ManualClock, manualClock, type ScriptStep, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { typesOf } from './journals.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A journal that knows who watches it. */
function watchedJournal(): { journal: Journal; watchers(): number } {
  const journal = memoryJournal()
  let watchers = 0
  const watch: Journal['watch'] = (thread, hint) => {
    watchers += 1
    const unwatch = journal.watch(thread, hint)
    return () => {
      watchers -= 1
      unwatch()
    }
  }
  return { journal: { ...journal, watch }, watchers: () => watchers }
}

/** A signal that knows who listens to it. */
function watchedSignal(): { controller: AbortController; listeners(): number } {
  const controller = new AbortController()
  const { signal } = controller
  const listening = new Set<unknown>()
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  Object.assign(signal, {
    addEventListener(type: string, listener: () => void, options?: { once?: boolean }) {
      listening.add(listener)
      add(type, () => {
        if (options?.once) listening.delete(listener)
        listener()
      })
    },
    removeEventListener(type: string, listener: () => void) {
      listening.delete(listener)
      remove(type, listener)
    },
  })
  return { controller, listeners: () => listening.size }
}

const look = tool({ name: 'look', effect: 'read', run: async () => 'seen' })
const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
const fails = tool({
  name: 'fails',
  run: () => {
    throw new Error('no')
  },
})
const hangs = tool({
  name: 'hangs',
  effect: 'read',
  run: (_, { signal }) => new Promise((_resolve, refuse) => signal.addEventListener('abort', () => refuse(new Error('aborted')))),
})
const errand = tool({
  name: 'errand',
  durable: true,
  run: async (_, ctx) => [await ctx.step('buy', async () => 'milk'), await ctx.ask('Home?'), await ctx.step('carry', () => 'home')],
})
const naps = tool({ name: 'naps', durable: true, run: async (_, ctx) => (await ctx.sleep(30_000)) ?? 'slept' })
const sleeps = tool({ name: 'sleeps', durable: true, run: async (_, ctx) => (await ctx.sleep(3_600_000)) ?? 'slept' })
const calls = (...names: readonly string[]): ScriptStep => ({
  calls: names.map((name) => ({ tool: name, input: name === 'child' ? { prompt: 'go' } : {} })),
})
const overloaded = { throws: Object.assign(new Error('overloaded'), { statusCode: 529 }) }

interface Life {
  readonly says: readonly ScriptStep[]
  readonly options?: AgentOptions
  readonly ends: Result['status']
  /** What is done to the run besides waiting for it. */
  readonly live?: (
    run: RunHandle<unknown>,
    world: { worker: Agent; clock: ManualClock; abort: () => void; recorded: (type: string) => Promise<void> },
  ) => Promise<void>
}

const answerFirst = async (run: RunHandle<unknown>): Promise<void> => {
  const { questions } = await run.result()
  await run.answer(questions[0]?.id ?? '', approve())
}
const child = (says: readonly ScriptStep[]) => agent({ name: 'child', model: scriptedModel(says), tools: [look, pay, hangs] })

const cases: Record<string, Life> = {
  'an answer': { says: ['ok'], ends: 'done' },
  'tools, also failing and unknown ones': { says: [calls('look', 'look', 'fails', 'nobody'), 'ok'], ends: 'done' },
  'a question left open': { says: [calls('look', 'pay')], ends: 'waiting' },
  'a question answered': { says: [calls('pay'), 'ok'], ends: 'done', live: answerFirst },
  'a durable body that asks': { says: [calls('errand')], ends: 'waiting' },
  'a durable body that was answered': { says: [calls('errand'), 'ok'], ends: 'done', live: answerFirst },
  'a durable body that sleeps for long': { says: [calls('sleeps')], ends: 'waiting' },
  'a durable body that slept': {
    says: [calls('naps'), 'ok'],
    ends: 'done',
    async live(_, { clock, recorded }) {
      await recorded('run.suspended')
      await clock.advance(30_000)
    },
  },
  'a stop in a short sleep': {
    says: [calls('naps')],
    ends: 'stopped',
    async live(run, { recorded }) {
      await recorded('run.suspended')
      await run.stop()
    },
  },
  'a stop while a tool runs': {
    says: [calls('hangs')],
    ends: 'stopped',
    async live(run, { recorded }) {
      await recorded('tool.started')
      await run.stop()
    },
  },
  'an abort while a tool runs': {
    says: [calls('hangs')],
    ends: 'stopped',
    async live(_, { abort, recorded }) {
      await recorded('tool.started')
      abort()
    },
  },
  'an abort while the model streams': {
    says: [{ text: 'well, then', stallAfter: 2 }],
    ends: 'stopped',
    async live(_, { abort, recorded }) {
      await recorded('model.requested')
      abort()
    },
  },
  'a stop between two attempts': {
    says: [overloaded, 'never'],
    ends: 'stopped',
    async live(run, { recorded }) {
      await recorded('model.failed')
      await run.stop()
    },
  },
  'a failure': { says: [{ throws: new Error('no model') }], ends: 'failed' },
  'a limit': { says: [calls('look')], options: { limits: { turns: 1 } }, ends: 'stopped' },
  'a pause': {
    says: [calls('look'), 'never'],
    ends: 'waiting',
    live: (run) => run.pause(),
  },
  'a child': { says: [calls('child'), 'ok'], options: { tools: [child([calls('look'), 'ok'])] }, ends: 'done' },
  'a child that waits': { says: [calls('child')], options: { tools: [child([calls('pay')])] }, ends: 'waiting' },
  'a child that was answered': { says: [calls('child'), 'ok'], options: { tools: [child([calls('pay'), 'ok'])] }, ends: 'done', live: answerFirst },
  'a child that was stopped': {
    says: [calls('child')],
    options: { tools: [child([calls('hangs')])] },
    ends: 'stopped',
    async live(run, { recorded }) {
      await recorded('child.started')
      await soon()
      await run.stop()
    },
  },
  'a second run in the queue': {
    says: [calls('look'), 'one', 'two'],
    ends: 'done',
    async live(_, { worker }) {
      await worker.run('and then', { thread: 't' })
    },
  },
  'a follower': {
    says: [calls('pay'), 'ok'],
    ends: 'done',
    async live(run, { worker }) {
      const { questions } = await run.result()
      const follower = worker.with({}).resume('t', { deps: {} })
      await run.answer(questions[0]?.id ?? '', approve())
      await follower.result()
    },
  },
  'viewers who stay to the end, and one who leaves': {
    says: [calls('look'), 'ok'],
    ends: 'done',
    async live(run) {
      const all = async () => {
        for await (const _ of run.events()) await soon()
      }
      const first = async () => {
        for await (const _ of run.text()) break
      }
      await Promise.all([all(), first()])
    },
  },
}

describe('after the result nothing remains', () => {
  test.each(Object.entries(cases))('of %s', async (_, { says, options = {}, ends, live }) => {
    const { journal, watchers } = watchedJournal()
    const { controller, listeners } = watchedSignal()
    const clock = manualClock()
    const tools = options.tools ?? [look, pay, fails, hangs, errand, naps, sleeps]
    const worker = agent({ model: scriptedModel(says), ...options, tools, journal, ports: { clock, random: () => 0.5 }, behaviour: { grace: 10 } })
    const before = process.getActiveResourcesInfo().length
    const run = worker.start('go', { thread: 't', signal: controller.signal, deps: {} })
    const recorded = async (type: string): Promise<void> => {
      while (!(await journal.read('t')).some((event) => event.type === type)) await soon()
    }
    await live?.(run, { worker, clock, abort: () => controller.abort(), recorded })
    expect((await run.result()).status).toBe(ends)
    for (let tick = 0; tick < 3; tick += 1) await soon()
    expect({ watchers: watchers(), listeners: listeners(), timers: clock.timers }).toEqual({ watchers: 0, listeners: 0, timers: 0 })
    // Other tests of this process may end meanwhile: there may be less, never more.
    expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before)
  })

  test('on the clock of the platform, either', async () => {
    const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const worker = agent({ model: scriptedModel([calls('look', 'errand'), 'ok']), tools: [look, errand] })
    const run = worker.start('go', { thread: 't' })
    await answerFirst(run)
    expect((await run.result()).status).toBe('done')
    await soon()
    expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBeLessThanOrEqual(before)
  })
})

describe('a thousand runs', () => {
  test('on one agent, one journal, one signal and one clock leave nothing', async () => {
    const { journal, watchers } = watchedJournal()
    const { controller, listeners } = watchedSignal()
    const clock = manualClock()
    const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'ok' : { calls: [{ tool: 'look' }] }))
    const worker = agent({ model, tools: [look], journal, ports: { clock } })
    for (let batch = 0; batch < 20; batch += 1) {
      const results = await Promise.all(Array.from({ length: 50 }, () => worker.run('go', { signal: controller.signal, deps: { big: 1 } })))
      expect(results.every(({ status }) => status === 'done')).toBe(true)
    }
    await soon()
    expect({ watchers: watchers(), listeners: listeners(), timers: clock.timers }).toEqual({ watchers: 0, listeners: 0, timers: 0 })
  })

  test('whose threads are removed do not make memory grow', async () => {
    const journal = memoryJournal()
    const text = 'x'.repeat(2_000)
    const model = { ...scriptedModel('ok'), doStream: (request: never) => scriptedModel(text).doStream(request) }
    const worker = agent({ model, journal })
    const live = async (runs: number): Promise<number> => {
      for (let n = 0; n < runs; n += 1) {
        const { thread } = await worker.run(text, { deps: { text: `${n}${text}` }, metadata: { n } })
        await journal.remove(thread)
      }
      collectGarbage()
      await soon()
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const before = await live(1_000)
    const after = await live(1_000)
    // A thousand runs of four thousand characters and more; what a run leaves, the record of its removal in the feed, must be far less than that.
    expect((after - before) / 1_000).toBeLessThan(500)
  })
})

describe('a run that another process drives', () => {
  test('is followed without keeping anything of the commits that were followed', async () => {
    const journal = memoryJournal()
    const create = () => agent({ name: 'a', model: scriptedModel(calls('hangs')), tools: [hangs], journal, behaviour: { grace: 1 } })
    const driven = create().start('go', { thread: 't' })
    while (!(await typesOf(journal, 't')).includes('tool.started')) await soon()
    const result = create().resume('t').result()
    const label = async (times: number): Promise<number> => {
      const events: readonly Draft[] = [{ type: 'labels.changed', data: { labels: { team: 'x' } } }]
      for (let n = 0; n < times; n += 1) {
        const head = await journal.head('t')
        if (!head) throw new Error('The thread is gone.')
        const { incarnation, seq: expected, summary } = head
        await journal.append('t', { id: `${expected}`, incarnation, expected, run: 'r1', turn: 1, time: 1, events, summary })
        await soon()
      }
      collectGarbage()
      await soon()
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const grows = async (): Promise<number> => -(await label(2_000)) + (await label(2_000))
    const followed = await grows()
    await driven.stop()
    expect((await result).status).toBe('stopped')
    // The journal keeps every commit, whether the thread is followed or not.
    expect((followed - (await grows())) / 2_000).toBeLessThan(100)
  })
})

describe('an iterator that is not iterated', () => {
  const letGo = async (worker: Agent, begin: (run: RunHandle<unknown>) => AsyncIterator<unknown>): Promise<WeakRef<object>> => {
    const run = worker.start('go', { thread: 't' })
    const reference = new WeakRef(begin(run))
    await run.result()
    return reference
  }
  const isCollected = async (reference: WeakRef<object>): Promise<boolean> => {
    for (let tries = 0; tries < 100 && reference.deref(); tries += 1) {
      await soon()
      collectGarbage()
    }
    return reference.deref() === undefined
  }

  test('differs from one that was iterated to its end, which is collected', async () => {
    const worker = agent({ model: scriptedModel(() => 'ok') })
    const iterate = (run: RunHandle<unknown>) => {
      const events = run.events()
      void (async () => {
        for await (const _ of events) await soon()
      })()
      return events
    }
    expect(await isCollected(await letGo(worker, iterate))).toBe(true)
    expect((await worker.run('again', { thread: 't' })).status).toBe('done')
  })

  test('is collected when the run is over', async () => {
    const worker = agent({ model: scriptedModel(() => 'ok') })
    expect(await isCollected(await letGo(worker, (run) => run.events()))).toBe(true)
    expect((await worker.run('again', { thread: 't' })).status).toBe('done')
  })

  test('is collected when it was left after a first look', async () => {
    const worker = agent({ model: scriptedModel(() => 'ok') })
    const look = (run: RunHandle<unknown>) => {
      const events = run.events()
      void events.next()
      return events
    }
    expect(await isCollected(await letGo(worker, look))).toBe(true)
    expect((await worker.run('again', { thread: 't' })).status).toBe('done')
  })

  test('can still be iterated, from the journal', async () => {
    const worker = agent({ model: scriptedModel([calls('look'), 'ok']), tools: [look] })
    const run = worker.start('go', { thread: 't' })
    const events = run.events()
    await run.result()
    const seen: string[] = []
    for await (const event of events) if (event.type.includes('.')) seen.push(event.type)
    expect(seen).toEqual((await worker.journal.read('t')).map(({ type }) => type))
  })
})

describe('what code supplies to a run', () => {
  test.each<[string, (worker: Agent, id: string) => Promise<unknown>]>([
    ['answered through the agent', (worker, id) => worker.answer(id, approve())],
    ['answered without the agent and resumed', (worker, id) => answer(worker.journal, id, approve()).then(() => worker.recover())],
    ['stopped', (worker, id) => worker.stop(id.slice(0, id.indexOf('#')))],
  ])('is let go of when the run has ended, however it was driven: %s', async (_, end) => {
    const worker = agent({ name: 'worker', tools: [pay], journal: memoryJournal() })
    const model = () => scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'ok' : { calls: [{ tool: 'pay' }] }))
    const begin = async (thread: string): Promise<WeakRef<object>> => {
      const deps = { thread }
      const { questions } = await worker.run('go', { thread, deps, model: model() })
      const ended = worker.watch(thread, { until: 'rest', from: 1 })
      await end(worker, questions[0]?.id ?? '')
      for await (const event of ended) if (event.type.startsWith('run.') && /finished|stopped/.test(event.type)) break
      return new WeakRef(deps)
    }
    const given = await Promise.all(['a', 'b', 'c'].map(begin))
    for (let turn = 0; turn < 50 && given.some((one) => one.deref()); turn += 1) {
      // What was looked at stays until the pass of the event loop is over.
      await soon()
      collectGarbage()
    }
    expect(given.map((one) => one.deref())).toEqual([undefined, undefined, undefined])
  })
})
