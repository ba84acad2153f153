import { createContext, runInContext } from 'node:vm'
import { decide, decodeBatch, type Effect, encodeBatch, type Frame, fold, isAtRest, type LoomEvent, summarize, upcast } from '@loom-agent/kernel'
import { frames } from '@loom-agent/testing'
import { build } from 'vite'
import { beforeAll, describe, expect, test } from 'vitest'
import { busyJournal, eventsIn } from './real-runs.ts'

/** Everything by which a function could learn of the world, or change it. */
const poisoned = [
  ...['Date', 'Intl', 'performance', 'crypto', 'process', 'navigator', 'console', 'fetch', 'WebSocket', 'Buffer', 'structuredClone'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'queueMicrotask', 'require', 'localStorage', 'Deno', 'Bun'],
]

/** Runs something during which every touch of the world throws. It is synchronous, so nothing else is affected. */
function withoutWorld<T>(run: () => T): T {
  const globals = poisoned.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  const { random } = Math
  const { localeCompare } = String.prototype
  const refuse = (name: string) => (): never => {
    throw new Error(`The kernel touched ${name}.`)
  }
  for (const [name] of globals) Object.defineProperty(globalThis, name, { configurable: true, get: refuse(name) })
  Math.random = refuse('Math.random')
  String.prototype.localeCompare = refuse('localeCompare')
  try {
    return run()
  } finally {
    Math.random = random
    String.prototype.localeCompare = localeCompare
    for (const [name, former] of globals) {
      if (former) Object.defineProperty(globalThis, name, former)
      else Reflect.deleteProperty(globalThis, name)
    }
  }
}

/** Whatever the kernel makes of a history. */
function madeOf(thread: string, events: readonly LoomEvent[]): { frames: Frame[]; effects: Effect[]; rest: unknown } {
  const all = [...frames(thread, events)]
  const line = encodeBatch({ id: 'b', incarnation: thread, expected: 0, time: 0, events, summary: summarize(fold(thread, events)) })
  const rest = {
    read: decodeBatch(thread, 1, line),
    old: upcast({ type: 'run.finished', v: 1, data: {} }),
  }
  return { frames: all, effects: all.map((frame) => decide(frame)), rest: { ...rest, atRest: all.map(isAtRest) } }
}

let histories: readonly (readonly LoomEvent[])[]

beforeAll(async () => {
  const journal = await busyJournal()
  const heads = await journal.threads()
  histories = await Promise.all(heads.map(({ thread }) => eventsIn(journal, thread)))
})

describe('the kernel is pure (law 3)', () => {
  test('the poison works', () => {
    expect(() => withoutWorld(() => Date.now())).toThrow('touched Date')
    expect(() => withoutWorld(() => Math.random())).toThrow('touched Math.random')
    expect(() => withoutWorld(() => setTimeout(() => {}, 0))).toThrow('touched setTimeout')
    expect(Date.now()).toBeGreaterThan(0)
  })

  test('folding, deciding, writing and reading real journals touches nothing of the world', () => {
    expect(histories.map((events) => events.length > 5)).toEqual([true, true])
    for (const events of histories) {
      const there = madeOf('t', events)
      expect(withoutWorld(() => madeOf('t', events))).toEqual(there)
    }
  })

  test('called twice it gives equal data', () => {
    for (const events of histories) expect(madeOf('t', events)).toEqual(madeOf('t', events))
  })
})

/** A driver with a performer of three lines, as a program that knows the language and nothing else. */
const program = `
  delete Math.random
  for (const name of ['Date', 'Intl', 'console', 'WebAssembly', 'SharedArrayBuffer', 'Atomics']) delete globalThis[name]
  globalThis.results = (async () => {
    const { kernel, memoryJournal } = bundle
    const { decide, emptyFrame, evolve, fold, tt } = kernel
    const frames = (events) => events.map(((frame) => (event) => (frame = evolve(frame, event)))(emptyFrame('t')))
    const folded = JSON.parse(histories).map((events) => frames(events).map((frame) => ({ frame, effect: decide(frame) })))
    const journal = memoryJournal({ now: () => 0 })
    let time = 0
    const clock = { now: () => ++time, at: () => () => {} }
    const request = { input: [], agent: { name: 'a', fingerprint: 'f' }, model: 'm', limits: {} }
    const drafts = [{ type: 'thread.started', data: { agent: 'a' } }, { type: 'run.started', data: { run: 'r1', request } }]
    await journal.append('t', { id: 'i', incarnation: 't', expected: 0, time: 0, events: drafts, summary: { status: 'idle' } })
    const { epoch } = await journal.acquire('t', { worker: 'w', incarnation: 't', seen: 0 })
    const performer = (outbox) => ({
      perform(effect) {
        if (effect.kind === 'assemble') outbox.put([{ type: 'context.assembled', data: { rebase: { reason: 'start', system: '', tools: [] } } }], 'intended')
        else if (effect.kind === 'call-model') {
          outbox.put([{ type: 'model.requested', data: { attempt: 1 } }], 'intended')
          outbox.put([{ type: 'model.replied', data: { parts: [{ type: 'text', text: 'Hi.' }], usage: { input: 1, output: 1 }, finish: 'stop' } }], 'happened')
        } else return 'settled'
        return 'begun'
      },
      abort() {},
      idle: () => Promise.resolve(),
    })
    const opening = [{ type: 'driver.acquired', data: { epoch, worker: 'w' } }]
    const left = await tt(fold('t', await journal.read('t')), { journal, clock, performer, epoch, opening, committed() {} })
    return JSON.stringify({ folded, left })
  })()
`

describe('the kernel alone', () => {
  test('runs where there is the language and nothing else: no clock, timer, random, console or network', async () => {
    const entry = new URL('./kernel-with-journal.ts', import.meta.url).pathname
    const built = await build({
      configFile: false,
      logLevel: 'silent',
      resolve: { conditions: ['loom-source'] },
      build: { write: false, minify: false, target: 'es2024', lib: { entry, formats: ['iife'], name: 'bundle' } },
    })
    const [bundle] = Array.isArray(built) ? built : []
    const code = bundle?.output[0].code ?? ''
    expect(code).not.toMatch(/\bimport\b[^\n]*from|require\(/)
    const context = createContext({ histories: JSON.stringify(histories) })
    runInContext(code, context)
    runInContext(program, context)
    const { folded, left } = JSON.parse(String(await (context['results'] as Promise<string>)))
    const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
    expect(folded).toEqual(plain(histories.map((events) => [...frames('t', events)].map((frame) => ({ frame, effect: decide(frame) })))))
    expect(left.run.status).toBe('finished')
  })
})
