import { agent, tool } from '@loom-agent/agent'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { idle, until } from '../../../test/support/event-loop.ts'
import { factsOf } from './journals.ts'

/** A tool that notes when its calls begin and end. */
function noted(options: { name?: string; effect?: 'read' | 'unsafe'; schedule?: object; passes?: number } = {}) {
  const log: string[] = []
  let running = 0
  let most = 0
  const made = tool({
    name: options.name ?? 'work',
    input: z.object({ n: z.number() }),
    effect: options.effect ?? 'unsafe',
    ...(options.schedule && { schedule: options.schedule }),
    run: async ({ n }) => {
      running += 1
      most = Math.max(most, running)
      log.push(`+${n}`)
      await idle(options.passes)
      log.push(`-${n}`)
      running -= 1
      return n
    },
  })
  return { tool: made, log, most: () => most }
}

const calls = (count: number, name = 'work') => ({ calls: Array.from({ length: count }, (_, n) => ({ tool: name, input: { n } })) })

describe('calls of one turn', () => {
  test('that may change the world run one after another, in call order', async () => {
    const work = noted()
    await agent({ model: scriptedModel([calls(3), 'ok']), tools: [work.tool] }).run('go')
    expect(work.log).toEqual(['+0', '-0', '+1', '-1', '+2', '-2'])
  })

  test('that only read run side by side', async () => {
    const work = noted({ effect: 'read' })
    await agent({ model: scriptedModel([calls(3), 'ok']), tools: [work.tool] }).run('go')
    expect(work.log.slice(0, 3)).toEqual(['+0', '+1', '+2'])
  })

  test('run side by side when their author says so', async () => {
    const work = noted({ schedule: { parallel: true } })
    await agent({ model: scriptedModel([calls(3), 'ok']), tools: [work.tool] }).run('go')
    expect(work.most()).toBe(3)
  })

  test('never run more than ten at a time, or as many as the agent says', async () => {
    for (const [concurrency, expected] of [
      [undefined, 10],
      [3, 3],
    ] as const) {
      const work = noted({ effect: 'read' })
      const behaviour = concurrency === undefined ? {} : { concurrency }
      await agent({ model: scriptedModel([calls(25), 'ok']), tools: [work.tool], behaviour }).run('go')
      expect(work.most()).toBe(expected)
    }
  })

  test('with the same lock exclude each other, also across runs', async () => {
    const work = noted({ effect: 'read', schedule: { lock: 'file' } })
    const model = scriptedModel((_, number) => (number <= 2 ? calls(3) : 'ok'))
    const worker = agent({ model, tools: [work.tool] })
    await Promise.all([worker.run('a'), worker.run('b')])
    expect(work.most()).toBe(1)
    expect(work.log).toHaveLength(12)
  })

  test('with different locks do not', async () => {
    const work = noted({ effect: 'read', schedule: { lock: ({ n }: { n: number }) => `file ${n}` } })
    await agent({ model: scriptedModel([calls(3), 'ok']), tools: [work.tool] }).run('go')
    expect(work.most()).toBe(3)
  })

  test('wait for a place in order of priority', async () => {
    const log: string[] = []
    const make = (name: string, priority: number) =>
      tool({ name, effect: 'read', schedule: { priority }, run: () => idle(1).then(() => log.push(name)) })
    const model = scriptedModel([{ calls: ['low', 'low', 'high', 'high'].map((name) => ({ tool: name })) }, 'ok'])
    await agent({ model, tools: [make('low', 0), make('high', 5)], behaviour: { concurrency: 1 } }).run('go')
    expect(log).toEqual(['low', 'high', 'high', 'low'])
  })

  test('ten tools of a second take less than two, with hooks too (defect 6: parallel tools ran in sequence)', async () => {
    const clock = manualClock()
    const slow = tool({
      name: 'work',
      effect: 'read',
      run: () => new Promise((resolve) => clock.at(clock.now() + 1000, () => resolve('x'))),
    })
    const hooks = [{ beforeToolExecution: async () => undefined, afterToolExecution: async () => undefined }]
    const worker = agent({ model: scriptedModel([calls(10), 'ok']), tools: [slow], hooks, ports: { clock } })
    const run = worker.run('go')
    // The hooks are loaded on use, which takes as long as it takes.
    await until(() => clock.timers >= 10)
    await clock.advance(1500)
    expect((await run).status).toBe('done')
  })

  test('a fast result is durable while a slow sibling still runs', async () => {
    let release: (value: string) => void = () => {}
    const slow = tool({ name: 'slow', schedule: { parallel: true }, run: () => new Promise<string>((resolve) => (release = resolve)) })
    const fast = tool({ name: 'fast', schedule: { parallel: true }, run: () => 'fast' })
    const worker = agent({ model: scriptedModel([{ calls: [{ tool: 'slow' }, { tool: 'fast' }] }, 'ok']), tools: [slow, fast] })
    const run = worker.start('go', { thread: 't' })
    await until(async () => (await factsOf(worker, 't', 'tool.finished')).length > 0)
    expect((await factsOf(worker, 't', 'tool.finished'))[0]?.data.call).toBe('1.1')
    release('slow')
    await run.result()
    expect((await factsOf(worker, 't', 'tool.finished')).map(({ data }) => data.call)).toEqual(['1.1', '1.0'])
  })
})

describe('time', () => {
  test('ends a call that hangs: harmless ones can be tried again, the outcome of others is unknown', async () => {
    const clock = manualClock()
    const hang = (name: string, effect: 'read' | 'unsafe') => tool({ name, effect, schedule: { timeout: 1000 }, run: () => new Promise(() => {}) })
    const model = scriptedModel([{ calls: [{ tool: 'a' }, { tool: 'b' }] }, 'ok'])
    const worker = agent({ model, tools: [hang('a', 'read'), hang('b', 'unsafe')], ports: { clock } })
    const run = worker.run('go', { thread: 't' })
    await clock.advance(1100)
    await clock.advance(1100)
    expect((await run).status).toBe('done')
    const [a, b] = await factsOf(worker, 't', 'tool.finished')
    expect(a?.data).toMatchObject({ call: '1.0', status: 'error', errorType: 'timeout' })
    expect(b?.data).toMatchObject({ call: '1.1', status: 'error', errorType: 'outcome-unknown' })
  })

  test('of 120 seconds is the default', async () => {
    const clock = manualClock()
    const hang = tool({ name: 'work', effect: 'read', run: () => new Promise(() => {}) })
    const worker = agent({ model: scriptedModel([calls(1), 'ok']), tools: [hang], ports: { clock } })
    const run = worker.run('go', { thread: 't' })
    await clock.advance(119_000)
    expect(await factsOf(worker, 't', 'tool.finished')).toHaveLength(0)
    await clock.advance(2_000)
    await run
    expect((await factsOf(worker, 't', 'tool.finished'))[0]?.data.errorType).toBe('timeout')
  })

  test('is recorded stage by stage', async () => {
    const clock = manualClock()
    const slow = tool({
      name: 'work',
      effect: 'read',
      permission: () => new Promise<'allow'>((resolve) => clock.at(clock.now() + 20, () => resolve('allow'))),
      run: () => new Promise((resolve) => clock.at(clock.now() + 50, () => resolve('x'))),
    })
    const worker = agent({ model: scriptedModel([calls(1), 'ok']), tools: [slow], ports: { clock } })
    const run = worker.run('go', { thread: 't' })
    await clock.advance(30)
    await clock.advance(60)
    await run
    expect((await factsOf(worker, 't', 'tool.finished'))[0]?.data).toMatchObject({ ms: 50, stages: { authorize: 20, execute: 50 } })
  })
})
