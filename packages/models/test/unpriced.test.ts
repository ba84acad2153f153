/** Limits of money and the models that a model stands for: none is called whose price is not known (PRICE-1). */
import { agent, requestAt } from '@loom-agent/agent'
import { memberIdsOf } from '@loom-agent/agent/kit'
import type { LanguageModelV4 } from '@loom-agent/agent/language-model'
import { readEvents, type Usage } from '@loom-agent/kernel'
import { breaker, compose, createModels, fallbackModel, pool, productionModel, textTools } from '@loom-agent/models'
import { type ScriptedModel, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

const named = (provider: string, modelId: string, script: Parameters<typeof scriptedModel>[0] = 'ok'): LanguageModelV4 & ScriptedModel =>
  ({ ...scriptedModel(script), provider, modelId }) as LanguageModelV4 & ScriptedModel
const down = { throws: Object.assign(new Error('overloaded'), { statusCode: 503, isRetryable: true }) }
const price = (model: string, { input, output }: Usage): number | undefined =>
  ({ 'a/cheap': input + output, 'a/dear': 10 * (input + output), 'b/other': 5 * (input + output) })[model]
const limits = { cost: 1_000_000 }

describe('limits.cost with a fallback model whose price is unknown is refused before the first call', () => {
  test.each([
    ['of the same provider', () => [named('a', 'cheap'), named('a', 'unknown')], 'a/unknown'],
    ['of another provider', () => [named('a', 'cheap'), named('b', 'unknown')], 'b/unknown'],
    ['inside another fallback', () => [named('b', 'other'), fallbackModel([named('a', 'dear'), named('b', 'unknown')])], 'b/unknown'],
  ] as const)('%s', async (_, make, unknown) => {
    const members = make()
    for (const model of [fallbackModel(members), pool(members), compose(breaker(), textTools())(fallbackModel(members))]) {
      const result = await agent({ model, limits, ports: { price } }).run('go')
      expect(result).toMatchObject({ status: 'failed', error: { code: 'LOOM_PRICE_UNKNOWN', context: { model: unknown } } })
    }
    for (const member of members) if ('requests' in member) expect(member.requests).toHaveLength(0)
  })

  test('and is called where the prices of all are known: what the one that replied costs is counted', async () => {
    const model = fallbackModel([named('a', 'cheap', down), named('b', 'other')])
    expect(await agent({ model, limits, ports: { price } }).run('go')).toMatchObject({ status: 'done', cost: 75 })
  })

  test('what a call reserves is what the dearest of several providers may take, and requestAt returns the same request', async () => {
    const [cheap, other] = [named('a', 'cheap'), named('b', 'other')]
    const worker = agent({ model: fallbackModel([cheap, other]), limits: { cost: 5_000 }, ports: { price } })
    await worker.run('go', { thread: 't' })
    const most = cheap.requests[0]?.maxOutputTokens ?? 0
    expect(most * 5).toBeLessThanOrEqual(5_000)
    expect(most).toBeGreaterThan(500)
    for await (const { type, seq } of readEvents(worker.journal, 't')) {
      if (type === 'model.requested') expect((await requestAt(worker.journal, `t@${seq}`, { price })).request.maxOutputTokens).toBe(most)
    }
  })

  test('a wrapped model has the members of the one that it wraps', () => {
    const members = [named('a', 'cheap'), named('b', 'other')]
    const wrapped = productionModel(fallbackModel([pool(members), named('a', 'dear')]))
    expect(memberIdsOf(wrapped)).toEqual(['a/cheap', 'b/other', 'a/dear'])
    expect(memberIdsOf({ ...wrapped })).toEqual(memberIdsOf(wrapped))
    // A wrapper of another library keeps the name alone: it says which models of several providers there are.
    const { specificationVersion, provider, modelId } = wrapped
    expect(memberIdsOf({ specificationVersion, provider, modelId })).toEqual(['a/cheap', 'b/other', 'a/dear'])
  })
})

describe('limits.cost with a price that has ended', () => {
  const brief = { input: 1_000_000, output: 1_000_000, until: '2026-12-31', date: '2026-11-01', source: 'https://vendor.example/prices' }
  const modelsAt = (day: string) => createModels({ env: {}, table: { 'mine/brief': { price: brief, source: 'mine' } }, now: () => Date.parse(day) })
  const runAt = (day: string, given = {}) => {
    const model = named('mine', 'brief')
    return agent({ model, limits: { cost: 1_000_000, ...given }, ports: { price: modelsAt(day).price } }).run('go')
  }

  test('is refused by an error that names the day', async () => {
    expect(await runAt('2026-12-31T23:00:00Z')).toMatchObject({ status: 'done', cost: 15 })
    const result = await runAt('2027-01-01')
    expect(result.status === 'failed' && result.error).toMatchObject({
      code: 'LOOM_PRICE_UNKNOWN',
      message:
        'The price of mine/brief ended on 2026-12-31, as https://vendor.example/prices said. Give the price since then: createModels({ table }). ' +
        "Without a price limits.cost cannot be kept; limits: { unpriced: 'allow' } allows calls without a price.",
      context: { model: 'mine/brief', until: '2026-12-31' },
    })
  })

  test('is allowed like any other unknown price', async () => {
    expect(await runAt('2027-01-01', { unpriced: 'allow' })).toMatchObject({ status: 'done', cost: undefined })
  })
})
