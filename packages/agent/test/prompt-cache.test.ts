/** The prompt-cache contract: requests only grow between rebases, vendors that want marks get them, and what was lost is found in the events. */
import { agent, type ContextStrategy, cacheReport, compress, memoryJournal, requestAt, tool } from '@loom-agent/agent'
import type { LanguageModelV4CallOptions } from '@loom-agent/agent/language-model'
import { type WireServer, wireServer } from '@loom-agent/harness/wire'
import { assertCachePrefix, manualClock, type ScriptedModel, scriptedModel } from '@loom-agent/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { modelOn } from '../../harness/test/wire/providers.ts'
import { eventsOf } from './journals.ts'

const look = tool({ name: 'look', effect: 'read', run: () => 'stone river cloud '.repeat(100) })
const limits = { loop: false, turns: 100 } as const

/** A model under the name of a vendor's. */
const named = (model: ScriptedModel, provider: string): ScriptedModel => ({ ...model, provider })

/** The places of marks in a request: tools, and messages by number. */
const marksOf = ({ prompt, tools = [] }: LanguageModelV4CallOptions): readonly (number | string)[] => [
  ...tools.flatMap((one) => (JSON.stringify(one).includes('cacheControl') ? [one.name] : [])),
  ...prompt.flatMap(({ providerOptions }, place) => (providerOptions?.['anthropic']?.['cacheControl'] ? [place] : [])),
]

const busy = (turns: number): ScriptedModel => {
  let calls = 0
  return scriptedModel(() => (++calls % (turns + 1) === 0 ? 'ok' : { calls: [{ tool: 'look' }] }))
}

describe('marks', () => {
  test('are after the system text, at the end of the request before, and at the end', async () => {
    const model = named(busy(3), 'anthropic.messages')
    await agent({ model, tools: [look], instructions: 'Be brief.', limits }).run('go')
    expect(model.requests.map(marksOf)).toEqual([
      [0, 1],
      [0, 1, 3],
      [0, 3, 5],
      [0, 5, 7],
    ])
    assertCachePrefix(model.requests)
  })

  test('are on the last tool without a system text, and after what a rebase shows', async () => {
    const cutting: ContextStrategy = {
      name: 'cutting',
      assemble: ({ frame }) =>
        frame.history.length === 7 ? { rebase: { reason: 'old', segments: [{ to: 5, as: 'summary', text: 'They looked twice.' }] } } : {},
    }
    const model = named(busy(4), 'vertex.anthropic.messages')
    const worker = agent({ model, tools: [look], context: cutting, limits })
    await worker.run('go', { thread: 't' })
    expect(model.requests.map(marksOf)).toEqual([
      ['read_more', 0],
      ['read_more', 0, 2],
      ['read_more', 2, 4],
      ['read_more', 1, 3],
      ['read_more', 1, 3, 5],
    ])
    assertCachePrefix(model.requests, await eventsOf(worker, 't'))
    expect(() => assertCachePrefix(model.requests)).toThrow('Request 4 does not begin with request 3: message 0 (user) differs')
  })

  test.each([
    ['a vendor that takes none', 'openai.responses', {}],
    ['settings that mark by themselves', 'anthropic.messages', { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } }],
    ['settings that turn them off', 'anthropic.messages', { loom: { cacheMarks: false } }],
  ] as const)('are left out for %s', async (_, provider, providerOptions) => {
    const model = named(busy(2), provider)
    await agent({ model, tools: [look], instructions: 'Be brief.', settings: { providerOptions }, limits }).run('go')
    expect(model.requests.flatMap(marksOf)).toEqual([])
  })

  test('are no part of the digest (MARK-1): a request is rendered again as it was sent', async () => {
    const model = named(busy(2), 'anthropic.messages')
    const worker = agent({ model, tools: [look], instructions: 'Be brief.', limits })
    await worker.run('go', { thread: 't' })
    const { length } = await eventsOf(worker, 't')
    const { request, isVerified } = await requestAt(worker.journal, `t@${length}`)
    expect(isVerified).toBe(true)
    expect(marksOf(request)).toEqual(marksOf(model.requests.at(-1) as LanguageModelV4CallOptions))
  })

  test('a hook sees messages without marks', async () => {
    const model = named(busy(1), 'anthropic.messages')
    const seen: unknown[] = []
    const hook = {
      beforeModelCall: (_context: unknown, { messages }: { messages: readonly unknown[] }) => {
        seen.push(...messages)
      },
    }
    await agent({ model, tools: [look], hooks: [hook], limits }).run('go')
    expect(JSON.stringify(seen)).not.toContain('cacheControl')
    expect(seen.length).toBeGreaterThan(0)
  })
})

describe('on the wire of Anthropic', () => {
  const open: WireServer[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()))
  })

  test('marks arrive, four at most, and nothing is refused', async () => {
    const server = await wireServer({ reply: [...Array.from({ length: 6 }, () => ({ calls: [{ tool: 'look' }] })), 'ok'] })
    open.push(server)
    const context = compress({ max: 1500 })
    const result = await agent({ model: modelOn('anthropic', server), tools: [look], instructions: 'Be brief.', context, limits }).run('go')
    expect(result.status).toBe('done')
    expect(server.requests.flatMap(({ problems }) => problems)).toEqual([])
    const counts = server.requests.map(({ body }) => JSON.stringify(body).match(/"cache_control"/g)?.length ?? 0)
    expect(Math.max(...counts)).toBeLessThanOrEqual(4)
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(2)
  })
})

describe('the order of tools', () => {
  const other = tool({ name: 'other', effect: 'read', run: () => 'x' })

  test('is that of their definition; another order is a rebase with the cause tools', async () => {
    const model = scriptedModel(() => 'ok')
    const worker = agent({ model, tools: [look, other] })
    await worker.run('one', { thread: 't' })
    await worker.run('two', { thread: 't', tools: [look, other] })
    await worker.run('three', { thread: 't', tools: [other, look] })
    expect(model.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
      ['look', 'other'],
      ['look', 'other'],
      ['other', 'look'],
    ])
    const events = await eventsOf(worker, 't')
    const causes = events.flatMap((event) => (event.type === 'context.assembled' ? [event.data.rebase?.reason] : []))
    expect(causes).toEqual(['start', undefined, 'tools'])
    assertCachePrefix(model.requests, events)
    expect(() => assertCachePrefix(model.requests)).toThrow(
      'the tools differ, their order was look, other and is other, look. A rebase would explain it (cause tools)',
    )
  })
})

describe('a cache report', () => {
  /** Micro-units: 10 for a token, 1 for one that is read from a cache, 12 for one that is written to it. */
  const price = (_model: string, { input, cacheRead = 0, cacheWrite = 0 }: { input: number; cacheRead?: number; cacheWrite?: number }): number =>
    (input - cacheRead - cacheWrite) * 10 + cacheRead + cacheWrite * 12

  const runs = async (usages: readonly object[], then: (worker: ReturnType<typeof agent>, step: (ms: number) => void) => Promise<unknown>) => {
    const clock = manualClock()
    const model = scriptedModel(usages.map((usage) => ({ text: 'ok', usage })))
    const worker = agent({ model, journal: memoryJournal({ now: clock.now }), ports: { clock, price } })
    await worker.run('one', { thread: 't' })
    await then(worker, clock.skip)
    return cacheReport(await eventsOf(worker, 't'), { price })
  }

  test('has the hit rate of every run, and of all', async () => {
    const report = await runs([{ input: 2000 }, { input: 3000, cacheRead: 2000 }], (worker) => worker.run('two', { thread: 't' }))
    expect(report).toMatchObject({ hitRate: 0.4, broken: [], rebases: [{ cause: 'start', tokens: 0 }] })
    expect(report.runs).toMatchObject([
      { run: 'r1', replies: 1, hitRate: 0 },
      { run: 'r2', replies: 1, input: 3000, cacheRead: 2000, hitRate: 2000 / 3000 },
    ])
  })

  test('has what a rebase cost in tokens and money', async () => {
    const usages = [
      { input: 2000, cacheRead: 2000 },
      { input: 2100, cacheRead: 100 },
    ]
    const report = await runs(usages, (worker) => worker.with({ instructions: 'Be brief.' }).run('two', { thread: 't' }))
    expect(report.rebases).toMatchObject([
      { cause: 'start', tokens: 0 },
      { cause: 'instructions', tokens: 1900, cost: 1900 * 9 },
    ])
    expect(report.broken).toEqual([])
  })

  const lost = [{ input: 2000, cacheRead: 2000 }, { input: 2100 }]
  test.each([
    [
      'another model',
      'model',
      (worker: ReturnType<typeof agent>) =>
        worker.run('two', { thread: 't', model: scriptedModel({ text: 'ok', usage: { input: 2100 } }, { modelId: 'other' }) }),
    ],
    ['other settings', 'settings', (worker: ReturnType<typeof agent>) => worker.run('two', { thread: 't', settings: { temperature: 0 } })],
    [
      'a hook',
      'hook',
      (worker: ReturnType<typeof agent>) =>
        worker.with({ hooks: [{ beforeModelCall: (_context, { messages }) => ({ messages: messages.slice(1) }) }] }).run('two', { thread: 't' }),
    ],
    ['the vendor', 'vendor', (worker: ReturnType<typeof agent>) => worker.run('two', { thread: 't' })],
  ] as const)('names %s as what broke a cache', async (_, by, then) => {
    const report = await runs(lost, (worker) => then(worker))
    expect(report.broken).toMatchObject([{ by, tokens: 2000, cost: 2000 * 9 }])
  })

  test('names time as what broke a cache, after more than five minutes', async () => {
    const report = await runs(lost, async (worker, step) => {
      step(301_000)
      await worker.run('two', { thread: 't' })
    })
    expect(report.broken).toMatchObject([{ by: 'time' }])
  })

  test('a cache that misses only the end of a block is not broken', async () => {
    const report = await runs(
      [
        { input: 2000, cacheRead: 2000 },
        { input: 2100, cacheRead: 1700 },
      ],
      (worker) => worker.run('two', { thread: 't' }),
    )
    expect(report.broken).toEqual([])
  })
})
