/** New code meets open calls of old code: a human decides, and nothing is quietly turned into something else. */
import { agent, approve, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { abandoned, factsOf } from './journals.ts'

const call = (name: string, input: object = {}) => ({ calls: [{ tool: name, input }] })

describe('a durable body that no longer reaches what it had done', () => {
  test('goes on without it once a human has approved', async () => {
    const old = tool({
      name: 'errand',
      durable: true,
      run: async (_, ctx) => {
        await ctx.step('buy milk', () => 1)
        return (await ctx.ask('Home?')).kind
      },
    })
    const first = agent({ model: scriptedModel([call('errand')]), tools: [old] })
    const { questions } = await first.run('go', { thread: 't' })
    const model = scriptedModel('ok')
    const shorter = tool({ name: 'errand', durable: true, run: async (_, ctx) => `home: ${(await ctx.ask('Home?')).kind}` })
    const second = agent({ model, tools: [shorter], journal: first.journal })
    await second.answer(questions[0]?.id ?? '', approve())
    const run = second.resume('t')
    const doubtful = await run.result()
    expect(doubtful).toMatchObject({ status: 'waiting', questions: [{ kind: 'incompatible' }] })
    expect(doubtful.questions[0]?.prompt).toContain('no longer reaches step buy milk #1, which')
    await run.answer(doubtful.questions[0]?.id ?? '', approve())
    expect((await run.result()).status).toBe('done')
    expect(JSON.stringify(model.requests[0]?.prompt)).toContain('home: approve')
  })
})

describe('an approved call whose arguments no longer fit', () => {
  test('is asked about: what was approved is not turned into an error', async () => {
    const given: unknown[] = []
    const pay = (input: z.ZodType) => tool({ name: 'pay', input, permission: 'ask', run: (value) => void given.push(value) })
    const first = agent({ model: scriptedModel([call('pay', { euros: 5 })]), tools: [pay(z.object({ euros: z.number() }))] })
    const { questions } = await first.run('go', { thread: 't' })
    const second = agent({ model: scriptedModel('ok'), tools: [pay(z.object({ cents: z.number() }))], journal: first.journal })
    await second.answer(questions[0]?.id ?? '', approve())
    const result = await second.resume('t').result()
    expect(result).toMatchObject({ status: 'waiting', questions: [{ kind: 'incompatible', call: { tool: 'pay' } }] })
    expect(result.questions[0]?.prompt).toContain('no longer fit its schema: cents')
    expect(given).toEqual([])
  })
})

describe('a call that was started, and a lock that new code cannot find', () => {
  test('is asked about: it may have done something', async () => {
    let begun = 0
    const act = (lock: () => string) => tool({ name: 'act', effect: 'idempotent', schedule: { lock }, run: () => ++begun && new Promise(() => {}) })
    const first = agent({ model: scriptedModel([call('act')]), tools: [act(() => 'all')] })
    void first.run('go', { thread: 't' })
    while (begun === 0) await new Promise((resolve) => setImmediate(resolve))
    const broken = act(() => {
      throw new Error('no such room')
    })
    const second = agent({ model: scriptedModel('ok'), tools: [broken], journal: abandoned(first.journal) })
    const result = await second.resume('t').result()
    expect(result).toMatchObject({ status: 'waiting', questions: [{ kind: 'incompatible' }] })
    expect(result.questions[0]?.prompt).toContain('The lock of act failed: no such room.')
    expect(begun).toBe(1)
    expect(await factsOf(second, 't', 'tool.finished')).toEqual([])
  })
})
