/** Draining: no new work, what is in flight ends or is handed on, and nothing is lost or done twice (DRAIN-1 to DRAIN-5). */
import { type Agent, agent, approve, memoryJournal, type Tool, tool } from '@loom-agent/agent'
import type { Journal, LoomError } from '@loom-agent/kernel'
import { assertHistory, manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { callsOnce } from '../../../test/support/calling-model.ts'
import { idle, until } from '../../../test/support/event-loop.ts'
import { eventsOf, typesOf } from './journals.ts'

/** A tool whose first call ends when the test says so. */
function gate() {
  let [ran, open] = [0, (): void => {}]
  const made = tool({
    name: 'gate',
    run: () => {
      ran += 1
      return ran === 1 ? new Promise<string>((resolve) => (open = () => resolve('open'))) : 'open'
    },
  })
  return { made, ran: () => ran, open: () => open() }
}

type Verdict = ReturnType<typeof approve>

/** A tool that must be approved, and a resolver that answers when the test says so. */
function asking() {
  const { promise, resolve } = Promise.withResolvers<Verdict>()
  let asked = 0
  const onQuestion = (): Promise<Verdict> => {
    asked += 1
    return promise
  }
  const asks = tool({ name: 'gate', permission: 'ask', run: () => 'open' })
  return { asks, onQuestion, answer: resolve, isAsked: () => asked === 1 }
}

const worker = (journal: Journal, made: Tool, ports = {}) => agent({ name: 'worker', model: callsOnce('gate'), tools: [made], journal, ports })

describe('an agent that is drained', () => {
  test('starts nothing new, and says so', async () => {
    const journal = memoryJournal()
    const drained = worker(journal, gate().made)
    await drained.drain()
    await expect(drained.run('go', { thread: 't' })).rejects.toMatchObject({ code: 'LOOM_DRAINING' })
    expect(await journal.head('t')).toBeUndefined()
    await expect(drained.drain({ grace: -1 })).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
  })

  test('lets a call end, releases the thread before the next turn, and another process goes on', async () => {
    const journal = memoryJournal()
    const { made, ran, open } = gate()
    const drained = worker(journal, made)
    const run = drained.start('go', { thread: 't' })
    await until(() => ran() === 1)
    const refused = expect(run.result()).rejects.toMatchObject({ code: 'LOOM_DRAINING' })
    const draining = drained.drain()
    open()
    await draining
    await refused
    expect((await typesOf({ journal }, 't')).at(-1)).toBe('tool.finished')
    expect((await journal.head('t'))?.holder).toBeUndefined()
    expect(await worker(journal, made).recover()).toMatchObject([{ thread: 't', status: 'done' }])
    expect(ran()).toBe(1)
    assertHistory(await eventsOf({ journal }, 't'))
  })

  test('starts no turn and no run that is queued, and calls no hook of one: another process does (DRAIN-1)', async () => {
    const journal = memoryJournal()
    const { made, ran, open } = gate()
    const points: string[] = []
    const note = (point: string) => async (): Promise<undefined> => void points.push(point)
    const hooks = [{ beforeIterationStart: note('begins'), beforeRecursion: note('recurs') }]
    const drained = agent({ name: 'worker', model: callsOnce('gate'), tools: [made], journal, hooks })
    const run = drained.start('go', { thread: 't' })
    await until(() => ran() === 1)
    const queued = drained.start('and then', { thread: 't' })
    await until(async () => (await typesOf({ journal }, 't')).includes('run.queued'))
    const refused = Promise.all([run, queued].map((handle) => expect(handle.result()).rejects.toMatchObject({ code: 'LOOM_DRAINING' })))
    points.length = 0
    const draining = drained.drain()
    open()
    await draining
    await refused
    expect(points).toEqual([])
    expect((await typesOf({ journal }, 't')).at(-1)).toBe('tool.finished')
    expect(await worker(journal, made).recover()).toMatchObject([{ thread: 't', status: 'done' }])
    expect(await typesOf({ journal }, 't')).toContain('run.finished')
  })

  test('ends a run that is stopped, and leaves the next one in the queue (DRAIN-1)', async () => {
    const journal = memoryJournal()
    const { made, ran, open } = gate()
    const drained = worker(journal, made)
    const one = drained.start('one', { thread: 't' })
    await until(() => ran() === 1)
    const two = drained.start('two', { thread: 't' })
    await until(async () => (await typesOf({ journal }, 't')).includes('run.queued'))
    const refused = expect(two.result()).rejects.toMatchObject({ code: 'LOOM_DRAINING' })
    await one.stop('enough')
    const draining = drained.drain()
    open()
    await draining
    await refused
    expect((await typesOf({ journal }, 't')).at(-1)).toBe('run.stopped')
    expect(await worker(journal, made).recover()).toMatchObject([{ thread: 't', status: 'done' }])
  })

  test('gives up what does not end within the grace period: the next driver judges it by its class', async () => {
    const journal = memoryJournal()
    const clock = manualClock()
    const { made, ran } = gate()
    const drained = worker(journal, made, { clock })
    const run = drained.start('go', { thread: 't' })
    await until(() => ran() === 1)
    const refused = expect(run.result()).rejects.toMatchObject({ code: 'LOOM_DRAINING' })
    const draining = drained.drain({ grace: 1000 })
    await clock.advance(1000)
    await draining
    await refused
    expect((await journal.head('t'))?.holder).toBeUndefined()
    const result = await worker(journal, made).resume('t').result()
    expect(result.questions.map(({ kind }) => kind)).toEqual(['in-doubt'])
    expect(ran()).toBe(1)
    // The call that was given up has had its time to end.
    await clock.advance(60_000)
    expect(clock.timers).toBe(0)
  })

  test('hands on a parent with the child that works for it', async () => {
    const journal = memoryJournal()
    const { made, ran, open } = gate()
    const child = agent({ name: 'child', model: callsOnce('gate'), tools: [made] })
    const boss = () => agent({ name: 'boss', model: callsOnce('child'), tools: [child], journal })
    const drained = boss()
    const run = drained.start('go', { thread: 't' })
    await until(() => ran() === 1)
    const refused = expect(run.result()).rejects.toMatchObject({ code: 'LOOM_DRAINING' })
    const draining = drained.drain()
    open()
    await draining
    await refused
    expect((await journal.threads()).filter(({ holder }) => holder !== undefined)).toEqual([])
    expect(await boss().recover()).toMatchObject([{ thread: 't', status: 'done' }])
    expect(ran()).toBe(1)
    for (const { thread } of await journal.threads()) assertHistory(await eventsOf({ journal }, thread))
  })

  test.each(['tool.started', 'child.started'] as const)('hands on a parent whose child it could not start any more, at %s', async (last) => {
    const journal = memoryJournal()
    const child = agent({ name: 'child', model: scriptedModel(() => 'The answer of the child.') })
    const boss = (stored: Journal) => agent({ name: 'boss', model: callsOnce('child'), tools: [child], journal: stored })
    let draining: Promise<void> | undefined
    const drained = boss({
      ...journal,
      append(thread, batch) {
        if (batch.events.some(({ type }) => type === last)) draining ??= drained.drain()
        return journal.append(thread, batch)
      },
    })
    await expect(drained.run('go', { thread: 't' })).rejects.toMatchObject({ code: 'LOOM_DRAINING', context: { asked: 'stored' } })
    await draining
    expect((await journal.threads()).map(({ thread, summary }) => [thread, summary.status])).toEqual([['t', 'running']])
    expect(await boss(journal).recover()).toMatchObject([{ thread: 't', status: 'done' }])
    expect(await journal.threads({ parent: 't' })).toHaveLength(1)
    for (const { thread } of await journal.threads()) assertHistory(await eventsOf({ journal }, thread))
  })

  test('rejects at once the results of runs that sleep for a moment, or that another process drives', async () => {
    const journal = memoryJournal()
    const clock = manualClock()
    const { made, ran } = gate()
    const elsewhere = worker(journal, made, { clock }).start('go', { thread: 'driven' })
    await until(() => ran() === 1)
    const sleepy = tool({ name: 'gate', durable: true, run: (_, ctx) => ctx.sleep(6000) })
    const drained = worker(journal, sleepy, { clock })
    const runs = [drained.start('go', { thread: 'asleep' }), drained.resume('driven')]
    const texts = Array.fromAsync(runs[0]?.text() ?? [])
    await until(async () => (await typesOf({ journal }, 'asleep')).includes('run.suspended'))
    await drained.drain()
    for (const run of runs) await expect(run.result()).rejects.toMatchObject({ code: 'LOOM_DRAINING' })
    await expect(texts).rejects.toMatchObject({ code: 'LOOM_DRAINING' })
    void elsewhere
  })

  test('gives a resolver that is being asked the grace period, then rejects the result; a later answer is stored', async () => {
    const journal = memoryJournal()
    const clock = manualClock()
    const { asks, onQuestion, answer, isAsked } = asking()
    const drained = agent({ name: 'worker', model: callsOnce('gate'), tools: [asks], journal, ports: { clock }, onQuestion })
    let outcome = 'pending'
    const run = drained.start('go', { thread: 't' }).result()
    run.catch(({ code, context }: LoomError) => (outcome = `${code} ${String(context['asked'])}`))
    await until(isAsked)
    let isDrained = false
    const draining = drained.drain({ grace: 1000 }).then(() => (isDrained = true))
    await clock.advance(999)
    expect([outcome, isDrained]).toEqual(['pending', false])
    await clock.advance(1)
    await draining
    expect(outcome).toBe('LOOM_DRAINING stored')
    answer(approve())
    await until(async () => (await typesOf({ journal }, 't')).includes('question.answered'))
    expect((await journal.head('t'))?.holder).toBeUndefined()
    expect(clock.timers).toBe(0)
    expect(await worker(journal, asks).recover()).toMatchObject([{ thread: 't', status: 'done' }])
  })

  test('stores the answer of a resolver that comes within the grace period, and hands the run on', async () => {
    const journal = memoryJournal()
    const { asks, onQuestion, answer, isAsked } = asking()
    const drained = agent({ name: 'worker', model: callsOnce('gate'), tools: [asks], journal, onQuestion })
    const refused = expect(drained.run('go', { thread: 't' })).rejects.toMatchObject({ code: 'LOOM_DRAINING' })
    await until(isAsked)
    const draining = drained.drain()
    answer(approve())
    await draining
    await refused
    expect(await typesOf({ journal }, 't')).toContain('question.answered')
    expect(await worker(journal, asks).recover()).toMatchObject([{ thread: 't', status: 'done' }])
  })

  test('does not wait for the next attempt of a model that failed', async () => {
    const journal = memoryJournal()
    const clock = manualClock()
    const model = scriptedModel(() => ({ text: 'half', tornBy: Object.assign(new Error('busy'), { statusCode: 503, isRetryable: true }) }))
    const drained = agent({ name: 'worker', model, journal, ports: { clock } })
    const run = drained.start('go', { thread: 't' })
    await until(async () => (await typesOf({ journal }, 't')).includes('model.failed'))
    const refused = expect(run.result()).rejects.toMatchObject({ code: 'LOOM_DRAINING' })
    await drained.drain()
    await refused
    expect((await journal.head('t'))?.summary.status).toBe('running')
    expect(clock.timers).toBe(0)
  })
})

describe('drain waits for what is being appended', () => {
  test.each<[string, (own: Agent, id: string) => Promise<unknown>]>([
    ['a start', (own) => own.run('again', { thread: 'other' })],
    ['an answer', (own, id) => own.answer(id, approve())],
    ['a signal', (own) => own.signal('t', 'payment', 1)],
  ])('%s: it is stored, or refused, before drain resolves', async (_, act) => {
    const inner = memoryJournal()
    const begun = Promise.withResolvers<void>()
    const slow = Promise.withResolvers<void>()
    let isSlow = false
    const append: Journal['append'] = async (thread, batch) => {
      if (isSlow) {
        begun.resolve()
        await slow.promise
      }
      return inner.append(thread, batch)
    }
    const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
    const own = agent({ name: 'own', model: callsOnce('pay'), tools: [pay], journal: { ...inner, append } })
    const { questions } = await own.run('go', { thread: 't' })
    isSlow = true
    const acted = act(own, questions[0]?.id ?? '').then(
      () => 'stored',
      (error: LoomError) => (error.context as { asked?: string }).asked ?? error.code,
    )
    await begun.promise
    let isDrained = false
    const drained = own.drain().then(() => (isDrained = true))
    await idle()
    expect(isDrained).toBe(false)
    slow.resolve()
    await drained
    expect(await acted).toBe('stored')
  })
})
