/** Budgets: reserved before each call, settled after it, and never overshot by more than one call, however many spend at once. */
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { type Agent, agent, approve, frameAt, tool } from '@loom-agent/agent'
import type { Frame, Usage } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { until } from '../../../test/support/event-loop.ts'
import { factsOf, type Journaled, typesOf } from './journals.ts'

const price = (_: string, { input, output }: Usage): number => input * 3 + output * 15
const torn = { text: 'so far', tornBy: Object.assign(new Error('torn'), { statusCode: 200, isRetryable: true }) }
const ports = { random: () => 0, price }
const runOf = async ({ journal }: Pick<Agent, 'journal'>, thread: string): Promise<NonNullable<Frame['run']>> => {
  const { run } = await frameAt(journal, thread)
  if (!run) throw new Error('there is no run')
  return run
}
const reservedBy = async (worker: Journaled, thread = 't') => (await factsOf(worker, thread, 'model.requested')).map(({ data }) => data.reserved)

describe('a call of a model', () => {
  test('reserves what it may take at most: the request, and the longest answer', async () => {
    const model = scriptedModel('ok')
    const worker = agent({ model, limits: { tokens: 1000, cost: 100_000 }, settings: { maxOutputTokens: 200 }, ports })
    await worker.run('go', { thread: 't' })
    const [reserved] = await reservedBy(worker)
    const input = (reserved?.tokens ?? 0) - 200
    expect(input).toBeGreaterThan(0)
    expect(input).toBeLessThan(100)
  })

  test('is settled by its reply: nothing of the reservation is left', async () => {
    const worker = agent({ model: scriptedModel('ok'), limits: { tokens: 1000, cost: 100_000 }, ports })
    await worker.run('go', { thread: 't' })
    expect(await runOf(worker, 't')).toMatchObject({ usage: { input: 10, output: 5 }, cost: 105, lost: { tokens: 0, cost: 0 } })
  })

  test('that breaks off may have been billed: its reservation counts as spent, and the next one has less', async () => {
    const model = scriptedModel([torn, 'ok'])
    const worker = agent({ model, limits: { tokens: 1000, cost: 100_000 }, settings: { maxOutputTokens: 600 }, ports })
    await worker.run('go', { thread: 't' })
    const [first] = await reservedBy(worker)
    expect((await runOf(worker, 't')).lost).toEqual(first)
    expect(first?.cost).toBeGreaterThan(0)
    expect(model.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([600, 1000 - (first?.tokens ?? 0)])
  })

  test('that comes to a bad end is settled by what the vendor counted', async () => {
    const worker = agent({ model: scriptedModel([{ text: 'oh', finish: 'error' }, 'ok']), limits: { tokens: 1000, cost: 100_000 }, ports })
    const result = await worker.run('go', { thread: 't' })
    expect(result).toMatchObject({ status: 'done', usage: { input: 20, output: 10 }, cost: 210 })
    expect((await factsOf(worker, 't', 'model.failed'))[0]?.data).toMatchObject({ usage: { input: 10, output: 5 }, cost: 105 })
    expect((await runOf(worker, 't')).lost).toEqual({ tokens: 0, cost: 0 })
  })

  test('of a run without a budget reserves nothing', async () => {
    const worker = agent({ model: scriptedModel('ok'), ports })
    await worker.run('go', { thread: 't' })
    expect(await reservedBy(worker)).toEqual([undefined])
  })

  test('without a known price, where that is allowed, is not cut short by a cost limit, and its cost is unknown', async () => {
    const model = scriptedModel('ok')
    expect((await agent({ model, limits: { cost: 1, unpriced: 'allow' } }).run('go')).cost).toBeUndefined()
    expect(model.requests[0]?.maxOutputTokens).toBeUndefined()
  })

  test('of a child without a known price makes the cost of its parent unknown', async () => {
    const child = agent({ name: 'child', model: scriptedModel('ok', { modelId: 'free' }) })
    const price = (model: string): number | undefined => (model.endsWith('free') ? undefined : 10)
    const boss = agent({
      model: scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'go' } }] }, 'done']),
      tools: { child },
      ports: { price },
    })
    expect(await boss.run('go')).toMatchObject({ status: 'done', cost: undefined })
  })

  test('that a small budget does not hold reserves its answer alone: losing it does not use the budget up', async () => {
    const worker = agent({ model: scriptedModel([torn, 'ok']), limits: { tokens: 25 }, settings: { maxOutputTokens: 16 }, ports })
    expect(await worker.run('go', { thread: 't' })).toMatchObject({ status: 'done', text: 'ok' })
    expect(await reservedBy(worker)).toEqual([{ tokens: 16 }, { tokens: 16 }])
  })

  test('is asked for no longer an answer than money is left for', async () => {
    const model = scriptedModel('ok')
    await agent({ model, limits: { cost: 3000 }, ports }).run('go')
    const most = model.requests[0]?.maxOutputTokens ?? 0
    expect(most).toBeGreaterThan(150)
    expect(most * 15).toBeLessThanOrEqual(3000)
  })

  test.for([
    ['is not sent a bound that no answer could reach', undefined, undefined],
    ['keeps a setting that fits', 64_000, 64_000],
    ['has a setting made smaller that does not', 1_500_000, 1_000_000],
  ] as const)('%s', async ([, maxOutputTokens, sent]) => {
    const model = scriptedModel('ok')
    await agent({ model, limits: { tokens: 1_000_000 }, settings: { ...(maxOutputTokens && { maxOutputTokens }) } }).run('go')
    expect(model.requests[0]?.maxOutputTokens).toBe(sent)
  })
})

const many = (count: number, name = 'child') => ({ calls: Array.from({ length: count }, (_, n) => ({ tool: name, input: { prompt: `task ${n}` } })) })
const childrenOf = async (boss: Journaled): Promise<readonly string[]> => (await factsOf(boss, 't', 'child.started')).map(({ data }) => data.child)

describe('a child', () => {
  const endless = () => scriptedModel(() => ({ calls: [{ tool: 'x' }] }))
  const inputOf = (prompt: string) => ({ calls: [{ tool: 'child', input: { prompt } }] })

  test('does not make the call that its part does not pay for: it asks, and goes on when it is given more', async () => {
    const child = agent({ name: 'child', model: scriptedModel('done') })
    const boss = agent({ model: scriptedModel([inputOf('x'.repeat(3000)), 'ok']), tools: { child }, limits: { tokens: 500 } })
    const run = boss.start('go', { thread: 't' })
    const waiting = await run.result()
    expect(waiting).toMatchObject({ status: 'waiting', questions: [{ kind: 'limit' }] })
    expect(waiting.questions[0]?.prompt).toMatch(
      /may take \d+ tokens, more than the 485 tokens left of the limit of 485 tokens\. Approve .*approve\(\{ limits: \{ tokens \} \}\)/,
    )
    await run.answer(waiting.questions[0]?.id ?? '', approve({ limits: { tokens: 5000 } }))
    expect(await run.result()).toMatchObject({ status: 'done', text: 'ok' })
  })

  test.for([
    ['asked to stop', { onReached: 'stop' }, 'wait'],
    ['nobody is there', {}, 'deny'],
  ] as const)('stops with what there is when %s', async ([, own, unattended]) => {
    const model = scriptedModel('never')
    const child = agent({ name: 'child', model, limits: { ...own } })
    const boss = agent({
      model: scriptedModel([inputOf('x'.repeat(3000)), 'ok']),
      tools: { child },
      limits: { tokens: 500 },
      behaviour: { unattended },
    })
    expect(await boss.run('go', { thread: 't' })).toMatchObject({ status: 'done' })
    const [thread = ''] = await childrenOf(boss)
    expect((await factsOf(boss, thread, 'run.stopped'))[0]?.data).toMatchObject({ kind: 'budget', limit: 'tokens', used: 0, max: 485 })
    expect(model.requests).toEqual([])
  })

  test('of a run that stops at its limit stops as well, however deep: nothing in the tree waits', async () => {
    const grandchild = agent({ name: 'child', model: endless(), limits: { loop: false } })
    const child = agent({ name: 'child', model: scriptedModel([{ text: 'I ask.', ...inputOf('go') }, 'ok']), tools: { child: grandchild } })
    const model = scriptedModel([
      { text: 'So far.', ...inputOf('go') },
      { text: 'Still at it.', calls: [{ tool: 'x' }], usage: { input: 1000 } },
      'never',
    ])
    const boss = agent({ model, tools: { child }, limits: { tokens: 500, onReached: 'stop' } })
    expect(await boss.run('go', { thread: 't' })).toMatchObject({ status: 'stopped', kind: 'budget', text: 'Still at it.', questions: [] })
    const [thread = ''] = await childrenOf(boss)
    expect((await runOf(boss, thread)).limits).toMatchObject({ onReached: 'stop' })
  })

  test('that uses up the budget of a run that stops at its limit leaves it the text so far', async () => {
    const child = agent({ name: 'child', model: scriptedModel([{ text: 'half', calls: [{ tool: 'x' }], usage: { input: 600 } }, 'never']) })
    const boss = agent({
      model: scriptedModel([{ text: 'So far.', ...inputOf('go') }, 'never']),
      tools: { child },
      limits: { tokens: 500, onReached: 'stop' },
    })
    const stopped = await boss.run('go', { thread: 't' })
    expect(stopped).toMatchObject({ status: 'stopped', kind: 'budget', text: 'So far.', questions: [] })
  })

  test('is held to money alike, where the price is known', async () => {
    const model = scriptedModel('never')
    const child = agent({ name: 'child', model, limits: { onReached: 'stop' } })
    const boss = agent({ model: scriptedModel([inputOf('x'.repeat(3000)), 'ok']), tools: { child }, limits: { cost: 1000 }, ports })
    await boss.run('go', { thread: 't' })
    const [thread = ''] = await childrenOf(boss)
    expect((await factsOf(boss, thread, 'run.stopped'))[0]?.data).toMatchObject({ kind: 'budget', limit: 'cost', max: 895 })
    expect(model.requests).toEqual([])
  })

  test('that one body starts beside others shares with them', async () => {
    const child = agent({ name: 'child', model: endless(), limits: { loop: false, onReached: 'stop' } })
    const spread = tool({
      name: 'spread',
      durable: true,
      run: async (_, ctx) => (await Promise.all(['a', 'b', 'c'].map((task) => ctx.run(child, task)))).length,
    })
    const boss = agent({ model: scriptedModel([{ calls: [{ tool: 'spread' }] }, 'ok']), tools: [spread], limits: { tokens: 915 } })
    await boss.run('go', { thread: 't' })
    const limits = await Promise.all((await childrenOf(boss)).map(async (thread) => (await runOf(boss, thread)).limits.tokens))
    expect(limits).toEqual([300, 300, 300])
  })

  test('that begins while another one is under way gets what that one was not given', async () => {
    const asks = tool({ name: 'asks', permission: 'ask', run: () => 'x' })
    const first = agent({ name: 'first', model: scriptedModel([{ calls: [{ tool: 'asks' }] }, 'done']), tools: [asks], limits: { tokens: 600 } })
    const second = agent({ name: 'second', model: scriptedModel('done') })
    const firstAsks = async (): Promise<boolean> => (await typesOf(boss, (await childrenOf(boss))[0] ?? '')).includes('question.asked')
    const both = tool({
      name: 'both',
      durable: true,
      run: async (_, ctx) => {
        const slow = ctx.run(first, 'a')
        await ctx.step('a while', () => until(firstAsks).then(() => 'over'))
        await ctx.run(second, 'b')
        return slow
      },
    })
    const boss = agent({ model: scriptedModel([{ calls: [{ tool: 'both' }] }, 'ok']), tools: [both], limits: { tokens: 1015 } })
    await boss.start('go', { thread: 't' }).result()
    const limits = await Promise.all((await childrenOf(boss)).map(async (thread) => (await runOf(boss, thread)).limits.tokens))
    expect(limits).toEqual([600, 400])
  })
})

describe('a child of a parent that has nothing left', () => {
  test.each([14, 15, 16, 40])('asks a number of times that does not grow, with a limit of %i tokens', async (tokens) => {
    const child = agent({ name: 'child', model: scriptedModel(() => 'child') })
    const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'end' : many(2)))
    const boss = agent({ model, tools: { child }, limits: { tokens } })
    let result = await boss.run('go', { thread: 't' })
    for (let asked = 0; asked < 12 && result.status === 'waiting'; asked += 1) {
      for (const { id } of result.questions) await boss.answer(id, approve())
      result = await boss.resume('t').result()
    }
    expect(result.status).toBe('done')
  })

  test('asks with the amount that an approval adds', async () => {
    const child = agent({ name: 'child', model: scriptedModel(() => 'child') })
    const boss = agent({ model: scriptedModel([many(1), 'end']), tools: { child }, limits: { tokens: 14 } })
    const { questions } = await boss.run('go', { thread: 't' })
    expect(questions.map(({ prompt }) => prompt)).toEqual([expect.stringContaining('Approve to add 10000 tokens, or set it')])
  })
})

describe('children that spend at the same time', () => {
  /** As much as a vendor could bill: a token for four bytes, and the longest answer that it was allowed. */
  const greedy = ({ prompt, tools, maxOutputTokens = 400 }: LanguageModelV4CallOptions): Usage => ({
    input: Math.ceil((JSON.stringify(prompt.map(({ content }) => content)).length + JSON.stringify(tools ?? []).length) / 4),
    output: Math.min(maxOutputTokens, 400),
  })
  const look = tool({ name: 'look', input: z.object({ n: z.number() }), effect: 'read', run: ({ n }) => `seen ${n}: ${'x'.repeat(n % 200)}` })
  const calling = (request: LanguageModelV4CallOptions, n: number) => ({ calls: [{ tool: 'look', input: { n } }], usage: greedy(request) })

  test('and their parent overshoot by one call at most', async () => {
    const anyTree = fc.record({
      tokens: fc.integer({ min: 200, max: 20_000 }),
      children: fc.integer({ min: 1, max: 5 }),
      rounds: fc.integer({ min: 1, max: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(anyTree, async ({ tokens, children, rounds }) => {
        const stop = { loop: false, onReached: 'stop' } as const
        const child = agent({ name: 'child', model: scriptedModel((request, n) => calling(request, n)), tools: [look], limits: stop })
        const model = scriptedModel((request, n) => ({ ...(n > rounds ? { text: 'ok' } : many(children)), usage: greedy(request) }))
        const boss = agent({ model, tools: { child }, limits: { ...stop, tokens, cost: tokens * 8 }, ports })
        const { usage, cost } = await boss.run('go', { thread: 't' })
        const threads = ['t', ...(await childrenOf(boss))]
        const replies = (await Promise.all(threads.map((thread) => factsOf(boss, thread, 'model.replied')))).flat().map(({ data }) => data)
        expect(usage.input + usage.output).toBeLessThanOrEqual(tokens + Math.max(...replies.map((one) => one.usage.input + one.usage.output)))
        expect(cost).toBeLessThanOrEqual(tokens * 8 + Math.max(...replies.map((one) => one.cost ?? 0)))
      }),
      { numRuns: 40 },
    )
  })
})
