/** When a model is tried again: as it asks, within one deadline, and with a shorter request when it was too long. */
import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { agent, type ContextStrategy, frameAt, type Hook, memoryJournal } from '@loom-agent/agent'
import { type WireServer, wireServer, wires } from '@loom-agent/harness/wire'
import { LoomError } from '@loom-agent/kernel'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { modelOn } from '../../harness/test/wire/providers.ts'
import { factsOf } from './journals.ts'

const open: WireServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

const limited = (headers: object): Error => Object.assign(new Error('slow down'), { statusCode: 429, isRetryable: true, responseHeaders: headers })
const overloaded = Object.assign(new Error('Overloaded'), { statusCode: 529, isRetryable: true })
const start = Date.parse('2026-10-15T12:00:00Z')

describe('a wait that a vendor asks for', () => {
  test.for([
    ['seconds', { 'retry-after': '7' }, 7000],
    ['a part of a second', { 'retry-after': '0.25' }, 250],
    ['milliseconds, which come first', { 'retry-after-ms': '300', 'retry-after': '7' }, 300],
    ['a date', { 'retry-after': 'Thu, 15 Oct 2026 12:00:09 GMT' }, 9000],
    ['a date that is over', { 'retry-after': 'Thu, 15 Oct 2026 11:00:00 GMT' }, 0],
    ['the longest that there is time for', { 'retry-after': '600' }, 600_000],
  ] as const)('in %s is kept', async ([, headers, wait]) => {
    const clock = manualClock(start)
    const worker = agent({ model: scriptedModel([{ throws: limited(headers) }, 'ok']), ports: { clock } })
    const run = worker.run('go', { thread: 't' })
    await clock.advance(wait + 1)
    expect((await run).status).toBe('done')
    const [failed] = await factsOf(worker, 't', 'model.failed')
    expect((failed?.data.retryAt ?? 0) - (failed?.time ?? 0)).toBe(wait)
  })

  test.for([
    ['a day', { 'retry-after': '86400' }, 86_400_000],
    ['a year, as a date', { 'retry-after': 'Fri, 15 Oct 2027 12:00:00 GMT' }, 31_536_000_000],
    ['more seconds than a number has room for', { 'retry-after': '1e300' }, 1e303],
  ] as const)('of %s is not: the run fails at once and says how long it was asked to wait', async ([, headers, retryAfterMs]) => {
    const model = scriptedModel([{ throws: limited(headers) }, 'ok'])
    const worker = agent({ model, ports: { clock: manualClock(start) } })
    const result = await worker.run('go', { thread: 't' })
    expect(result).toMatchObject({ status: 'failed', error: { code: 'LOOM_MODEL_RATE_LIMITED', context: { status: 429, retryAfterMs } } })
    expect(result.status === 'failed' && result.error.message).toMatch(/asks to be tried again in .* ms.*Resume the thread later/)
    expect(await worker.resume('t').result()).toMatchObject({ status: 'done', text: 'ok' })
  })

  test.for(['soon', '', '-5', 'NaN'])('that makes no sense (%j) is none', async (header) => {
    const worker = agent({ model: scriptedModel([{ throws: limited({ 'retry-after': header }) }, 'ok']), ports: { random: () => 0 } })
    expect((await worker.run('go')).status).toBe('done')
  })
})

describe('the attempts of a turn', () => {
  const behaviour = { attempts: 100 }

  test('have one deadline, which each wait brings nearer', async () => {
    const clock = manualClock(start)
    const model = scriptedModel(() => ({ throws: limited({ 'retry-after': '250' }) }))
    const worker = agent({ model, behaviour, ports: { clock } })
    const run = worker.run('go', { thread: 't' })
    await clock.advance(250_000)
    await clock.advance(250_000)
    expect(await run).toMatchObject({ status: 'failed', error: { context: { retryAfterMs: 250_000 } } })
    expect(model.requests).toHaveLength(3)
  })

  test('have it also where no wait is asked for', async () => {
    const clock = manualClock(start)
    const model = scriptedModel(() => ({ throws: overloaded }))
    const run = agent({ model, behaviour, ports: { clock, random: () => 1 } }).run('go')
    for (let minute = 0; minute < 12; minute += 1) await clock.advance(60_000)
    expect(await run).toMatchObject({ status: 'failed', error: { code: 'LOOM_MODEL_FAILED' } })
    expect(clock.now() - start).toBe(720_000)
    expect(model.requests.length).toBeLessThan(20)
  })

  test('are counted from the first one, which the journal knows, for the next driver of the thread', async () => {
    const [clock, journal] = [manualClock(start), memoryJournal()]
    const asks = { throws: limited({ 'retry-after': '100' }) }
    const worker = agent({ model: scriptedModel([asks, asks, 'ok']), behaviour, ports: { clock }, journal })
    const run = worker.run('go', { thread: 't' })
    await clock.advance(100_000)
    expect((await frameAt(journal, 't')).run).toMatchObject({ attempt: 2, tried: start })
    await clock.advance(100_000)
    expect((await run).status).toBe('done')
  })

  test('of the next turn have a deadline of their own', async () => {
    const clock = manualClock(start)
    const asks = { throws: limited({ 'retry-after': '500' }) }
    const worker = agent({ model: scriptedModel([asks, 'one', asks, 'two']), behaviour, ports: { clock } })
    const one = worker.run('go', { thread: 't' })
    await clock.advance(500_001)
    expect(await one).toMatchObject({ text: 'one' })
    const two = worker.run('go on', { thread: 't' })
    await clock.advance(500_001)
    expect(await two).toMatchObject({ text: 'two' })
  })
})

describe('a request that is too long', () => {
  /** Leaves out everything before the last input when the request was too long. */
  const cutting: ContextStrategy = {
    name: 'cutting',
    assemble: ({ frame, rebase }) =>
      rebase === 'overflow' ? { rebase: { reason: 'overflow', keepFrom: frame.history.length - 1, lead: 'Much was said.' } } : {},
  }

  test.for(wires)('is made shorter and sent once more on %s', async (wire) => {
    const server = await wireServer({ reply: ['first', { fault: { kind: 'overflow' } }, 'second'] })
    open.push(server)
    const worker = agent({ model: modelOn(wire, server), settings: { maxOutputTokens: 100 }, context: cutting })
    await worker.run('a long story', { thread: 't' })
    expect(await worker.run('and now?', { thread: 't' })).toMatchObject({ status: 'done', text: 'second' })
    expect(server.requests.map(({ problems }) => problems)).toEqual([[], [], []])
    expect(JSON.stringify(server.requests[1]?.body)).toContain('a long story')
    expect(JSON.stringify(server.requests[2]?.body)).not.toContain('a long story')
    expect(JSON.stringify(server.requests[2]?.body)).toContain('Much was said.')
    expect((await factsOf(worker, 't', 'context.assembled')).map(({ data }) => data.rebase?.reason)).toEqual(['start', undefined, 'overflow'])
  })

  test.for(wires)('fails with its own code on %s when it is too long again, after two requests', async (wire) => {
    const server = await wireServer({ reply: ['first', () => ({ fault: { kind: 'overflow' } })] })
    open.push(server)
    const worker = agent({ model: modelOn(wire, server), settings: { maxOutputTokens: 100 }, context: cutting })
    await worker.run('a long story', { thread: 't' })
    expect(await worker.run('and now?', { thread: 't' })).toMatchObject({ status: 'failed', error: { code: 'LOOM_MODEL_CONTEXT_LENGTH' } })
    expect(server.requests).toHaveLength(3)
  })

  const long = Object.assign(new Error('input length and `max_tokens` exceed context limit: 199000 + 8000 > 200000'), { statusCode: 400 })

  test('is not sent again as it was: a strategy that leaves nothing out is no help', async () => {
    const model = scriptedModel([{ throws: long }, 'never'])
    expect(await agent({ model }).run('go')).toMatchObject({ status: 'failed', error: { code: 'LOOM_MODEL_CONTEXT_LENGTH' } })
    expect(model.requests).toHaveLength(1)
  })

  test('is made shorter though there is only one attempt, and not by a strategy that fails', async () => {
    const model = scriptedModel(['one', { throws: long }, 'two', { throws: long }])
    const worker = agent({ model, context: cutting, behaviour: { attempts: 1 } })
    await worker.run('a', { thread: 't' })
    expect(await worker.run('b', { thread: 't' })).toMatchObject({ status: 'done', text: 'two' })
    const failing: ContextStrategy = { name: 'failing', assemble: ({ rebase }) => (rebase === 'overflow' ? Promise.reject(new Error('no')) : {}) }
    expect(await worker.with({ context: failing }).run('c', { thread: 't' })).toMatchObject({ error: { code: 'LOOM_MODEL_CONTEXT_LENGTH' } })
  })

  test('that a model of one’s own refuses is judged alike', async () => {
    const model = scriptedModel(['one', { throws: new LoomError('LOOM_MODEL_CONTEXT_LENGTH', 'Too long.') }, 'two'])
    const worker = agent({ model, context: cutting })
    await worker.run('a', { thread: 't' })
    expect(await worker.run('b', { thread: 't' })).toMatchObject({ status: 'done', text: 'two' })
    expect(model.requests).toHaveLength(3)
  })

  test('into which a hook has put messages is left as it is', async () => {
    const more: LanguageModelV4Message = { role: 'user', content: [{ type: 'text', text: 'mind the gap' }] }
    const hooks: readonly Hook[] = [{ beforeModelCall: (_, { messages }) => ({ messages: [...messages, more] }) }]
    const model = scriptedModel([{ throws: long }, 'never'])
    expect(await agent({ model, hooks, context: cutting }).run('go')).toMatchObject({ status: 'failed' })
    expect(model.requests).toHaveLength(1)
  })

  test.for([
    'max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens',
    'messages.1.content: tool_use ids must be unique',
    'The file is too large.',
  ])('is not what every refusal means: %s', async (message) => {
    const model = scriptedModel([{ throws: Object.assign(new Error(message), { statusCode: 400, isRetryable: false }) }])
    expect(await agent({ model }).run('go')).toMatchObject({ error: { code: 'LOOM_MODEL_FAILED' } })
  })
})
