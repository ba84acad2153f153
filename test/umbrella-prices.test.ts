/** Limits of money in the umbrella, whose prices are loaded on use. */
import { scriptedModel } from '@loom-agent/testing'
import { agent } from 'loom-agent'
import { describe, expect, test } from 'vitest'

const limits = { cost: 1_000_000 }
const named = (provider: string, modelId: string) => ({ ...scriptedModel('ok'), provider, modelId })

describe('the umbrella knows the prices of its table', () => {
  test('for a model object too: they are loaded before a run with a limit of money calls it', async () => {
    const model = named('anthropic.messages', 'claude-sonnet-5-5')
    expect(await agent({ model, limits }).run('go')).toMatchObject({ status: 'done', cost: 70 })
  })

  test('and refuses a model that is not in it', async () => {
    expect(await agent({ model: named('mine', 'unknown'), limits }).run('go')).toMatchObject({
      status: 'failed',
      error: { code: 'LOOM_PRICE_UNKNOWN', context: { model: 'mine/unknown' } },
    })
  })

  test('and refuses the child that is named by an id that is not in it, before the first call of the parent', async () => {
    const model = named('anthropic.messages', 'claude-sonnet-5-5')
    const child = agent({ name: 'child', model: 'openrouter/somebody/something' })
    expect(await agent({ model, tools: { child }, limits }).run('go')).toMatchObject({
      status: 'failed',
      error: { code: 'LOOM_PRICE_UNKNOWN', context: { model: 'openrouter/somebody/something', agent: 'child' } },
    })
    expect(model.requests).toHaveLength(0)
  })
})
