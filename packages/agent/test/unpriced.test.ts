/** Limits of money where a price is not known (PRICE-1, LIMIT-1). */
import { type AgentHost, agent, costBudget, createAgentFactory, memoryJournal, tool } from '@loom-agent/agent'
import { type Journal, LoomError, type Usage } from '@loom-agent/kernel'
import { mortalJournal, type ScriptStep, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { factsOf, typesOf } from './journals.ts'

const refused = { status: 'failed', error: { code: 'LOOM_PRICE_UNKNOWN', recoverable: false } }
const asks = (name: string) => ({ calls: [{ tool: name, input: { prompt: 'do it' } }] })
/** A price for all models but those called free. */
const price = (model: string, { input, output }: Usage): number | undefined => (model.endsWith('free') ? undefined : input + output)
const ports = { price }
const free = (script: readonly ScriptStep[] | string = 'ok') => scriptedModel(script, { modelId: 'free' })

describe('limits.cost with an unknown price', () => {
  test('is refused before the first call, by an error that names the model and what to do', async () => {
    const model = scriptedModel('ok')
    const worker = agent({ model, limits: { cost: 1_000_000 } })
    const result = await worker.run('go', { thread: 't' })
    expect(result).toMatchObject(refused)
    expect(result.status === 'failed' && result.error).toMatchObject({
      message:
        'The price of scripted/script is not known. Give it with ports.price, or in a table: createModels({ table }). Without a price limits.cost cannot be ' +
        "kept; limits: { unpriced: 'allow' } allows calls without a price.",
      context: { model: 'scripted/script' },
    })
    expect(model.requests).toHaveLength(0)
    expect(await typesOf(worker, 't')).not.toContain('model.requested')
  })

  test.each([
    ['of the agent', { limits: { cost: 1, unpriced: 'allow' } }, {}],
    ['of the run', { limits: { cost: 1 } }, { limits: { unpriced: 'allow' } }],
  ] as const)('is allowed by limits.unpriced %s, and counts nothing', async (_, options, given) => {
    expect(await agent({ model: free(), ...options }).run('go', given)).toMatchObject({ status: 'done', cost: undefined })
  })

  test('is refused by a run although its agent allows it', async () => {
    expect(await agent({ model: free(), limits: { cost: 1, unpriced: 'allow' } }).run('go', { limits: { unpriced: 'refuse' } })).toMatchObject(
      refused,
    )
  })

  test('refuses nothing without a limit of money', async () => {
    expect((await agent({ model: free(), limits: { tokens: 1_000 } }).run('go')).status).toBe('done')
  })

  test('is refused under a limit that a hook sets', async () => {
    const model = free()
    expect(await agent({ model, hooks: [costBudget({ cost: 500, onReached: 'stop' })] }).run('go')).toMatchObject(refused)
    expect(model.requests).toHaveLength(0)
  })

  test('can be resumed: with a price, or when it is allowed', async () => {
    const model = free(['ok', 'ok'])
    const worker = agent({ model, limits: { cost: 1_000_000 } })
    await worker.run('go', { thread: 'a' })
    await worker.run('go', { thread: 'b' })
    expect(await worker.resume('a', { limits: { unpriced: 'allow' } }).result()).toMatchObject({ status: 'done', cost: undefined })
    expect(
      await worker
        .with({ ports: { price: () => 7 } })
        .resume('b')
        .result(),
    ).toMatchObject({ status: 'done', cost: 7 })
  })

  test('names a price that has ended by its day: what the function of prices throws is in the error', async () => {
    const ended = () => {
      const message = 'The price of scripted/script ended on 2026-12-31.'
      throw new LoomError('LOOM_PRICE_UNKNOWN', message, { context: { until: '2026-12-31' } })
    }
    const worker = agent({ model: scriptedModel(['ok', 'ok']), ports: { price: ended } })
    const result = await worker.run('go', { limits: { cost: 1_000 } })
    expect(result.status === 'failed' && result.error).toMatchObject({
      code: 'LOOM_PRICE_UNKNOWN',
      message: expect.stringMatching(/^The price of scripted\/script ended on 2026-12-31\. Without a price limits\.cost/),
      context: { model: 'scripted/script', until: '2026-12-31' },
    })
    // Without a limit of money a reply is not lost for its price (PRICE-2).
    expect(await worker.run('go')).toMatchObject({ status: 'done', cost: undefined })
  })

  test('that ends while a run is under way stops the next call, not the reply that is there', async () => {
    let isKnown = true
    const look = tool({
      name: 'look',
      effect: 'read',
      run: () => {
        isKnown = false
        return 'seen'
      },
    })
    const model = scriptedModel([{ calls: [{ tool: 'look' }] }, 'never sent'])
    const worker = agent({ model, tools: [look], limits: { cost: 1_000_000 }, ports: { price: () => (isKnown ? 7 : undefined) } })
    expect(await worker.run('go')).toMatchObject({ ...refused, cost: 7 })
    expect(model.requests).toHaveLength(1)
  })

  test('is not refused in runs from before refusing was recorded (LIMIT-1)', async () => {
    const journal = memoryJournal()
    const asIt: Journal = {
      ...journal,
      append: (thread, batch) => journal.append(thread, JSON.parse(JSON.stringify(batch, (key, value) => (key === 'unpriced' ? undefined : value)))),
    }
    const dying = mortalJournal(asIt, { append: 1, when: 'after' })
    agent({ model: free(), limits: { cost: 1 }, journal: dying.journal }).start('go', { thread: 't' })
    await dying.died
    const worker = agent({ model: free(), limits: { cost: 1 }, journal: mortalJournal(journal).journal })
    expect(await worker.resume('t').result()).toMatchObject({ status: 'done', cost: undefined })
  })
})

describe('a function of prices', () => {
  test('that throws is named in the refusal, with what it threw', async () => {
    const broken = () => {
      throw new Error('table broke')
    }
    const result = await agent({ model: free(), limits: { cost: 1 }, ports: { price: broken } }).run('go')
    expect(result.status === 'failed' && result.error.message).toMatch(
      /^ports\.price threw for scripted\/free: table broke\. Without a price limits\.cost cannot be kept/,
    )
  })

  test.each([
    [1.5, 2],
    [0.4, 0],
    [7, 7],
    [-1, undefined],
    [Number.NaN, undefined],
  ])('that returns %d costs %s: whole micro-units', async (given, cost) => {
    expect((await agent({ model: free(), ports: { price: () => given } }).run('go')).cost).toBe(cost)
  })
})

describe('limits.cost with a child whose price is unknown', () => {
  test('is refused before the first call of the parent, at any depth, and names the child', async () => {
    const child = agent({ name: 'child', model: free() })
    const between = agent({ name: 'between', model: scriptedModel([asks('child'), 'ok']), tools: { child } })
    const model = scriptedModel([asks('between'), 'ok'])
    const result = await agent({ model, tools: { between }, limits: { cost: 1_000_000 }, ports }).run('go')
    expect(result).toMatchObject({ ...refused, error: { context: { model: 'scripted/free', agent: 'child' } } })
    expect(result.status === 'failed' && result.error.message).toMatch(/^The price of scripted\/free, the model of the child child, is not known\./)
    expect(model.requests).toHaveLength(0)
  })

  test('that a durable tool runs is refused before the first call of the child', async () => {
    const model = free()
    const child = agent({ name: 'child', model })
    const delegate = tool({ name: 'delegate', durable: true, run: async (_, ctx) => JSON.stringify(await ctx.run(child, 'Go.')) })
    const boss = agent({ model: scriptedModel([asks('delegate'), 'ok']), tools: [delegate], limits: { cost: 1_000_000 }, ports })
    expect((await boss.run('go', { thread: 't' })).status).toBe('done')
    expect(model.requests).toHaveLength(0)
    expect(JSON.stringify(await factsOf(boss, 't', 'tool.finished'))).toContain('The price of scripted/free is not known.')
  })

  test('is allowed where the parent allows it', async () => {
    const child = agent({ name: 'child', model: free() })
    const limits = { cost: 1_000_000, unpriced: 'allow' } as const
    const boss = agent({ model: scriptedModel([asks('child'), 'ok']), tools: { child }, limits, ports })
    expect(await boss.run('go')).toMatchObject({ status: 'done', text: 'ok', cost: undefined })
  })

  test.each([1, 2])('is refused although the child allows it for itself, %i deep: the limit holds for the tree', async (depth) => {
    const model = free()
    const limits = { unpriced: 'allow' } as const
    const child = agent({ name: 'child', model, limits })
    const between = agent({ name: 'between', model: scriptedModel([asks('child'), 'ok']), tools: { child }, limits })
    const tools = [depth === 1 ? child : between]
    const boss = agent({ model: scriptedModel([asks(depth === 1 ? 'child' : 'between'), 'ok']), tools, limits: { cost: 1_000_000 }, ports })
    expect(await boss.run('go')).toMatchObject(refused)
    expect(model.requests).toHaveLength(0)
    // A child that is found only when it runs is refused then.
    const delegate = tool({ name: 'delegate', durable: true, run: async (_, ctx) => JSON.stringify(await ctx.run(tools[0] ?? child, 'Go.')) })
    await boss.with({ model: scriptedModel([asks('delegate'), 'ok']), tools: [delegate] }).run('go')
    expect(model.requests).toHaveLength(0)
  })

  test('is allowed for a child with a limit of its own where no run above has one', async () => {
    const child = agent({ name: 'child', model: free(), limits: { cost: 100, unpriced: 'allow' } })
    const boss = agent({ model: scriptedModel([asks('child'), 'ok']), tools: { child }, ports })
    expect(await boss.run('go')).toMatchObject({ status: 'done', steps: [{ calls: [{ output: 'ok' }] }, {}] })
  })

  test('refuses the child alone where only that has a limit of money', async () => {
    const model = free()
    const child = agent({ name: 'child', model, limits: { cost: 100 } })
    const boss = agent({ model: scriptedModel([asks('child'), 'ok']), tools: { child }, ports })
    expect((await boss.run('go')).status).toBe('done')
    expect(model.requests).toHaveLength(0)
  })

  test('does not look up ids that only a provider can resolve, where the user gives the prices', async () => {
    const resolveModel: AgentHost['resolveModel'] = () => scriptedModel('ok', { modelId: 'one' })
    const agentOf = createAgentFactory({ resolveModel })
    const child = agentOf({ name: 'child', model: 'vendor/one' })
    const known = (model: string): number | undefined => (model === 'vendor/one' ? undefined : 1)
    const boss = agentOf({ model: scriptedModel([asks('child'), 'ok']), tools: { child }, limits: { cost: 1_000 }, ports: { price: known } })
    expect(await boss.run('go')).toMatchObject({ status: 'done', cost: 3 })
  })
})

describe('prices that are loaded on use', () => {
  test('are loaded before a run with a limit of money calls its model, whenever it gets the limit', async () => {
    const allowing = { limits: { cost: 1_000, unpriced: 'allow' } } as const
    for (const options of [{ limits: { cost: 1_000 } }, allowing, { hooks: [costBudget({ cost: 1_000, onReached: 'stop' })] }]) {
      let loaded = 0
      const load = async (): Promise<void> => {
        loaded += 1
      }
      const host: AgentHost = {
        price: () => (loaded > 0 ? 7 : undefined),
        loadPrices: () => (loaded > 0 ? undefined : load()),
      }
      expect(await createAgentFactory(host)({ model: scriptedModel('ok'), ...options }).run('go')).toMatchObject({ status: 'done', cost: 7 })
      expect(loaded).toBe(1)
    }
  })

  test('are not loaded for a run without one', async () => {
    const host: AgentHost = { loadPrices: () => Promise.reject(new Error('not needed')) }
    expect((await createAgentFactory(host)({ model: scriptedModel('ok') }).run('go')).status).toBe('done')
  })
})
