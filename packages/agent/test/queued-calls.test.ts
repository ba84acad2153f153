/** Calls that wait for a place, and calls that are still being looked at, when their run is stopped: each gets its one result and none begins. */
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { factsOf } from './journals.ts'

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test.each([
  ['a place', {}, { concurrency: 1 }],
  ['a lock', { lock: 'the till' }, {}],
])('calls that wait for %s never begin once the run is stopped', async (_, schedule, behaviour) => {
  const begun: string[] = []
  const look = tool({ name: 'look', effect: 'read', schedule, run: (_, { call }) => begun.push(call) && new Promise(() => {}) })
  const calls = Array.from({ length: 3 }, () => ({ tool: 'look' }))
  const worker = agent({ model: scriptedModel([{ calls }, 'never']), tools: [look], behaviour: { ...behaviour, grace: 10 } })
  const run = worker.start('go', { thread: 't' })
  await until(() => begun.length > 0)
  await soon()
  await run.stop('enough')
  expect(await run.result()).toMatchObject({ status: 'stopped', reason: 'enough' })
  expect(begun).toEqual(['1.0'])
  const ends = (await factsOf(worker, 't', 'tool.finished')).map(({ data }) => [data.call, data.errorType])
  expect(ends.sort()).toEqual([
    ['1.0', 'cancelled'],
    ['1.1', 'cancelled'],
    ['1.2', 'cancelled'],
  ])
  expect((await factsOf(worker, 't', 'tool.started')).map(({ data }) => data.call)).toEqual(['1.0'])
})

test('a place that a stopped run gave up is free for the next run', async () => {
  let hangs = true
  const look = tool({ name: 'look', effect: 'read', schedule: { lock: 'the till' }, run: () => (hangs ? new Promise(() => {}) : 'seen') })
  const calls = [{ tool: 'look' }, { tool: 'look' }]
  const worker = agent({ model: scriptedModel([{ calls }, { calls }, 'ok']), tools: [look], behaviour: { grace: 10 } })
  const run = worker.start('go', { thread: 't' })
  while ((await factsOf(worker, 't', 'model.replied')).length === 0) await soon()
  await run.stop()
  await run.result()
  hangs = false
  expect(await worker.run('again', { thread: 't' })).toMatchObject({ status: 'done', text: 'ok' })
})

test('what is said of arguments after the run has ended changes nothing', async () => {
  const inner = memoryJournal()
  const { promise: stored, resolve: store } = Promise.withResolvers<void>()
  const { promise: judged, resolve: judge } = Promise.withResolvers<void>()
  let judging = false
  let storing = false
  const slowly = {
    '~standard': {
      version: 1 as const,
      vendor: 'slow',
      validate: async () => {
        judging = true
        await judged
        return { issues: [{ message: 'not good enough' }] }
      },
      jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
    },
  }
  const journal = {
    ...inner,
    async append(...given: Parameters<typeof inner.append>) {
      if (given[1].events.some(({ type }) => type === 'run.stopped')) {
        storing = true
        await stored
      }
      return inner.append(...given)
    },
  }
  const look = tool({ name: 'look', effect: 'read', input: slowly, run: () => 'seen' })
  const worker = agent({ model: scriptedModel([{ calls: [{ tool: 'look' }] }]), tools: [look], journal })
  const run = worker.start('go', { thread: 't' })
  await until(() => judging)
  await run.stop('enough')
  await until(() => storing)
  judge()
  for (let n = 0; n < 5; n += 1) await soon()
  store()
  expect(await run.result()).toMatchObject({ status: 'stopped' })
  expect((await factsOf(worker, 't', 'tool.finished')).map(({ data }) => data.errorType)).toEqual(['cancelled'])
})

test('a generator that is stopped is asked to end, and what it has open is closed', async () => {
  const seen: string[] = []
  let signal: AbortSignal | undefined
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const count = tool({
    name: 'count',
    effect: 'read',
    async *run(_, ctx) {
      try {
        signal = ctx.signal
        yield 'one'
        seen.push('one')
        await gate
        yield 'two'
        seen.push('two')
      } finally {
        seen.push('closed')
      }
    },
  })
  const worker = agent({ model: scriptedModel([{ calls: [{ tool: 'count' }] }]), tools: [count] })
  const run = worker.start('go', { thread: 't' })
  await until(() => seen.length > 0)
  await run.stop('enough')
  await until(() => signal?.aborted === true)
  open()
  expect(await run.result()).toMatchObject({ status: 'stopped' })
  expect(seen).toEqual(['one', 'closed'])
})
