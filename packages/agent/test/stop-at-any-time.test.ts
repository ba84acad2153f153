/** A stop, an abort and a pause reach their run whenever they come: before it has started, while it is queued, and when no process drives it. */
import { type Agent, type AgentOptions, agent, answer, approve, memoryJournal, type RunHandle, tool } from '@loom-agent/agent'
import { checkHistory, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { idle, until } from '../../../test/support/event-loop.ts'
import { abandoned, eventsOf, factsOf, typesOf } from './journals.ts'

/** An agent whose first run on a thread waits for a gate or for an approval, and whose second one pays. */
function payer(first: 'gate' | 'ask', options: AgentOptions = {}) {
  const gates: ((value: string) => void)[] = []
  const paid: string[] = []
  const tools = {
    gate: tool({ effect: 'pure', run: () => new Promise<string>((resolve) => gates.push(resolve)) }),
    ask: tool({ permission: 'ask', run: () => 'asked' }),
    pay: tool({ effect: 'unsafe', run: () => void paid.push('paid') }),
  }
  const model = scriptedModel(({ prompt }) => {
    if (prompt.at(-1)?.role === 'tool') return 'end'
    return { calls: [{ tool: JSON.stringify(prompt.at(-1)).includes('second') ? 'pay' : first }] }
  })
  const create = () => agent({ name: 'payer', model, tools, ...options })
  return { create, gates, paid, model }
}

/** Starts a run, and a second one that is queued behind it. */
async function queued(a: Agent, options: { signal?: AbortSignal } = {}): Promise<{ one: RunHandle<string>; two: RunHandle<string> }> {
  const one = a.start('first', { thread: 't' })
  await until(async () => (await typesOf(a, 't')).some((type) => type === 'tool.started' || type === 'run.suspended'))
  const two = a.start('second', { thread: 't', ...options })
  await until(async () => (await typesOf(a, 't')).includes('run.queued'))
  return { one, two }
}

type Stop = (two: RunHandle<string>, controller: AbortController) => Promise<void>
const stops: readonly (readonly [string, Stop])[] = [
  ['stopped by its handle', (two) => two.stop('changed my mind')],
  ['stopped by its signal', async (_, controller) => controller.abort()],
]

describe('a queued run', () => {
  test.each(stops)('that is %s ends as stopped at once, and never calls the model', async (_, stop) => {
    const { create, gates, paid, model } = payer('gate')
    const a = create()
    const controller = new AbortController()
    const { one, two } = await queued(a, { signal: controller.signal })
    await stop(two, controller)
    expect(await two.result()).toMatchObject({ run: 'r2', status: 'stopped', kind: 'cancelled', turns: 0 })
    expect((await typesOf(a, 't')).at(-1)).toBe('run.stop-requested')
    gates[0]?.('open')
    expect(await one.result()).toMatchObject({ run: 'r1', status: 'done' })
    await until(async () => (await typesOf(a, 't')).at(-1) === 'run.stopped')
    expect([paid, model.requests.length]).toEqual([[], 2])
    expect((await factsOf(a, 't', 'run.stop-requested')).map(({ data }) => data.run)).toEqual(['r2'])
    expect(checkHistory(await eventsOf(a, 't'))).toEqual([])
  })

  test('behind one that waits ends as stopped at once when its handle stops it, and the other waits on', async () => {
    const { create, paid } = payer('ask')
    const a = create()
    const { one, two } = await queued(a)
    const { questions } = await one.result()
    expect(await two.result()).toMatchObject({ run: 'r2', status: 'waiting', questions })
    await two.stop('changed my mind')
    expect(await two.result()).toMatchObject({ run: 'r2', status: 'stopped', reason: 'changed my mind' })
    expect(await journalStatus(a)).toBe('waiting')
    await one.answer(questions[0]?.id ?? '', approve())
    expect(await one.result()).toMatchObject({ run: 'r1', status: 'done' })
    await until(async () => (await journalStatus(a)) === 'stopped')
    expect(paid).toEqual([])
  })

  test('that was stopped ends as stopped also when the process has died, and a start that is said again returns that', async () => {
    const journal = memoryJournal()
    const { create, paid } = payer('gate', { journal })
    const a = create()
    a.start('first', { thread: 't' })
      .result()
      .catch(() => {})
    await until(async () => (await typesOf(a, 't')).includes('tool.started'))
    const two = a.start('second', { thread: 't', id: 'once' })
    await two.stop('changed my mind')
    const others = payer('gate', { journal: abandoned(journal) })
    const recovering = others.create().recover()
    await until(() => others.gates.length === 1)
    others.gates[0]?.('open')
    expect(await recovering).toEqual([{ thread: 't', status: 'stopped' }])
    expect((await typesOf(journal, 't')).slice(-3)).toEqual(['run.finished', 'run.started', 'run.stopped'])
    const again = await others.create().run('second', { thread: 't', id: 'once' })
    expect(again).toMatchObject({ run: 'r2', status: 'stopped', reason: 'changed my mind' })
    expect([paid, others.paid]).toEqual([[], []])
  })

  test('that is paused begins paused, and a resume goes on with it', async () => {
    const { create, gates, paid, model } = payer('gate')
    const a = create()
    const { one, two } = await queued(a)
    await two.pause({ by: 'ann' })
    gates[0]?.('open')
    expect(await one.result()).toMatchObject({ status: 'done' })
    expect(await two.result()).toMatchObject({ run: 'r2', status: 'waiting', reason: 'paused' })
    expect([paid, model.requests.length]).toEqual([[], 2])
    expect((await factsOf(a, 't', 'run.pause-requested'))[0]?.data).toEqual({ by: 'ann', run: 'r2' })
    expect(await a.resume('t').result()).toMatchObject({ run: 'r2', status: 'done' })
    expect(paid).toEqual(['paid'])
    expect(checkHistory(await eventsOf(a, 't'))).toEqual([])
  })
})

const journalStatus = async (a: Agent): Promise<string | undefined> => (await a.journal.head('t'))?.summary.status

describe('an abort', () => {
  test.each([undefined, 't'])('at any moment after the start stops the run (thread %s)', async (thread) => {
    for (let ticks = 0; ticks < 12; ticks += 1) {
      const { create, gates } = payer('gate', { behaviour: { grace: 1 } })
      const controller = new AbortController()
      const running = create().run('first', { ...(thread && { thread }), signal: controller.signal })
      for (let tick = 0; tick < ticks; tick += 1) await null
      controller.abort()
      expect(await running).toMatchObject({ status: 'stopped', kind: 'cancelled' })
      expect(gates.length).toBeLessThanOrEqual(1)
    }
  })

  test('in the same tick as the start comes before the first call of the model', async () => {
    const { create, model } = payer('gate')
    const controller = new AbortController()
    const running = create().run('first', { signal: controller.signal })
    controller.abort()
    expect(await running).toMatchObject({ status: 'stopped' })
    expect(model.requests).toHaveLength(0)
  })

  test('before a resume leaves the run as it is: waiting, failed, or at a limit', async () => {
    const signal = AbortSignal.abort('The client left.')
    const refused = { code: 'LOOM_ABORTED', cause: 'The client left.', message: expect.stringContaining('The client left.') as string }
    const journal = memoryJournal()
    const waiting = payer('ask', { journal })
    const { questions } = await waiting.create().run('first', { thread: 't' })
    await answer(journal, questions[0]?.id ?? '', approve())
    const before = await typesOf(journal, 't')
    await expect(waiting.create().resume('t', { signal }).result()).rejects.toMatchObject(refused)
    expect(await typesOf(journal, 't')).toEqual(before)
    const broken = agent({ model: scriptedModel({ throws: new Error('no') }), behaviour: { attempts: 1 } })
    expect(await broken.run('go', { thread: 't' })).toMatchObject({ status: 'failed' })
    await expect(broken.resume('t', { signal }).result()).rejects.toMatchObject(refused)
    expect(await typesOf(broken, 't')).not.toContain('run.resumed')
    const { create } = payer('gate', { tools: { gate: tool({ effect: 'pure', run: () => 'x' }) }, limits: { turns: 1 } })
    const limited = create()
    expect(await limited.run('first', { thread: 't' })).toMatchObject({ status: 'stopped', kind: 'limit' })
    await expect(limited.resume('t', { signal, limits: { turns: 2 } }).result()).rejects.toMatchObject(refused)
    expect(await typesOf(limited, 't')).not.toContain('limit.raised')
  })

  test('before a start uses up no id: made again, the start runs', async () => {
    const model = scriptedModel('done')
    const worker = agent({ model })
    await expect(worker.run('go', { id: 'event-1', signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'LOOM_ABORTED' })
    expect(await worker.journal.threads()).toEqual([])
    expect(await worker.run('go', { id: 'event-1' })).toMatchObject({ status: 'done' })
  })

  test.each([
    ['is made again', { id: 'event-1' }],
    ['steers', { whenBusy: 'steer' }],
    ['is queued', { whenBusy: 'queue' }],
  ] as const)('before a start that %s leaves the run under way alone', async (_how, options) => {
    const { create, gates } = payer('gate')
    const a = create()
    const one = a.start('first', { thread: 't', id: 'event-1' })
    await until(async () => (await typesOf(a, 't')).includes('tool.started'))
    const before = await typesOf(a, 't')
    const two = a.run('first', { thread: 't', ...options, signal: AbortSignal.abort() })
    await expect(two).rejects.toMatchObject({ code: 'LOOM_ABORTED' })
    expect(await typesOf(a, 't')).toEqual(before)
    gates[0]?.('open')
    expect(await one.result()).toMatchObject({ status: 'done' })
  })

  test('of an input that steered stops the run that it became a part of', async () => {
    const { create } = payer('gate', { behaviour: { grace: 1 } })
    const a = create()
    const one = a.start('first', { thread: 't' })
    await until(async () => (await typesOf(a, 't')).includes('tool.started'))
    const controller = new AbortController()
    const two = a.run('hurry', { thread: 't', whenBusy: 'steer', signal: controller.signal })
    controller.abort()
    expect([await one.result(), await two]).toMatchObject([{ status: 'stopped' }, { run: 'r1', status: 'stopped' }])
  })

  test('after a waiting result takes effect when the handle moves the run on', async () => {
    const { create, model } = payer('ask')
    const a = create()
    const controller = new AbortController()
    const run = a.start('first', { thread: 't', signal: controller.signal })
    const { questions } = await run.result()
    controller.abort()
    await idle()
    expect(await journalStatus(a)).toBe('waiting')
    await run.answer(questions[0]?.id ?? '', approve())
    expect(await run.result()).toMatchObject({ status: 'stopped' })
    expect(model.requests).toHaveLength(1)
  })
})
