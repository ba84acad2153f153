/** Ports that misbehave: whatever they return or throw is an error of Loom's that names the port, and reaches no process. */
import { agent, approve, completePorts, type Ports, tool } from '@loom-agent/agent'
import { isLoomError } from '@loom-agent/kernel'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { idle } from '../support/event-loop.ts'
import { loadAll } from './load-all.ts'

const raise = (): never => {
  throw new Error('boom')
}

/** What is neither an id, nor a digest, nor a number, nor a moment, nor a function that cancels. */
const junk: Readonly<Record<string, () => unknown>> = {
  nothing: () => undefined,
  null: () => null,
  'a number that is none': () => Number.NaN,
  infinity: () => Number.POSITIVE_INFINITY,
  'a big integer': () => 10n,
  'a symbol': () => Symbol('x'),
  'a text of nothing': () => '',
  'half of a character': () => '\ud800',
  'a control character': () => 'a\0b',
  'a text of megabytes': () => 'x'.repeat(5_000_000),
  'an object that throws': () => ({ toString: raise, valueOf: raise }),
  'a revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  },
  'a promise': () => Promise.resolve('id'),
  'a promise that rejects': () => Promise.reject(new Error('late')),
  'an error': raise,
  'an error that cannot be read': () => {
    throw new Proxy({}, { get: raise, has: raise, getPrototypeOf: raise })
  },
}

const ports: Readonly<Record<string, (call: () => never) => Partial<Ports>>> = {
  ids: (ids) => ({ ids }),
  hash: (hash) => ({ hash }),
  random: (random) => ({ random }),
  'clock.now': (now) => ({ clock: { now, at: () => () => {} } }),
  'clock.at': (at) => ({ clock: { now: () => 1_000_000, at } }),
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

/** An agent that uses every port: an attempt is repeated, a call is keyed and asked about, a body is durable, a child is started. */
function user(given: Partial<Ports>) {
  const flaky = Object.assign(new Error('flaky'), { statusCode: 503, isRetryable: true })
  const calls = [{ tool: 'pay' }, { tool: 'wait' }, { tool: 'child', input: { prompt: 'x' } }]
  const model = scriptedModel((_, request) => (request === 1 ? { throws: flaky } : request === 2 ? { calls } : 'Done.'))
  const pay = tool({ name: 'pay', effect: 'idempotent', permission: 'ask', run: () => 'paid' })
  const wait = tool({ name: 'wait', durable: true, run: async (_, { sleep, step }) => [await step('one', () => 1), await sleep(1)] })
  const child = agent({ name: 'child', model: scriptedModel(() => 'ok') })
  return agent({ model, tools: { pay, wait, child }, ports: given, onQuestion: () => approve() })
}

describe.each(Object.entries(ports))('the port %s', (port, make) => {
  it.each(Object.entries(junk))('that gives %s is an error that names it', async (_, call) => {
    const outcome: unknown = await Promise.resolve()
      .then(() => user(make(call as never)).run('go'))
      .then(
        (result) => (result.status === 'failed' ? result.error : result),
        (error: unknown) => (isLoomError(error) ? error : { raw: error }),
      )
    await idle()
    expect(outcome).toMatchObject({ code: 'LOOM_OPTION_INVALID', message: expect.stringContaining(port) })
    expect(lost).toEqual([])
  })
})

it('a clock that rings inside of the call that sets it, and again when it was cancelled, changes nothing', async () => {
  const manual = manualClock()
  const rings: (() => void)[] = []
  const clock = {
    now: manual.now,
    at: (time: number, ring: () => void) => {
      rings.push(ring)
      if (time <= manual.now()) ring()
      return raise
    },
  }
  const sleeper = tool({ name: 'wait', durable: true, run: async (_, { step }) => step('one', () => 1) })
  const model = scriptedModel([{ calls: [{ tool: 'wait' }] }, 'Done.'])
  const result = await agent({ model, tools: [sleeper], ports: { clock, development: false } }).run('go')
  for (const ring of rings) ring()
  const order: string[] = []
  const checked = completePorts({ clock }).clock
  checked.at(0, () => order.push('rung'))
  checked.at(0, () => order.push('cancelled'))()
  order.push('set')
  await idle()
  expect(order).toEqual(['set', 'rung'])
  expect(result).toMatchObject({ status: 'done', text: 'Done.' })
  expect(lost).toEqual([])
})
