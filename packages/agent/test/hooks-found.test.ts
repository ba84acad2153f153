import { agent, answerWith, approve, everything, type Hook, suspend, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { idle } from '../../../test/support/event-loop.ts'
import { analytics } from '../src/hook/built-in/analytics.ts'
import { caching } from '../src/hook/built-in/caching.ts'
import { costBudget } from '../src/hook/built-in/cost-budget.ts'
import { humanApproval } from '../src/hook/built-in/human-approval.ts'
import { loggingHook } from '../src/hook/built-in/logging-hook.ts'
import { eventsOf, factsOf } from './journals.ts'

const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })
const adding = { calls: [{ tool: 'add', input: { a: 2, b: 2 } }] }
const script = () => scriptedModel([adding, 'It is 4.'])

test('two hooks that suspend at one point each get an answer of their own', async () => {
  const hooks = [humanApproval({ tools: ['add'], reason: 'finance' }), humanApproval({ tools: ['add'], reason: 'security' })]
  const run = agent({ model: script(), tools: [add], hooks }).start('go')
  await run.answer((await run.result()).questions[0]?.id ?? '', approve())
  expect((await run.result()).questions.map(({ prompt }) => prompt).join()).toContain('security')
})

test('afterToolExecution is passed for results of a turn that a limit ends, so that what it redacts stays redacted', async () => {
  const redact: Hook = { afterToolExecution: () => ({ output: { type: 'text', value: 'redacted' } }) }
  const model = scriptedModel([adding, 'next'])
  const math = agent({ model, tools: [add], hooks: [redact], limits: { turns: 1 } })
  await math.run('go', { thread: 't' })
  await math.run('and now?', { thread: 't' })
  expect(JSON.stringify(model.requests[1]?.prompt)).toContain('redacted')
})

test('a call that a hook answers is permitted like any other', async () => {
  let denied = false
  const look = tool({ name: 'look', effect: 'read', run: () => 'the secret', permission: () => (denied ? 'deny' : 'allow') })
  const model = scriptedModel([{ calls: [{ tool: 'look' }] }, { calls: [{ tool: 'look' }] }, 'x'])
  const deny: Hook = {
    afterIterationEnd: () => {
      denied = true
    },
  }
  await agent({ model, tools: [look], hooks: [caching(), deny] }).run('go')
  expect(JSON.stringify(model.requests[2]?.prompt.at(-1))).toContain('not permitted')
})

test('what a hook changed before another answered the call is journaled', async () => {
  const hooks: Hook[] = [
    { beforeToolExecution: () => ({ input: { a: 9, b: 9 } }) },
    { beforeToolExecution: () => answerWith({ type: 'text', value: 'x' }) },
  ]
  const math = agent({ model: script(), tools: [add], hooks })
  await math.run('go', { thread: 't' })
  expect(await factsOf(math, 't', 'hook.applied')).toHaveLength(1)
})

test('approving a budget that a hook has set gives as much again', async () => {
  const model = scriptedModel((_, n) => ({ calls: [{ tool: 'add', input: { a: n, b: 1 } }] }))
  const run = agent({ model, tools: [add], hooks: [costBudget({ tokens: 40, onReached: 'ask' })] }).start('go')
  await run.answer((await run.result()).questions[0]?.id ?? '', approve())
  expect(await run.result()).toMatchObject({ status: 'waiting', turns: 6 })
})

test('observers are notified of every durable event, also of those that contributors write', async () => {
  const seen: string[] = []
  const math = agent({ model: script(), tools: [add], observers: [(event) => seen.push(event.type)] })
  await math.run('go', { thread: 't' })
  expect(seen).toEqual((await eventsOf(math, 't')).map(({ type }) => type))
})

test('a hook that suspends where questions are denied does not wait for ever', async () => {
  const asks: Hook = { beforeModelCall: ({ answer }) => (answer ? undefined : suspend('ok?')) }
  const result = await agent({ model: script(), tools: [add], hooks: [asks], behaviour: { unattended: 'deny' } }).run('go')
  expect(result.status).not.toBe('waiting')
})

test('a context strategy that throws at once fails the run like one that rejects', async () => {
  const context = {
    ...everything,
    assemble: () => {
      throw new Error('boom')
    },
  }
  expect((await agent({ model: script(), context }).run('go')).status).toBe('failed')
})

test('what an observer, a sink or a log throws or rejects with is ignored: no error of the process, and the run is done', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  const fails = async (): Promise<never> => {
    throw new Error('refused')
  }
  const hooks: Hook[] = [{ name: 'o', observe: fails }, analytics({ sink: fails }), loggingHook({ log: fails })]
  const before = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', note)
  try {
    const observers = [fails, () => expect.fail('thrown at once')]
    expect((await agent({ model: script(), tools: [add], hooks, observers }).run('go')).text).toBe('It is 4.')
    await idle()
  } finally {
    process.off('unhandledRejection', note)
    for (const listener of before) process.on('unhandledRejection', listener)
  }
  expect(unhandled).toEqual([])
})
