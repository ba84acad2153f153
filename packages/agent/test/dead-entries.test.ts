/** An entry of a durable body that is over: whatever it still does has no effect (DURABLE-3), and nobody waits for it. */
import { type Agent, agent, type DurableContext, memoryJournal, reject, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { alwaysReenter, manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { factsOf, typesOf } from './journals.ts'

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const scriptOf = (...names: readonly string[]) => scriptedModel([{ calls: names.map((name) => ({ tool: name })) }, 'ok'])

describe('a durable body whose time is over', () => {
  /** Runs a body into its timeout while it waits for something of its own, then lets it go on to `late`, with the run still under way. */
  async function outlive(late: (ctx: DurableContext) => Promise<unknown>): Promise<{ worker: Agent; went: string[] }> {
    const clock = manualClock()
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const went: string[] = []
    let isEntered = false
    const slow = tool({
      name: 'slow',
      durable: true,
      effect: 'idempotent',
      schedule: { timeout: 1000, parallel: true },
      run: async (_, ctx) => {
        isEntered = true
        await gate
        went.push('on')
        await late(ctx)
        went.push('past it')
        return 'too late'
      },
    })
    const other = tool({ name: 'other', effect: 'read', run: () => held })
    const worker = agent({ model: scriptOf('slow', 'other'), tools: [slow, other], ports: { clock } })
    const running = worker.run('go', { thread: 't' })
    // The code of durable bodies is loaded on use: the time of a body starts when it is entered.
    await until(() => isEntered)
    await clock.advance(2000)
    open()
    await clock.advance(1)
    expect(await typesOf(worker, 't')).not.toContain('run.finished')
    release()
    expect((await running).status).toBe('done')
    return { worker, went }
  }

  test.each<[string, (ctx: DurableContext, did: string[]) => Promise<unknown>]>([
    ['a step', (ctx, did) => ctx.step('late', () => did.push('step'))],
    ['a question', (ctx) => ctx.ask('Still there?')],
    ['a sleep', (ctx) => ctx.sleep(1)],
    ['a child', (ctx, did) => ctx.run(agent({ model: scriptedModel(() => `${did.push('child')}`) }), 'go')],
  ])('gets no further than %s, which does nothing', async (_, late) => {
    const did: string[] = []
    const { worker, went } = await outlive((ctx) => late(ctx, did))
    expect(went).toEqual(['on'])
    expect(did).toEqual([])
    const types = await typesOf(worker, 't')
    expect(types.at(-1)).toBe('run.finished')
    expect(types.filter((type) => /^(question|child|tool\.step)/.test(type))).toEqual([])
    expect((await factsOf(worker, 't', 'tool.finished')).map(({ data }) => data.errorType)).toEqual(['timeout', undefined])
  })

  test('does not go on when the step that took too long ends after all, with the run still under way', async () => {
    const clock = manualClock()
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const went: string[] = []
    const slow = tool({
      name: 'slow',
      durable: true,
      effect: 'read',
      schedule: { timeout: 1000 },
      run: async (_, ctx) => {
        await ctx.step('long', () => gate)
        went.push('past it')
      },
    })
    const other = tool({ name: 'other', effect: 'read', run: () => held })
    const worker = agent({ model: scriptOf('slow', 'other'), tools: [slow, other], ports: { clock } })
    const running = worker.run('go', { thread: 't' })
    await clock.advance(2000)
    open()
    await clock.advance(1)
    expect(await typesOf(worker, 't')).not.toContain('run.finished')
    release()
    expect((await running).status).toBe('done')
    expect(went).toEqual([])
    expect((await factsOf(worker, 't', 'tool.finished')).map(({ data }) => [data.call, data.errorType])).toEqual([
      ['1.0', 'timeout'],
      ['1.1', undefined],
    ])
  })
})

describe('a durable body of a run that is stopped', () => {
  test.each([
    ['only reads', 'read'],
    ['needs its intent', 'unsafe'],
  ] as const)('begins no further step that %s', async (_, effect) => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const did: string[] = []
    let signal: AbortSignal | undefined
    const worker = agent({
      model: scriptOf('errand'),
      tools: [
        tool({
          name: 'errand',
          durable: true,
          run: async (_, ctx) => {
            signal = ctx.signal
            await ctx.step('first', () => did.push('first'), { effect: 'read' })
            await gate
            await ctx.step('second', () => did.push('second'), { effect })
          },
        }),
      ],
      behaviour: { grace: 20 },
    })
    const run = worker.start('go', { thread: 't' })
    await until(() => did.length === 1)
    await run.stop('enough')
    await until(() => signal?.aborted === true)
    open()
    expect(await run.result()).toMatchObject({ status: 'stopped', reason: 'enough' })
    expect(did).toEqual(['first'])
    expect((await factsOf(worker, 't', 'tool.step-started')).filter(({ data }) => data.key.includes('second'))).toEqual([])
    expect((await factsOf(worker, 't', 'tool.finished')).map(({ data }) => data.status)).toEqual(['error'])
  })

  test('records nothing once its call has its result, however late the step that was under way ends (DURABLE-7)', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const { promise: stored, resolve: store } = Promise.withResolvers<void>()
    const journal = memoryJournal()
    let isStopping = false
    const slowEnd: Journal = {
      ...journal,
      async append(thread, batch) {
        isStopping = batch.events.some(({ type }) => type === 'run.stopped')
        if (isStopping) await stored
        return journal.append(thread, batch)
      },
    }
    let isEntered = false
    const pay = (): Promise<void> => {
      isEntered = true
      return gate
    }
    const errand = tool({ name: 'errand', durable: true, run: (_, ctx) => ctx.step('pay', pay, { effect: 'unsafe' }) })
    const worker = agent({ model: scriptOf('errand'), tools: [errand], behaviour: { grace: 5 }, journal: slowEnd })
    const run = worker.start('go', { thread: 't' })
    await until(() => isEntered)
    await run.stop('enough')
    await until(() => isStopping)
    open()
    await soon()
    store()
    expect(await run.result()).toMatchObject({ status: 'stopped' })
    await worker.drain()
    const types = await typesOf(worker, 't')
    expect(types.at(-1)).toBe('run.stopped')
    expect(types).not.toContain('tool.step-finished')
  })

  test('is not waited for when it is entered again and stands still', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    let steps = 0
    const errand = tool({
      name: 'errand',
      durable: true,
      effect: 'read',
      run: async (_, ctx) => {
        await ctx.step('first', async () => {
          steps += 1
          await gate
        })
        return new Promise(() => {})
      },
    })
    const worker = agent({ model: scriptOf('errand'), tools: [errand], behaviour: { grace: 20 }, ports: alwaysReenter() })
    const run = worker.start('go', { thread: 't' })
    await until(() => steps === 1)
    await run.stop('enough')
    open()
    expect(await run.result()).toMatchObject({ status: 'stopped' })
    expect(steps).toBe(1)
    expect((await factsOf(worker, 't', 'tool.finished')).map(({ data }) => data.errorType)).toEqual(['cancelled'])
  })
})

describe('a question of a durable body', () => {
  const choose = (answers: unknown[], options: Parameters<DurableContext['ask']>[1] = {}) =>
    tool({
      name: 'choose',
      durable: true,
      run: async (_, ctx) => {
        const answer = await ctx.ask('Which?', options)
        answers.push(answer)
        return answer.kind
      },
    })

  test('that expires is answered with no', async () => {
    const clock = manualClock()
    const answers: unknown[] = []
    const worker = agent({ model: scriptOf('choose'), tools: [choose(answers, { expires: 5000 })], ports: { clock } })
    const expires = clock.now() + 5000
    expect(await worker.run('go', { thread: 't' })).toMatchObject({ status: 'waiting', questions: [{ expires }], until: expires })
    await clock.advance(4999)
    expect(await worker.resume('t').result()).toMatchObject({ status: 'waiting' })
    expect(answers).toEqual([])
    await clock.advance(1)
    expect(await worker.resume('t').result()).toMatchObject({ status: 'done' })
    expect(answers).toEqual([{ kind: 'reject', reason: 'nobody answered in time' }])
  })

  test('may need several people', async () => {
    const answers: unknown[] = []
    const worker = agent({ model: scriptOf('choose'), tools: [choose(answers, { approvers: 2, show: { colours: ['red', 'blue'] } })] })
    const run = worker.start('go', { thread: 't' })
    const { questions } = await run.result()
    expect(questions).toMatchObject([{ approvers: 2, approvals: 0, show: { colours: ['red', 'blue'] } }])
    await run.answer(questions[0]?.id ?? '', reject('neither', { by: 'ann' }))
    expect(await run.result()).toMatchObject({ status: 'done' })
    expect(answers).toEqual([{ kind: 'reject', reason: 'neither' }])
  })

  test('is rejected at once where questions are denied, and the journal says why', async () => {
    const answers: unknown[] = []
    const worker = agent({ model: scriptOf('choose'), tools: [choose(answers)], behaviour: { unattended: 'deny' } })
    expect(await worker.run('go', { thread: 't' })).toMatchObject({ status: 'done', questions: [] })
    expect(answers).toEqual([{ kind: 'reject', reason: 'nobody answered in time' }])
    expect((await typesOf(worker, 't')).filter((type) => type.startsWith('question.'))).toEqual(['question.asked', 'question.expired'])
  })

  test('that could not be stored is never answered: the run fails, and the body gets nothing', async () => {
    const answers: unknown[] = []
    const inner = memoryJournal()
    const failing = {
      ...inner,
      append: (...given: Parameters<typeof inner.append>) =>
        given[1].events.some(({ type }) => type === 'question.expired') ? Promise.reject(new Error('disk full')) : inner.append(...given),
    }
    const worker = agent({ model: scriptOf('choose'), tools: [choose(answers)], behaviour: { unattended: 'deny' }, journal: failing })
    await expect(worker.run('go', { thread: 't' })).rejects.toThrow('disk full')
    for (let n = 0; n < 5; n += 1) await soon()
    expect(answers).toEqual([])
  })
})

test('a body that reaches fewer keys when it is entered again is refused in development, at its first wait', async () => {
  let entries = 0
  const fickle = tool({
    name: 'fickle',
    durable: true,
    run: async (_, ctx) => {
      entries += 1
      if (entries === 1) await ctx.step('only once', () => 1)
      return (await ctx.ask('Sure?')).kind
    },
  })
  const model = scriptOf('fickle')
  const worker = agent({ model, tools: [fickle], ports: { development: true } })
  expect((await worker.run('go', { thread: 't' })).status).toBe('done')
  expect(JSON.stringify(model.requests[1]?.prompt)).toContain('did not reach step only once #1.')
})
