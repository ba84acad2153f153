/** Prices and the table of models. */
import { createAgentFactory, tool } from '@loom-agent/agent'
import { wireServer } from '@loom-agent/harness/wire'
import { createModels, infoOf, modelTable, priceOf } from '@loom-agent/models'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const now = Date.parse('2026-10-15')

describe('every model in the table', () => {
  test.for(Object.entries(modelTable))(
    '%s says where it was read, and is plausible',
    ([id, { source, price, contextWindow, outputLimit, input, output }]) => {
      expect(id).toMatch(/^(anthropic|openai|google)\/[a-z0-9.-]+$/)
      expect(source).toMatch(/^https:\/\/[a-z.]+\//)
      for (const count of [contextWindow, outputLimit]) expect(count === undefined || (Number.isInteger(count) && count >= 4096)).toBe(true)
      if (contextWindow !== undefined && outputLimit !== undefined) expect(outputLimit).toBeLessThan(contextWindow)
      expect(input?.includes('text') ?? true).toBe(true)
      expect(output?.includes('text') ?? true).toBe(true)
      if (!price) return
      expect(price.source).toMatch(/^https:\/\//)
      expect(price.date).toMatch(/^2026-\d{2}-\d{2}$/)
      for (const rates of [price, ...(price.long ? [price.long] : [])]) {
        for (const rate of [rates.input, rates.output, rates.cacheRead, rates.cacheWrite])
          expect(rate === undefined || (Number.isInteger(rate) && rate > 0)).toBe(true)
        expect(rates.output).toBeGreaterThan(rates.input)
        expect(rates.cacheRead ?? 0).toBeLessThan(rates.input)
      }
    },
  )

  test('is found by the name that its provider gives it, and by the one with a date', () => {
    for (const id of ['anthropic/claude-sonnet-4-5', 'anthropic.messages/claude-sonnet-4-5', 'anthropic.messages/claude-sonnet-4-5-20250929']) {
      expect(infoOf(modelTable, id)).toBe(modelTable['anthropic/claude-sonnet-4-5'])
    }
    expect(infoOf(modelTable, 'openai.responses/gpt-4.1-2025-04-14')).toBe(modelTable['openai/gpt-4.1'])
    expect(infoOf(modelTable, 'google.generative-ai/gemini-2.5-pro')).toBe(modelTable['google/gemini-2.5-pro'])
    for (const id of ['openai/constructor', 'constructor', 'azure.responses/gpt-4.1', 'ollama.chat/gpt-4.1', ''])
      expect(infoOf(modelTable, id)).toBeUndefined()
  })
})

describe('a price', () => {
  const table = {
    'x/flat': { source: 's', price: { input: 3_000_000, output: 15_000_000, cacheRead: 300_000, cacheWrite: 3_750_000, date: 'd', source: 's' } },
    'x/plain': { source: 's', price: { input: 250_000, output: 2_000_000, date: 'd', source: 's' } },
    'x/long': { source: 's', price: { input: 1, output: 2, long: { above: 200_000, input: 1_000_000, output: 2_000_000 }, date: 'd', source: 's' } },
    'x/brief': { source: 's', price: { input: 1_000_000, output: 1_000_000, until: '2026-12-31', date: 'd', source: 's' } },
    'x/unknown': { source: 's' },
  }

  test.for([
    ['input and output', 'x/flat', { input: 1000, output: 100 }, 4500],
    [
      'reads and writes of a cache, which are part of the input',
      'x/flat',
      { input: 1000, output: 0, cacheRead: 800, cacheWrite: 100 },
      300 + 240 + 375,
    ],
    ['reads that have no price of their own', 'x/plain', { input: 1_000_000, output: 0, cacheRead: 1_000_000 }, 250_000],
    ['nothing', 'x/flat', { input: 0, output: 0 }, 0],
    ['less than half a unit', 'x/plain', { input: 1, output: 0 }, 0],
    ['half a unit', 'x/plain', { input: 2, output: 0 }, 1],
    ['a request up to the limit', 'x/long', { input: 200_000, output: 0 }, 0],
    ['a request beyond it, all of it', 'x/long', { input: 200_001, output: 1 }, 200_003],
    ['a model of which no price is known', 'x/unknown', { input: 1, output: 1 }, undefined],
    ['a model that is not known', 'x/other', { input: 1, output: 1 }, undefined],
    ['usage that is no count', 'x/flat', { input: 1.5, output: 0 }, undefined],
  ] as const)('of %s', ([, id, usage, cost]) => {
    expect(priceOf(table, id, { usage, now })).toBe(cost)
  })

  test('ends on the day that the vendor named; after it, asking is an error that names the day', () => {
    const usage = { input: 7, output: 0 }
    expect(priceOf(table, 'x/brief', { usage, now: Date.parse('2026-12-31T23:59:59Z') })).toBe(7)
    expect(() => priceOf(table, 'x/brief', { usage, now: Date.parse('2027-01-01') })).toThrow(
      expect.objectContaining({
        code: 'LOOM_PRICE_UNKNOWN',
        message: 'The price of x/brief ended on 2026-12-31, as s said. Give the price since then: createModels({ table }).',
        context: { model: 'x/brief', until: '2026-12-31' },
      }),
    )
  })

  test('of the offline model is nothing: fixed rules cost nothing', () => {
    expect(createModels({ env: {} }).price('offline/rules', { input: 1000, output: 1000 })).toBe(0)
  })

  test('is exact for any usage: the exact fraction, rounded once', () => {
    const count = fc.nat({ max: 10_000_000_000 })
    fc.assert(
      fc.property(count, count, count, count, (plain, cacheRead, cacheWrite, output) => {
        const usage = { input: plain + cacheRead + cacheWrite, output, cacheRead, cacheWrite }
        const exact = BigInt(plain) * 3_000_000n + BigInt(cacheRead) * 300_000n + BigInt(cacheWrite) * 3_750_000n + BigInt(output) * 15_000_000n
        expect(priceOf(table, 'x/flat', { usage, now })).toBe(Number((exact * 2n + 1_000_000n) / 2_000_000n))
      }),
    )
  })

  test('of a run is what the vendor billed, to the last unit', async () => {
    const { input, output, cacheRead, cacheWrite } = modelTable['anthropic/claude-sonnet-4-5']?.price ?? { input: 0, output: 0 }
    const price = { input, output, ...(cacheRead !== undefined && { cacheRead }), ...(cacheWrite !== undefined && { cacheWrite }) }
    const usage = { input: 931, cacheRead: 4017, cacheWrite: 313, output: 127 }
    const server = await wireServer({
      reply: [
        { calls: [{ tool: 'add', input: { a: 2, b: 2 } }], usage },
        { text: '4', usage },
      ],
      prices: { 'claude-sonnet-4-5': price },
    })
    const models = createModels({ env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.baseURLs.anthropic } })
    const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })
    const agent = createAgentFactory({ resolveModel: models.resolveModel })
    const result = await agent({ model: 'anthropic/claude-sonnet-4-5', tools: { add }, ports: { price: models.price } }).run('2+2?')
    expect(result.cost).toBe(server.cost())
    expect(result.cost).toBeGreaterThan(0)
    await server.close()
  })

  test('of a model that a user adds or overrides', () => {
    const models = createModels({ env: {}, table: { 'mine/one': table['x/flat'], 'openai/gpt-5': table['x/plain'] }, now: () => now })
    expect(models.price('mine.chat/one', { input: 1000, output: 0 })).toBe(3000)
    expect(models.price('openai.responses/gpt-5', { input: 1_000_000, output: 0 })).toBe(250_000)
    expect(models.info('anthropic/claude-haiku-4-5')?.contextWindow).toBe(200_000)
  })
})
