/** Recovery by itself: what a process that is gone has left is found and driven on, and nothing else is touched. */
import { type AgentOptions, agent, approve, memoryJournal, type Recovered, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { assertHistory, manualClock, mortalJournal, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { until } from '../../../test/support/event-loop.ts'
import { eventsOf, factsOf, typesOf } from './journals.ts'

const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
/** Calls a tool, then answers: decided by the prompt, so that it goes on in any process. */
const twoTurns = (tool = 'look') =>
  scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool, input: { prompt: 'go' } }] }))

/** An agent in a process of its own. */
const worker = (journal: Journal, options: Partial<AgentOptions> = {}) =>
  agent({ name: 'worker', model: twoTurns(), tools: [look], ...options, journal: mortalJournal(journal).journal })

/** Starts a run in a process that dies with its n-th append, if it gets that far. */
async function dieAt(journal: Journal, thread: string, append: number, options: Partial<AgentOptions> = {}): Promise<void> {
  const mortal = mortalJournal(journal, { append, when: 'after' })
  const run = agent({ name: 'worker', model: twoTurns(), tools: [look], ...options, journal: mortal.journal }).start('go', { thread })
  await Promise.race([mortal.died, run.result()])
}

const outcomes = (recovered: readonly Recovered[]): readonly (readonly [string, string])[] =>
  recovered.map(({ thread, status }) => [thread, status] as const).toSorted()

describe('recover', () => {
  test('drives on every thread that a process has left, wherever it died', async () => {
    const journal = memoryJournal()
    for (let n = 1; n <= 3; n += 1) await dieAt(journal, `t${n}`, n)
    const recovered = await worker(journal).recover()
    expect(outcomes(recovered)).toEqual(['t1', 't2', 't3'].map((thread) => [thread, 'done']))
    for (const { thread } of recovered) assertHistory(await eventsOf({ journal }, thread))
  })

  test('finds more threads than a page holds, and reports each as it goes', async () => {
    const journal = memoryJournal()
    for (let n = 1; n <= 230; n += 1) await dieAt(journal, `t${n}`, 1)
    const reported: string[] = []
    await worker(journal).recover({ onRecovered: ({ thread, status }) => reported.push(`${thread} ${status}`) })
    expect(reported.length).toBe(230)
    expect(reported.every((line) => line.endsWith('done'))).toBe(true)
  })

  test('finds nothing where all is well: runs that ended, wait for an answer, or sleep', async () => {
    const journal = memoryJournal()
    const asking = tool({ name: 'look', permission: 'ask', run: () => 1 })
    const sleepy = tool({ name: 'look', durable: true, run: (_, ctx) => ctx.sleep(3_600_000) })
    await worker(journal).run('go', { thread: 'ended' })
    await worker(journal, { tools: [asking] }).run('go', { thread: 'asks' })
    await worker(journal, { tools: [sleepy] }).run('go', { thread: 'sleeps' })
    expect(await worker(journal).recover()).toEqual([])
  })

  test('drives on a sleeper when its time has come', async () => {
    const journal = memoryJournal()
    const clock = manualClock()
    const sleepy = tool({ name: 'look', durable: true, run: (_, ctx) => ctx.sleep(3_600_000) })
    const options = { tools: [sleepy], ports: { clock } }
    expect((await worker(journal, options).run('go', { thread: 't' })).status).toBe('waiting')
    await clock.advance(3_600_000)
    expect(outcomes(await worker(journal, options).recover())).toEqual([['t', 'done']])
  })

  test('drives on a thread that was answered by a process which could not go on with it', async () => {
    const journal = memoryJournal()
    const asking = { tools: [tool({ name: 'look', permission: 'ask', run: () => 1 })] }
    const { questions } = await worker(journal, asking).run('go', { thread: 't' })
    const dying = mortalJournal(journal, { append: 1, when: 'after' })
    void agent({ name: 'worker', model: twoTurns(), ...asking, journal: dying.journal }).answer(questions[0]?.id ?? '', approve())
    await dying.died
    expect(outcomes(await worker(journal, asking).recover())).toEqual([['t', 'done']])
  })

  test('drives a tree from its root, though only the child had been running', async () => {
    const journal = memoryJournal()
    const child = agent({ name: 'child', model: scriptedModel(() => 'From below.') })
    const parent = { tools: [child], model: twoTurns('child') }
    for (let append = 1; append <= 9; append += 1) {
      const thread = `t${append}`
      await dieAt(journal, thread, append, parent)
      await worker(journal, parent).recover()
      expect((await factsOf({ journal }, thread, 'run.finished')).length).toBe(1)
      assertHistory(await eventsOf({ journal }, thread))
    }
  })

  test('leaves alone what a live driver has in flight, and what belongs to another agent', async () => {
    const journal = memoryJournal()
    let release: (value: string) => void = () => {}
    const slow = tool({ name: 'look', effect: 'read', run: () => new Promise<string>((resolve) => (release = resolve)) })
    const living = agent({ name: 'worker', model: twoTurns(), tools: [slow], journal })
    const run = living.start('go', { thread: 'held' })
    await until(async () => (await typesOf({ journal }, 'held')).includes('tool.started'))
    await dieAt(journal, 'other', 2, { name: 'somebody else' })
    const second = agent({ name: 'worker', model: twoTurns(), tools: [look], journal })
    expect(outcomes(await second.recover())).toEqual([['held', 'held']])
    release('seen')
    expect((await run.result()).status).toBe('done')
  })

  test('refuses a run whose dependencies are missing, and appends nothing', async () => {
    const journal = memoryJournal()
    const mortal = mortalJournal(journal, { append: 2, when: 'after' })
    agent<{ db: string }>()({ name: 'worker', model: twoTurns(), tools: [look], journal: mortal.journal }).start('go', {
      thread: 't',
      deps: { db: 'x' },
    })
    await mortal.died
    const before = await typesOf({ journal }, 't')
    const [refused] = await worker(journal).recover()
    expect(refused).toMatchObject({ thread: 't', status: 'refused', error: { code: 'LOOM_DEPS_MISSING' } })
    expect(await typesOf({ journal }, 't')).toEqual(before)
    expect(outcomes(await worker(journal, { deps: () => ({ db: 'x' }) }).recover())).toEqual([['t', 'done']])
  })

  describe('of a tree', () => {
    const ask = tool({ name: 'ask', permission: 'ask', effect: 'read', run: () => 'asked' })
    const nap = tool({ name: 'nap', durable: true, effect: 'idempotent', run: (_, ctx) => ctx.sleep(3_600_000) })
    const sleeper = agent({ name: 'sleeper', model: twoTurns('nap'), tools: [nap] })

    /** Asks, and runs a child meanwhile. */
    const asking = (child: string) =>
      scriptedModel(({ prompt }) =>
        prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool: 'ask' }, { tool: child, input: { prompt: 'go' } }] },
      )

    /** A parent that fails when its question is answered, while its child sleeps; and the sleeper, whose time has come. */
    async function failedParent({ above }: { above: boolean }) {
      const journal = memoryJournal()
      const ports = { clock: manualClock() }
      let isDown = false
      const instructions = async (): Promise<string> => {
        if (isDown) throw new Error('The service that keeps the instructions is down.')
        return 'Be kind.'
      }
      const parent = { name: 'parent', model: asking('sleeper'), tools: [ask, sleeper], instructions }
      const root = above ? { model: asking('parent'), tools: [ask, agent(parent)] } : { ...parent, name: 'worker' }
      const process = () => worker(journal, { ...root, ports })
      const { questions } = await process().run('go', { thread: 't' })
      const thread = above ? ((await factsOf({ journal }, 't', 'child.started'))[0]?.data.child ?? '') : 't'
      isDown = true
      await process().answer(questions.find((question) => question.thread === thread)?.id ?? '', approve())
      await until(async () => (await journal.head(thread))?.summary.status === 'failed')
      isDown = false
      await ports.clock.advance(3_600_000)
      const [started] = await factsOf({ journal }, thread, 'child.started')
      return { journal, process, sleeping: started?.data.child ?? '' }
    }

    test('whose root failed leaves a child as it is: the root can be resumed, and goes on with it', async () => {
      const { journal, process, sleeping } = await failedParent({ above: false })
      expect(await process().recover()).toEqual([])
      expect((await journal.head('t'))?.summary.status).toBe('failed')
      expect(await process().resume('t').result()).toMatchObject({ status: 'done', text: 'Done.' })
      expect(await typesOf({ journal }, sleeping)).toContain('run.finished')
    })

    test('whose root failed stops a child once another run of the root has ended', async () => {
      const { journal, process, sleeping } = await failedParent({ above: false })
      await worker(journal, { model: scriptedModel(() => 'Another one.') }).run('next', { thread: 't' })
      expect(await process().recover()).toEqual([])
      expect(await typesOf({ journal }, sleeping)).toContain('run.stopped')
    })

    test('stops the child of a child that failed: its parent has the failure as its result', async () => {
      const { journal, process, sleeping } = await failedParent({ above: true })
      await process().recover()
      expect(await typesOf({ journal }, sleeping)).toContain('run.stopped')
      expect((await journal.head('t'))?.summary.status).toBe('waiting')
    })
  })

  test('looks again every so often until the signal is aborted', async () => {
    const journal = memoryJournal()
    const clock = manualClock()
    const stop = new AbortController()
    const reported: string[] = []
    const watching = worker(journal, { ports: { clock } }).recover({
      every: 1000,
      signal: stop.signal,
      onRecovered: ({ thread }) => reported.push(thread),
    })
    await clock.advance(10)
    await dieAt(journal, 'late', 2)
    await clock.advance(1000)
    await until(() => reported.length > 0)
    expect(reported).toEqual(['late'])
    stop.abort()
    await watching
    expect(clock.timers).toBe(0)
  })

  test.each([undefined, 1000])('resolves when the signal is aborted, while a thread goes on (every %s)', async (every) => {
    const journal = memoryJournal()
    for (const thread of ['quick', 'slow']) await dieAt(journal, thread, 1)
    const gate = Promise.withResolvers<string>()
    const started = Promise.withResolvers<void>()
    const gated = tool({
      name: 'look',
      effect: 'read',
      run: (_, { thread }) => {
        if (thread === 'quick') return 'seen'
        started.resolve()
        return gate.promise
      },
    })
    const stop = new AbortController()
    const reported: string[] = []
    const onRecovered = ({ thread, status }: Recovered): void => void reported.push(`${thread} ${status}`)
    const clock = manualClock()
    const recovering = worker(journal, { tools: [gated], ports: { clock } }).recover({ ...(every && { every }), signal: stop.signal, onRecovered })
    await started.promise
    await until(() => reported.length === 1)
    stop.abort()
    expect(outcomes(await recovering)).toEqual([['quick', 'done']])
    gate.resolve('seen')
    await until(() => reported.length === 2)
    expect(reported).toEqual(['quick done', 'slow done'])
    expect(clock.timers).toBe(0)
  })

  test('takes no thread when the signal was aborted before, and looks no more when the process drains', async () => {
    const journal = memoryJournal()
    await dieAt(journal, 't', 1)
    expect(await worker(journal).recover({ signal: AbortSignal.abort() })).toEqual([])
    expect(await typesOf({ journal }, 't')).not.toContain('driver.acquired')
    const clock = manualClock()
    const draining = worker(journal, { ports: { clock } })
    const reported: string[] = []
    const recovering = draining.recover({ every: 1000, onRecovered: ({ status }) => reported.push(status) })
    await until(() => reported.length === 1)
    await draining.drain()
    expect(await recovering).toEqual([])
    expect([reported, clock.timers]).toEqual([['done'], 0])
  })

  test.each([0, -1, Number.NaN])('refuses to look every %d milliseconds', async (every) => {
    await expect(worker(memoryJournal()).recover({ every })).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
  })
})

describe('new code on an old run', () => {
  test('is a fact on the journal', async () => {
    const journal = memoryJournal()
    await dieAt(journal, 't', 3)
    const changed = worker(journal, { instructions: 'New instructions.' })
    expect((await changed.resume('t').result()).status).toBe('done')
    const [upgraded] = await factsOf({ journal }, 't', 'agent.upgraded')
    const [started] = await factsOf({ journal }, 't', 'run.started')
    const from = started && 'request' in started.data ? started.data.request.agent.fingerprint : ''
    expect(upgraded?.data.from).toBe(from)
    expect(upgraded?.data.to).not.toBe(from)
    assertHistory(await eventsOf({ journal }, 't'))
  })

  test('is reported also when only the shape of the answer is another', async () => {
    const journal = memoryJournal()
    await dieAt(journal, 't', 3)
    const output = z.object({ sum: z.number() })
    const changed = agent({ name: 'worker', model: twoTurns(), tools: [look], output, journal: mortalJournal(journal).journal })
    await changed.resume('t').result()
    expect(await factsOf({ journal }, 't', 'agent.upgraded')).toHaveLength(1)
  })

  test('the same code is no news', async () => {
    const journal = memoryJournal()
    await dieAt(journal, 't', 3)
    await worker(journal).resume('t').result()
    expect(await factsOf({ journal }, 't', 'agent.upgraded')).toEqual([])
  })
})

test('a follower of a driver that dies takes the thread over', async () => {
  const journal = memoryJournal()
  const clock = manualClock()
  const slow = tool({ name: 'look', effect: 'read', run: () => new Promise<string>(() => {}) })
  const first = mortalJournal(journal)
  agent({ name: 'worker', model: twoTurns(), tools: [slow], journal: first.journal }).start('go', { thread: 't' })
  await until(async () => (await typesOf({ journal }, 't')).includes('tool.started'))
  // A journal on which the first driver holds the thread until its lease is over.
  let leased = true
  const shared: Journal = {
    ...journal,
    acquire: async (thread, claim) =>
      leased ? { kind: 'held', epoch: claim.seen, holder: 'first' } : journal.acquire(thread, { ...claim, force: true }),
  }
  const follower = agent({ name: 'worker', model: twoTurns(), tools: [look], journal: shared, ports: { clock } }).resume('t')
  // The code that follows is loaded on use: time passes once it waits.
  await until(() => clock.timers > 0)
  await clock.advance(30_000)
  first.kill()
  leased = false
  await clock.advance(10_000)
  expect((await follower.result()).status).toBe('done')
  expect(clock.timers).toBe(0)
})

test('a start that was on its way when its process died and another looked is not made twice by a caller that asks for it on condition', async () => {
  const stored = memoryJournal()
  // What the dead process had sent reaches the tables when the next one has looked, and before it begins.
  const { promise: looked, resolve: hasLooked } = Promise.withResolvers<void>()
  const late: Journal = { ...stored, append: async (thread, batch) => looked.then(() => stored.append(thread, batch)) }
  const mortal = mortalJournal(late, { append: 1, when: 'after' })
  agent({ name: 'worker', model: twoTurns(), tools: [look], journal: mortal.journal }).start('go', { thread: 't' })
  const next: Journal = {
    ...stored,
    async append(thread, batch) {
      hasLooked()
      await mortal.died
      return stored.append(thread, batch)
    },
  }
  const second = agent({ name: 'worker', model: twoTurns(), tools: [look], journal: next })
  expect(await stored.head('t')).toBeUndefined()
  await expect(second.start('go', { thread: 't', whenBusy: 'reject' }).result()).rejects.toMatchObject({ code: 'LOOM_THREAD_BUSY' })
  expect((await second.resume('t').result()).status).toBe('done')
  expect(await factsOf(second, 't', 'run.started')).toHaveLength(1)
  expect(await factsOf(second, 't', 'run.queued')).toHaveLength(0)
})
