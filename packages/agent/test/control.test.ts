import { agent, approve, tool } from '@loom-agent/agent'
import { isOver } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { until } from '../../../test/support/event-loop.ts'
import { eventsOf, factsOf, typesOf } from './journals.ts'

/** A tool whose calls end when the test says so. */
function gate(effect: 'read' | 'unsafe' = 'unsafe') {
  const open: ((value: unknown) => void)[] = []
  const aborted: unknown[] = []
  const made = tool({
    name: 'gate',
    input: z.object({ n: z.number().optional() }),
    effect,
    run: (_, { signal }) => {
      signal.addEventListener('abort', () => aborted.push(signal.reason))
      return new Promise((resolve) => open.push(resolve))
    },
  })
  return { tool: made, open, aborted }
}

describe('stopping', () => {
  test('while the model streams ends the run with what there is', async () => {
    const model = scriptedModel({ text: 'half a sentence', stallAfter: 3 })
    const talker = agent({ model })
    const run = talker.start('go', { thread: 't' })
    await until(() => model.requests.length === 1)
    await run.stop('enough')
    expect(await run.result()).toMatchObject({ status: 'stopped', kind: 'cancelled', reason: 'enough', text: 'half ' })
    expect(model.requests[0]?.abortSignal?.aborted).toBe(true)
    expect(await typesOf(talker, 't')).toContain('model.failed')
  })

  test('while a tool runs reaches the tool, and an unsafe call ends as unknown', async () => {
    const { tool: gated, open, aborted } = gate()
    const model = scriptedModel([{ calls: [{ tool: 'gate' }, { tool: 'gate' }] }, 'never'])
    const worker = agent({ model, tools: [gated], behaviour: { grace: 10 } })
    const run = worker.start('go', { thread: 't' })
    await until(() => open.length === 1)
    await run.stop('enough')
    expect(await run.result()).toMatchObject({ status: 'stopped', kind: 'cancelled' })
    expect(aborted).toEqual(['enough'])
    expect(open).toHaveLength(1)
    const results = await factsOf(worker, 't', 'tool.finished')
    expect(results.map(({ data }) => [data.call, data.errorType])).toEqual([
      ['1.0', 'outcome-unknown'],
      ['1.1', 'cancelled'],
    ])
    expect(model.requests).toHaveLength(1)
  })

  test('keeps the result of a tool that ends within the grace', async () => {
    const polite = tool({
      name: 'polite',
      run: (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('tidied up'))),
    })
    const worker = agent({ model: scriptedModel([{ calls: [{ tool: 'polite' }] }]), tools: [polite] })
    const run = worker.start('go', { thread: 't' })
    await until(async () => (await typesOf(worker, 't')).includes('tool.started'))
    await run.stop()
    await run.result()
    expect((await factsOf(worker, 't', 'tool.finished'))[0]?.data).toMatchObject({ status: 'success', output: { value: 'tidied up' } })
  })

  test('while it waits for an approval ends it, and the answer comes too late', async () => {
    const asks = tool({ name: 'ask', permission: 'ask', run: () => 'x' })
    const worker = agent({ model: scriptedModel([{ calls: [{ tool: 'ask' }] }]), tools: [asks] })
    const run = worker.start('go', { thread: 't' })
    const { questions } = await run.result()
    const again = worker.resume('t')
    await again.stop('never mind')
    expect(await again.result()).toMatchObject({ status: 'stopped' })
    await expect(worker.answer(questions[0]?.id ?? '', approve())).rejects.toMatchObject({ code: 'LOOM_QUESTION_NOT_FOUND' })
  })

  test('by a signal aborted beforehand never calls the model (defect 9: the cancel token was dropped)', async () => {
    const model = scriptedModel('never')
    await expect(agent({ model }).run('go', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'LOOM_ABORTED' })
    expect(model.requests).toHaveLength(0)
  })

  test('by a signal aborted later stops model and tools (defect 9)', async () => {
    const controller = new AbortController()
    const { tool: gated, open, aborted } = gate('read')
    const worker = agent({ model: scriptedModel([{ calls: [{ tool: 'gate' }] }]), tools: [gated], behaviour: { grace: 10 } })
    const run = worker.run('go', { signal: controller.signal })
    await until(() => open.length === 1)
    controller.abort()
    expect(await run).toMatchObject({ status: 'stopped' })
    expect(aborted).toHaveLength(1)
  })

  test('ends exactly once, also when it races with the end of the run', async () => {
    for (let n = 0; n < 30; n += 1) {
      const worker = agent({ model: scriptedModel('done') })
      const run = worker.start('go', { thread: 't' })
      for (let tick = 0; tick < n; tick += 1) await null
      await run.stop()
      const { status } = await run.result()
      const types = await typesOf(worker, 't')
      expect(types.filter((type) => ['run.finished', 'run.stopped', 'run.failed'].includes(type))).toHaveLength(1)
      expect(['done', 'stopped']).toContain(status)
    }
  })

  test('leaves nothing behind: a new run on the thread is a valid conversation', async () => {
    const { tool: gated, open } = gate()
    const model = scriptedModel([{ calls: [{ tool: 'gate' }, { tool: 'gate' }] }, 'ok'])
    const worker = agent({ model, tools: [gated], behaviour: { grace: 5 } })
    const run = worker.start('go', { thread: 't' })
    await until(() => open.length === 1)
    await run.stop()
    await run.result()
    await worker.run('again', { thread: 't' })
    expect(model.requests[1]?.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
  })
})

describe('pausing', () => {
  test('stops at the next safe point, and resuming goes on', async () => {
    const { tool: gated, open } = gate()
    const model = scriptedModel([{ calls: [{ tool: 'gate' }] }, 'ok'])
    const worker = agent({ model, tools: [gated] })
    const run = worker.start('go', { thread: 't' })
    await until(() => open.length === 1)
    await run.pause()
    open[0]?.('through')
    expect(await run.result()).toMatchObject({ status: 'waiting', questions: [] })
    expect(model.requests).toHaveLength(1)
    expect(await worker.resume('t').result()).toMatchObject({ status: 'done', text: 'ok' })
  })
})

describe('steering', () => {
  test('lands at the next turn, the most urgent first', async () => {
    const { tool: gated, open } = gate()
    const model = scriptedModel([{ calls: [{ tool: 'gate' }] }, 'ok'])
    const worker = agent({ model, tools: [gated] })
    const run = worker.start('go', { thread: 't' })
    await until(() => open.length === 1)
    await run.steer('also this')
    await run.steer('and that')
    await run.steer('first of all', { priority: 5 })
    open[0]?.('through')
    await run.result()
    expect(model.requests[1]?.prompt.slice(2).map((message) => (message.role === 'user' ? message.content[0] : message.role))).toEqual([
      'tool',
      { type: 'text', text: 'first of all' },
      { type: 'text', text: 'also this' },
      { type: 'text', text: 'and that' },
    ])
  })

  test('that comes with the final answer causes another turn', async () => {
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const model = scriptedModel([{ text: 'First.', until: held }, 'Second.'])
    const worker = agent({ model })
    const run = worker.start('go')
    await until(() => model.requests.length === 1)
    await run.steer('wait, also X')
    release()
    expect(await run.result()).toMatchObject({ status: 'done', text: 'Second.', turns: 2 })
  })

  test('is not lost when the run stops at a limit: the next run sees it', async () => {
    const { tool: gated, open } = gate()
    const model = scriptedModel([{ calls: [{ tool: 'gate' }] }, 'ok'])
    const worker = agent({ model, tools: [gated], limits: { turns: 1 } })
    const run = worker.start('go', { thread: 't' })
    await until(() => open.length === 1)
    await run.steer('keep this')
    open[0]?.('through')
    expect((await run.result()).status).toBe('stopped')
    await worker.run('next', { thread: 't' })
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('keep this')
  })
})

test('a message for a queued run is refused, and reaches no other run', async () => {
  const { tool: gated, open } = gate()
  const model = scriptedModel([{ calls: [{ tool: 'gate' }] }, 'one', 'two'])
  const worker = agent({ model, tools: [gated] })
  const first = worker.start('first', { thread: 't' })
  await until(() => open.length === 1)
  const second = worker.start('second', { thread: 't' })
  await expect(second.steer('only for the second')).rejects.toMatchObject({ code: 'LOOM_THREAD_BUSY', message: /r2 of t has not started.*reach r1/ })
  open[0]?.('through')
  await first.result()
  await second.result()
  expect(JSON.stringify(model.requests)).not.toContain('only for the second')
})

describe('a second input on a busy thread', () => {
  const busy = async (whenBusy?: 'queue' | 'steer' | 'reject') => {
    const { tool: gated, open } = gate()
    const model = scriptedModel([{ calls: [{ tool: 'gate' }] }, 'one', 'two'])
    const worker = agent({ model, tools: [gated] })
    const first = worker.start('first', { thread: 't' })
    await until(() => open.length === 1)
    const second = worker.start('second', { thread: 't', ...(whenBusy && { whenBusy }) })
    return { worker, model, first, second, open }
  }

  test('queues by default and runs after the first', async () => {
    const { worker, first, second, open } = await busy()
    open[0]?.('x')
    expect(await first.result()).toMatchObject({ text: 'one', run: 'r1' })
    expect(await second.result()).toMatchObject({ text: 'two', run: 'r2' })
    expect(await typesOf(worker, 't')).toContain('run.queued')
  })

  test('steers when asked to', async () => {
    const { worker, model, first, second, open } = await busy('steer')
    await until(async () => (await typesOf(worker, 't')).includes('message.steered'))
    open[0]?.('x')
    expect(await first.result()).toMatchObject({ text: 'one' })
    expect(await second.result()).toMatchObject({ text: 'one', run: 'r1' })
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('second')
  })

  test('is refused when asked to', async () => {
    const { first, second, open } = await busy('reject')
    await expect(second.result()).rejects.toMatchObject({ code: 'LOOM_THREAD_BUSY' })
    open[0]?.('x')
    expect((await first.result()).status).toBe('done')
  })

  test('queues behind a run that waits, also from another agent object', async () => {
    const asks = tool({ name: 'ask', permission: 'ask', run: () => 'x' })
    const first = agent({ model: scriptedModel([{ calls: [{ tool: 'ask' }] }, 'one', 'two']), tools: [asks] })
    const waiting = await first.run('first', { thread: 't' })
    const other = agent({ model: scriptedModel('never'), tools: [asks], journal: first.journal })
    await other.run('second', { thread: 't' })
    await first.answer(waiting.questions[0]?.id ?? '', approve())
    await until(async () => (await typesOf(first, 't')).at(-1) === 'run.finished')
    expect(await first.resume('t').result()).toMatchObject({ run: 'r2', text: 'two' })
  })

  test('behind a run that waits is itself waiting, with the questions that block it, and goes on when they are answered', async () => {
    const asks = tool({ name: 'ask', permission: 'ask', run: () => 'x' })
    const worker = agent({ model: scriptedModel([{ calls: [{ tool: 'ask' }] }, 'one', 'two']), tools: [asks] })
    const { questions } = await worker.run('first', { thread: 't' })
    const second = worker.start('second', { thread: 't' })
    expect(await second.result()).toMatchObject({ status: 'waiting', run: 'r2', text: '', turns: 0, questions })
    expect(questions).toHaveLength(1)
    await second.answer(questions[0]?.id ?? '', approve())
    expect(await second.result()).toMatchObject({ status: 'done', run: 'r2', text: 'two' })
  })

  test('is not waiting while the run before it can go on by itself', async () => {
    const nap = tool({ name: 'nap', durable: true, run: (_, ctx) => ctx.sleep(5) })
    const worker = agent({ model: scriptedModel([{ calls: [{ tool: 'nap' }] }, 'one', 'two']), tools: [nap] })
    const first = worker.start('first', { thread: 't' })
    expect(await worker.run('second', { thread: 't' })).toMatchObject({ status: 'done', run: 'r2', text: 'two' })
    expect(await first.result()).toMatchObject({ run: 'r1', text: 'one' })
  })
})

test('a run driven by another agent object is followed to its end, and its events are seen', async () => {
  const { tool: gated, open } = gate()
  const worker = agent({ model: scriptedModel([{ calls: [{ tool: 'gate' }] }, 'ok']), tools: [gated] })
  const run = worker.start('go', { thread: 't' })
  await until(() => open.length === 1)
  const other = agent({ model: scriptedModel('never'), tools: [gated], journal: worker.journal })
  const follower = other.resume('t')
  const seen: string[] = []
  const watching = (async () => {
    for await (const event of follower.events({ from: 1 })) seen.push(event.type)
  })()
  open[0]?.('x')
  expect(await follower.result()).toMatchObject({ status: 'done', text: 'ok' })
  await run.result()
  await watching
  expect(seen).toEqual((await eventsOf(worker, 't')).map(({ type }) => type))
  expect(isOver).toBeTypeOf('function')
})
