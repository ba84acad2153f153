/** Structures that never end, that are read for ever, or that hold promises: what is refused is refused in words, soon, and reaches no process. */
import { agent, type Guard, type Input, pipeline, type RunOptions, tool } from '@loom-agent/agent'
import { isLoomError } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { idle } from '../support/event-loop.ts'
import { eventsOf } from '../support/threads.ts'
import { loadAll } from './load-all.ts'

const raise = (): never => {
  throw new Error('boom')
}

/** Collections whose own iterators never end. */
class EndlessMap extends Map<string, number> {
  override *[Symbol.iterator](): MapIterator<[string, number]> {
    for (;;) yield ['a', 1]
  }
}
class EndlessSet extends Set<string> {
  override *[Symbol.iterator](): SetIterator<string> {
    for (;;) yield 'a'
  }
}
class OfNoKind extends Array<unknown> {
  static override get [Symbol.species](): ArrayConstructor {
    return raise()
  }
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

/** A list with one item, behind four billion places that have none. */
function sparse(): unknown[] {
  const list: unknown[] = []
  list[4_000_000_000] = 1
  return list
}

let lost: unknown[] = []
const note = (error: unknown): void => void lost.push(error)
beforeAll(loadAll)
beforeEach(() => {
  lost = []
  process.on('unhandledRejection', note).on('uncaughtException', note)
})
afterEach(() => {
  process.off('unhandledRejection', note).off('uncaughtException', note)
})

const calling = (...steps: readonly string[]) => scriptedModel([{ calls: steps.map((name) => ({ tool: name })) }, 'Done.'])

it('a map and a set are what they hold, whatever their iterators do', async () => {
  const get = tool({ name: 'get', run: () => ({ map: new EndlessMap([['k', 7]]), set: new EndlessSet(['v']) }) })
  const worker = agent({ model: calling('get'), tools: [get] })
  expect(await worker.run('go', { thread: 't' })).toMatchObject({ status: 'done' })
  const finished = (await eventsOf(worker.journal, 't')).find(({ type }) => type === 'tool.finished')
  expect(finished?.data).toMatchObject({ output: { type: 'json', value: { map: { k: 7 }, set: ['v'] } } })
})

it.each([
  ['a text of megabytes', () => 'x'.repeat(20_000_000)],
  ['bytes', () => new Uint8Array(50_000_000)],
  ['a revoked proxy', revoked],
  ['a proxy that throws where it is asked for a brand', () => new Proxy({}, { getOwnPropertyDescriptor: raise })],
])('%s that a tool throws or returns is a result', async (_, make) => {
  const thrower = tool({
    name: 'throws',
    run: () => {
      throw make()
    },
  })
  const returner = tool({ name: 'returns', run: make })
  const result = await agent({ model: calling('throws', 'returns'), tools: [thrower, returner], ports: { development: false } }).run('go')
  expect(result).toMatchObject({ status: 'done', text: 'Done.' })
  expect(lost).toEqual([])
})

describe.each([
  ['a revoked proxy', revoked],
  ['a list whose copies throw', () => OfNoKind.from([1, 2])],
  ['a list with four billion places', sparse],
  ['a structure with promises that reject', () => ({ a: [Promise.reject(new Error('late')), { b: Promise.reject(new Error('late')) }] })],
])('%s', (_, make) => {
  it.each<[string, () => Promise<unknown>]>([
    ['as an input', () => agent({ model: scriptedModel('ok') }).run(make() as Input)],
    ['as options of a run', () => agent({ model: scriptedModel('ok') }).run('go', make() as RunOptions)],
    ['as limits', () => agent({ model: scriptedModel('ok') }).run('go', { limits: make() as never })],
    ['as the plan of a strategy', () => agent({ model: scriptedModel('ok'), context: { name: 's', assemble: () => make() as never } }).run('go')],
    [
      'as items of a plan',
      () => agent({ model: scriptedModel('ok'), context: { name: 's', assemble: () => ({ items: make() as never }) } }).run('go'),
    ],
    ['as what a hook returns', () => agent({ model: scriptedModel('ok'), hooks: [{ name: 'h', beforeIterationStart: make as never }] }).run('go')],
  ])('%s is refused in words', async (_place, run) => {
    const outcome: unknown = await run().then(
      (result) => (result as { readonly error?: unknown }).error,
      (error: unknown) => (isLoomError(error) ? error : { raw: error }),
    )
    await idle()
    expect(outcome).toMatchObject({ code: expect.stringMatching(/^LOOM_/) })
    expect(lost).toEqual([])
  })
})

it('a guard is believed by what it was judged by, and one that gives a text gives no verdict', async () => {
  let looks = 0
  const twoFaced: Guard = {
    name: 'two faces',
    input: () =>
      ({
        get rewrite() {
          looks += 1
          return looks === 1 ? 'clean' : 5
        },
      }) as never,
  }
  const model = scriptedModel('ok')
  expect(await agent({ model, guards: [twoFaced] }).run('dirty')).toMatchObject({ status: 'done' })
  expect(JSON.stringify(model.requests[0]?.prompt)).toContain('clean')
  const wrong: Guard = { name: 'text', input: () => 'x'.repeat(5_000_000) as never }
  const blocked = await agent({ model: scriptedModel('ok'), guards: [wrong] }).run('go')
  expect(blocked).toMatchObject({ status: 'stopped', reason: expect.stringContaining('no verdict') })
  expect(JSON.stringify(blocked).length).toBeLessThan(5000)
})

it('a verdict of a tool is believed by what it was judged by, and the reason of a wrong one is short', async () => {
  let looks = 0
  const permissions = {
    changing: () =>
      ({
        get atLeast() {
          looks += 1
          return looks === 1 ? 'deny' : 'allow'
        },
      }) as never,
    long: async () => ({ x: 'x'.repeat(1_000_000) }) as never,
    unreadable: async () => new Proxy({}, { get: (_, key) => (key === 'then' ? undefined : raise()) }) as never,
  }
  const ran: string[] = []
  const tools = Object.entries(permissions).map(([name, permission]) => tool({ name, permission, run: () => ran.push(name) }))
  const worker = agent({ model: calling('changing', 'long', 'unreadable'), tools })
  expect(await worker.run('go', { thread: 't' })).toMatchObject({ status: 'done' })
  const denied = (await eventsOf(worker.journal, 't')).filter(({ type }) => type === 'tool.denied')
  expect(denied).toHaveLength(3)
  expect(JSON.stringify(denied).length).toBeLessThan(5000)
  expect([ran, lost]).toEqual([[], []])
})

it('what a step returns is bounded, and a step that returned more has run once and says so', async () => {
  let runs = 0
  const caught: string[] = []
  const long = tool({
    name: 'long',
    durable: true,
    run: async (_, { step, sleep }) => {
      const value = await step('read', () => 'x'.repeat(++runs && 1001)).catch((error: Error) => caught.push(error.message))
      await sleep(1)
      return [value, await step('fits', () => 'x'.repeat(1000).slice(0, 3))]
    },
  })
  const worker = agent({ model: calling('long'), tools: [long], behaviour: { stepLimit: 1000 } })
  expect(await worker.run('go', { thread: 't' })).toMatchObject({ status: 'done' })
  expect(runs).toBe(1)
  expect(caught[0]).toMatch(/has run.*1001 characters, and 1000 are allowed.*behaviour\.stepLimit/)
  expect(JSON.stringify(await eventsOf(worker.journal, 't'))).not.toContain('x'.repeat(100))
})

it('a pipeline of no strategies is refused when it is made', () => {
  expect(() => pipeline()).toThrow(expect.objectContaining({ code: 'LOOM_OPTION_INVALID' }))
})
