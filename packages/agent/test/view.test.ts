import { agent, approve, createStatistics, type EventKind, kindOf, type RunEvent, statisticsOf, subscribe, tool } from '@loom-agent/agent'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { exampleRuns } from './example-runs.ts'
import { eventsOf } from './journals.ts'

describe('subscribing by kind', () => {
  test('calls the listener of the kind of each event, and no other', async () => {
    const seen: { [K in EventKind]: string[] } = { control: [], permission: [], progress: [], error: [] }
    const listeners = Object.fromEntries((Object.keys(seen) as EventKind[]).map((kind) => [kind, ({ type }: RunEvent) => void seen[kind].push(type)]))
    await subscribe(exampleRuns.answered().events, listeners)
    await subscribe(exampleRuns.waiting().events, listeners)
    expect(seen.permission).toEqual(['question.asked'])
    expect(seen.error).toEqual(['model.failed', 'tool.finished'])
    expect(seen.control).toContain('run.suspended')
    expect(seen.progress).toContain('text-delta')
  })

  test('rejects with what a listener throws', async () => {
    const fails = (): void => {
      throw new Error('listener')
    }
    await expect(subscribe(exampleRuns.answered().events, { control: fails })).rejects.toThrow('listener')
  })

  test('counts a call that ended with an error as an error', async () => {
    const example = exampleRuns.answered()
    await example.run.result()
    const ends = (await eventsOf(example.agent, 't')).filter(({ type }) => type === 'tool.finished')
    expect(ends.map(kindOf)).toEqual(['progress', 'error'])
  })
})

describe('statistics', () => {
  test('count runs and calls, how many went well, and how long they took', async () => {
    const clock = manualClock()
    const slow = tool({
      name: 'slow',
      effect: 'read',
      run: () => new Promise((resolve) => clock.at(clock.now() + 100, () => resolve('x'))),
    })
    const statistics = createStatistics()
    const model = scriptedModel((_, number) => (number % 2 === 1 ? { calls: [{ tool: 'slow' }] } : number < 4 ? 'ok' : { throws: new Error('no') }))
    const worker = agent({ model, tools: [slow], hooks: [statistics], ports: { clock } })
    for (const thread of ['a', 'b']) {
      const run = worker.run('go', { thread })
      await until(() => clock.timers > 0)
      await clock.advance(150)
      await run
    }
    const expected = { runs: { count: 2, successRate: 0.5, meanMs: 100 }, tools: { slow: { count: 2, successRate: 1, meanMs: 100 } } }
    expect(statistics.read()).toEqual(expected)
    expect(statisticsOf([...(await eventsOf(worker, 'a')), ...(await eventsOf(worker, 'b'))])).toEqual(expected)
  })

  test('do not count a run that waits as ended', async () => {
    const example = exampleRuns.waiting()
    await example.run.result()
    expect(statisticsOf(await eventsOf(example.agent, 't')).runs).toEqual({ count: 0, successRate: undefined, meanMs: undefined })
  })

  test('do not count the time that a run waits, whether it is resumed or stopped', async () => {
    const statistics = createStatistics()
    const clock = manualClock()
    const asks = tool({ name: 'asks', permission: 'ask', run: () => 'done' })
    const model = scriptedModel((_, number) => (number === 3 ? 'Thanks.' : { calls: [{ tool: 'asks' }] }))
    const worker = agent({ model, tools: [asks], hooks: [statistics], ports: { clock } })
    const answered = worker.start('go', { thread: 'a' })
    const stopped = worker.start('go', { thread: 'b' })
    const { questions } = await answered.result()
    await stopped.result()
    await clock.advance(60_000)
    await answered.answer(questions[0]?.id ?? '', approve())
    await answered.result()
    await stopped.stop()
    await stopped.result()
    expect(statistics.read().runs).toEqual({ count: 2, successRate: 0.5, meanMs: 0 })
  })

  test('name the tools of a reply as a hook has changed it, and count denied calls as failed', async () => {
    const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
    const keep = tool({ name: 'keep', permission: 'deny', run: () => 'kept' })
    const parts = [
      { type: 'call', id: 'x', name: 'look', input: {} },
      { type: 'call', id: 'y', name: 'keep', input: {} },
    ] as const
    const worker = agent({
      model: scriptedModel([{ calls: [{ tool: 'keep' }] }, 'Done.']),
      tools: [look, keep],
      hooks: [{ afterModelReply: (_, reply) => (reply.parts.some(({ type }) => type === 'call') ? { parts } : undefined) }],
    })
    await worker.run('go', { thread: 't' })
    const { tools } = statisticsOf(await eventsOf(worker, 't'))
    expect(tools).toMatchObject({ look: { count: 1, successRate: 1 }, keep: { count: 1, successRate: 0, meanMs: 0 } })
  })

  test('keep calls under unknown when the reply that proposed them was not observed', async () => {
    const example = exampleRuns.answered()
    await example.run.result()
    const facts = await eventsOf(example.agent, 't')
    const late = facts.slice(facts.findIndex(({ type }) => type === 'tool.finished'))
    expect(statisticsOf(late)).toMatchObject({ runs: { count: 1, successRate: 1 }, tools: { unknown: { count: 2, successRate: 0.5 } } })
  })

  test('of nothing are unknown, not zero', () => {
    expect(statisticsOf([])).toEqual({ runs: { count: 0, successRate: undefined, meanMs: undefined }, tools: {} })
  })
})
