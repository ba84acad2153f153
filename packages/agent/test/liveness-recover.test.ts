/** Whatever can go on, goes on: recovery judges each thread alone. */
import { type Agent, type AgentOptions, agent, memoryJournal, pause, type Recovered, tool } from '@loom-agent/agent'
import { type Draft, type Journal, LoomError, type Summary } from '@loom-agent/kernel'
import { assertHistory, manualClock, mortalJournal } from '@loom-agent/testing'
import { describe, expect, test, vi } from 'vitest'
import { callsOnce } from '../../../test/support/calling-model.ts'
import { idle, until } from '../../../test/support/event-loop.ts'
import { eventsOf, factsOf, typesOf } from './journals.ts'

const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })

const worker = (journal: Journal, options: Partial<AgentOptions> = {}) =>
  agent({ name: 'worker', model: callsOnce('look'), tools: [look], ...options, journal: mortalJournal(journal).journal })

/** A thread that a process has left unfinished. */
async function unfinished(journal: Journal, thread: string): Promise<void> {
  const mortal = mortalJournal(journal, { append: 2, when: 'after' })
  agent({ name: 'worker', model: callsOnce('look'), tools: [look], journal: mortal.journal }).start('go', { thread })
  await mortal.died
}

/** A thread of one event, with a summary of its own. */
async function putThread(journal: Journal, thread: string, summary: Summary): Promise<void> {
  const incarnation = `of ${thread}`
  const started = { type: 'thread.started', data: { agent: 'worker', incarnation } } as const
  await journal.append(thread, { id: thread, incarnation, expected: 0, time: 0, events: [started], summary })
}

/** A child at work whose parent has ended without it, or has done something else since; returns the child. */
async function orphan(journal: Journal, then: readonly Draft[] = [], status: Summary['status'] = 'stopped'): Promise<string> {
  const slow = tool({ name: 'slow', effect: 'read', run: () => new Promise<string>(() => {}) })
  const child = agent({ name: 'child', model: callsOnce('slow'), tools: [slow] })
  const mortal = mortalJournal(journal)
  agent({ name: 'worker', model: callsOnce('child'), tools: [child], journal: mortal.journal }).start('go', { thread: 'parent' })
  await until(async () => (await journal.threads({ parent: 'parent' })).length > 0)
  const [head] = await journal.threads({ parent: 'parent' })
  await until(async () => (await typesOf({ journal }, head?.thread ?? '')).includes('tool.started'))
  mortal.kill()
  const parent = await journal.head('parent')
  if (!head || !parent) throw new Error('there is no child')
  const ended: Draft = { type: 'run.stopped', data: { kind: 'cancelled', reason: 'enough' } }
  const summary = { ...parent.summary, status }
  const { incarnation, seq: expected, epoch } = parent
  await journal.append('parent', { id: 'end', incarnation, expected, epoch, time: 0, events: [ended, ...then], summary })
  return head.thread
}

describe('recover', () => {
  test('stops a child that its parent has left behind, also where the parent goes on with another run that waits (ORPHAN-1)', async () => {
    const stored = memoryJournal()
    const request = { input: [], agent: { name: 'worker', fingerprint: '' }, model: 'scripted/script', limits: { turns: 5 } }
    const next: Draft = { type: 'run.started', data: { run: 'r2', request } }
    const child = await orphan(
      stored,
      [next, { type: 'run.pause-requested', data: {} }, { type: 'run.suspended', data: { reason: 'paused' } }],
      'waiting',
    )
    const before = (await stored.head('parent'))?.seq
    await worker(stored).recover()
    expect((await stored.head(child))?.summary.status).toBe('stopped')
    expect((await stored.head('parent'))?.seq).toBe(before)
  })

  test('drives on all other threads when a child that nobody waits for is damaged, and reports the child', async () => {
    const stored = memoryJournal()
    const child = await orphan(stored)
    await unfinished(stored, 't')
    const damaged: Journal = {
      ...stored,
      read: async (thread, range) => {
        if (thread === child) throw new LoomError('LOOM_JOURNAL_DAMAGED', `${child} is damaged.`)
        return stored.read(thread, range)
      },
    }
    const recovered = await worker(damaged).recover()
    expect(recovered.map(({ thread, status, error }) => [thread, status, error?.code]).toSorted()).toEqual(
      [
        ['t', 'done', undefined],
        [child, 'refused', 'LOOM_JOURNAL_DAMAGED'],
      ].toSorted(),
    )
  })

  test('drives on all other threads when the head of one cannot be read', async () => {
    const stored = memoryJournal()
    const child = await orphan(stored)
    await unfinished(stored, 't')
    const damaged: Journal = {
      ...stored,
      head: async (thread) => {
        if (thread === 'parent') throw new LoomError('LOOM_JOURNAL_DAMAGED', 'parent is damaged.')
        return stored.head(thread)
      },
    }
    const recovered = await worker(damaged).recover()
    expect(recovered.map(({ thread, status }) => `${thread} ${status}`).toSorted()).toEqual([`${child} refused`, 't done'].toSorted())
  })

  test('reports a thread whose record names itself, or each other, as its parent, and drives on all other threads', async () => {
    const journal = memoryJournal()
    for (const [thread, parent] of Object.entries({ self: 'self', one: 'two', two: 'one' })) {
      await putThread(journal, thread, { status: 'running', agent: 'worker', parent })
    }
    await unfinished(journal, 't')
    const recovered = await worker(journal).recover()
    expect(recovered.map(({ thread, status, error }) => [thread, status, error?.code]).toSorted()).toEqual([
      ['one', 'refused', 'LOOM_THREAD_UNREADABLE'],
      ['self', 'refused', 'LOOM_THREAD_UNREADABLE'],
      ['t', 'done', undefined],
      ['two', 'refused', 'LOOM_THREAD_UNREADABLE'],
    ])
  })

  test('stops a child that waits for an answer when its parent has ended without it', async () => {
    const journal = memoryJournal()
    const send = tool({ name: 'send', permission: 'ask', run: () => 'sent' })
    const child = agent({ name: 'child', model: callsOnce('send'), tools: [send] })
    const parent = agent({ name: 'worker', model: callsOnce('child'), tools: [child], journal })
    expect((await parent.run('go', { thread: 'parent' })).status).toBe('waiting')
    const [waiting] = await journal.threads({ parent: 'parent' })
    const head = await journal.head('parent')
    if (!waiting || !head) throw new Error('there is no child')
    const ended = { type: 'run.stopped', data: { kind: 'cancelled', reason: 'enough' } } as const
    const { incarnation, seq: expected, summary } = head
    const batch = { id: 'end', incarnation, expected, time: 0, events: [ended], summary: { ...summary, status: 'stopped' } } as const
    expect((await journal.append('parent', batch)).kind).toBe('appended')
    await worker(journal, { tools: [child] }).recover()
    expect((await journal.head(waiting.thread))?.summary.status).toBe('stopped')
  })

  test('that repeats says nothing more once its process drains', async () => {
    const stored = memoryJournal()
    for (const thread of ['t1', 't2', 't3']) await unfinished(stored, thread)
    const { promise: looked, resolve: look } = Promise.withResolvers<void>()
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const journal: Journal = {
      ...stored,
      async threads(query) {
        look()
        await gate
        return stored.threads(query)
      },
    }
    const said: unknown[] = []
    const draining = worker(journal)
    const recovering = draining.recover({ every: 10, onError: (error) => said.push(error), onRecovered: (outcome) => said.push(outcome) })
    await looked
    await draining.drain()
    open()
    expect(await recovering).toEqual([])
    expect(said).toEqual([])
  })

  test('does not look at all threads again for each one that waits', async () => {
    let looked = 0
    // The journal asks for the time with every head that it looks at.
    const journal = memoryJournal({ now: () => (looked += 1) })
    const many = 300
    for (let n = 0; n < many; n += 1) await putThread(journal, `w${n}`, { status: 'waiting', agent: 'worker' })
    looked = 0
    expect(await worker(journal).recover()).toEqual([])
    expect(looked).toBeGreaterThan(many)
    expect(looked).toBeLessThan(10 * many)
  })

  test.each([
    [
      'throw',
      () => {
        throw new Error('of the caller')
      },
    ],
    ['reject', async () => Promise.reject(new Error('of the caller'))],
  ])('goes on when its callbacks %s', async (_how, callback) => {
    const stored = memoryJournal()
    const clock = manualClock()
    await unfinished(stored, 't')
    let looks = 0
    const called = vi.fn(callback)
    const journal: Journal = {
      ...stored,
      threads: async (query) => {
        looks += 1
        if (looks === 1) throw new LoomError('LOOM_JOURNAL_UNAVAILABLE', 'The journal cannot be reached.')
        return stored.threads(query)
      },
    }
    const stop = new AbortController()
    const recovering = worker(journal, { ports: { clock } }).recover({ every: 1000, signal: stop.signal, onError: called, onRecovered: called })
    await until(() => looks === 1)
    await clock.advance(1000)
    await until(() => called.mock.calls.length === 2)
    stop.abort()
    await expect(recovering).resolves.toBeDefined()
    expect(called.mock.calls).toMatchObject([[{ code: 'LOOM_JOURNAL_UNAVAILABLE' }], [{ thread: 't', status: 'done' }]])
  })

  test('that repeats without onError warns of looks that fail, once until the message changes', async () => {
    const stored = memoryJournal()
    const clock = manualClock()
    const failures = ['away', 'away', 'broken', undefined, 'broken']
    let looks = 0
    const journal: Journal = {
      ...stored,
      threads: async (query) => {
        if (query?.status !== 'running') return stored.threads(query)
        const failure = failures[looks]
        looks += 1
        if (failure !== undefined) throw new Error(`the journal is ${failure}`)
        return stored.threads(query)
      },
    }
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const stop = new AbortController()
    const recovering = worker(journal, { ports: { clock } }).recover({ every: 1000, signal: stop.signal })
    for (let n = 1; n <= failures.length; n += 1) {
      await until(() => looks === n)
      await clock.advance(1000)
    }
    stop.abort()
    await recovering
    const messages = warned.mock.calls.map(([message]) => /the journal is \w+/.exec(String(message))?.[0])
    warned.mockRestore()
    expect(messages).toEqual(['the journal is away', 'the journal is broken', 'the journal is broken'])
  })

  test('that repeats reports a journal that cannot be reached, and looks again all the same', async () => {
    const stored = memoryJournal()
    const clock = manualClock()
    await unfinished(stored, 't')
    let isAway = true
    const journal: Journal = {
      ...stored,
      threads: async (query) => {
        if (isAway) throw new LoomError('LOOM_JOURNAL_UNAVAILABLE', 'The journal cannot be reached.')
        return stored.threads(query)
      },
    }
    const stop = new AbortController()
    const errors: unknown[] = []
    const recovered: Recovered[] = []
    const recovering = worker(journal, { ports: { clock } }).recover({
      every: 1000,
      signal: stop.signal,
      onError: (error) => errors.push(error),
      onRecovered: (outcome) => recovered.push(outcome),
    })
    await until(() => errors.length === 1)
    await clock.advance(1000)
    await until(() => errors.length === 2)
    isAway = false
    await clock.advance(1000)
    await until(() => recovered.length === 1)
    expect(errors).toMatchObject([{ code: 'LOOM_JOURNAL_UNAVAILABLE' }, { code: 'LOOM_JOURNAL_UNAVAILABLE' }])
    stop.abort()
    await recovering
    expect(clock.timers).toBe(0)
  })
})

describe('a thread that ends every process which drives it', () => {
  /** Processes that recover one after another; each dies when it performs the call of the poisoned thread. */
  async function crash(unattended: 'wait' | 'deny') {
    const journal = memoryJournal()
    const innocent = ['a', 'b', 'y', 'z']
    const options = (kill: () => void): AgentOptions => ({
      name: 'worker',
      model: callsOnce('act'),
      behaviour: { unattended },
      tools: [
        tool({
          name: 'act',
          effect: 'read',
          // The others take longer: in a process that also drives the poisoned thread none of them ends.
          run: async (_input, { thread }) => {
            await idle(thread === 'poison' ? 50 : 500)
            if (thread === 'poison') kill()
            return 'acted'
          },
        }),
      ],
    })
    const first = mortalJournal(journal)
    const starting = agent({ ...options(first.kill), journal: first.journal })
    for (const thread of [...innocent, 'poison']) starting.start('go', { thread })
    await first.died
    for (let process = 0; process < 12; process += 1) {
      const mortal = mortalJournal(journal)
      const next = agent({ ...options(mortal.kill), journal: mortal.journal })
      const isDone = await Promise.race([next.recover().then(() => true), mortal.died.then(() => false)])
      if (isDone) break
    }
    return { journal, innocent }
  }

  test.each(['wait', 'deny'] as const)('parks itself, not its neighbours, and is not cancelled (unattended: %s)', async (unattended) => {
    const { journal, innocent } = await crash(unattended)
    for (const thread of innocent) {
      expect(await factsOf({ journal }, thread, 'question.asked')).toEqual([])
      expect(await factsOf({ journal }, thread, 'run.finished')).toHaveLength(1)
      assertHistory(await eventsOf({ journal }, thread))
    }
    expect((await factsOf({ journal }, 'poison', 'question.asked')).map(({ data }) => data.kind)).toEqual(['parked'])
    expect((await journal.head('poison'))?.summary.status).toBe('waiting')
    assertHistory(await eventsOf({ journal }, 'poison'))
  })
  /** Where code of the agent runs before the first commit of a driver. */
  const places: { readonly [place: string]: (enter: (thread: string) => Promise<void>) => Partial<AgentOptions> } = {
    deps: (enter) => ({ deps: ({ thread }: { readonly thread: string }) => enter(thread) }),
    instructions: (enter) => ({ instructions: ({ thread }) => enter(thread).then(() => '') }),
    'the context strategy': (enter) => ({ context: { name: 'fatal', assemble: ({ frame }) => enter(frame.thread).then(() => ({})) } }),
    'a hook before the turn': (enter) => ({ hooks: [{ beforeIterationStart: ({ thread }) => enter(thread) }] }),
  }

  test.each(Object.keys(places))('parks itself where it dies in %s, before anything of its driver is stored', async (place) => {
    const journal = memoryJournal()
    const process = (): { readonly mortal: ReturnType<typeof mortalJournal>; readonly worker: Agent } => {
      const mortal = mortalJournal(journal)
      const enter = async (thread: string): Promise<void> => {
        if (thread === 'poison') mortal.kill()
        // The other takes longer: in a process that also drives the poisoned thread it does not end.
        await idle(50)
      }
      return {
        mortal,
        worker: agent({ name: 'worker', model: callsOnce('look'), tools: [look], ...places[place]?.(enter), journal: mortal.journal }),
      }
    }
    const first = process()
    first.worker.start('go', { thread: 'poison' })
    await first.mortal.died
    await unfinished(journal, 'innocent')
    for (let [deaths, isDone] = [0, false]; !isDone && deaths < 12; deaths += 1) {
      const { mortal, worker } = process()
      isDone = await Promise.race([worker.recover().then(() => true), mortal.died.then(() => false)])
    }
    expect((await factsOf({ journal }, 'poison', 'question.asked')).map(({ data }) => data.kind)).toEqual(['parked'])
    expect((await journal.head('poison'))?.summary.status).toBe('waiting')
    expect(await factsOf({ journal }, 'innocent', 'question.asked')).toEqual([])
    expect((await journal.head('innocent'))?.summary.status).toBe('done')
    for (const thread of ['poison', 'innocent']) assertHistory(await eventsOf({ journal }, thread))
  })
})

/** A driver that asks about the run, suspends it and releases the thread. */
async function park(journal: Journal, thread: string): Promise<void> {
  const head = await journal.head(thread)
  if (!head) throw new Error('The thread is not there.')
  const { incarnation, seq, summary } = head
  const { epoch } = await journal.acquire(thread, { worker: 'parking', incarnation, seen: head.epoch, force: true })
  const events: Draft[] = [
    { type: 'driver.acquired', data: { epoch, worker: 'parking' } },
    { type: 'question.asked', data: { id: 'run:parked#1', kind: 'parked', prompt: 'Go on?' } },
    { type: 'run.suspended', data: { reason: 'question' } },
  ]
  const place = { id: 'parking', incarnation, expected: seq, time: 0, epoch, run: 'r1', turn: 1 }
  await journal.append(thread, { ...place, events, summary: { ...summary, status: 'waiting' } })
  await journal.release(thread, { incarnation, epoch })
}

test.each([
  ['paused', pause],
  ['parked', park],
] as const)('a run that is %s and whose child has lost its driver is left as it is, however often recovery looks', async (_, rest) => {
  const journal = memoryJournal()
  const hang = tool({ name: 'hang', effect: 'read', run: () => new Promise<string>(() => {}) })
  const boss = (on: Journal): Agent => {
    const child = agent({ name: 'child', model: callsOnce('hang'), tools: [hang] })
    return agent({ name: 'boss', model: callsOnce('child'), tools: [child], journal: on })
  }
  const process = mortalJournal(journal)
  boss(process.journal).start('go', { thread: 't' })
  await until(async () => (await journal.threads({ parent: 't' })).length === 1)
  process.kill()
  await rest(journal, 't')
  const next = boss(mortalJournal(journal).journal)
  await next.recover()
  const seen = (await journal.head('t'))?.seq
  expect((await journal.head('t'))?.summary.status).toBe('waiting')
  for (let look = 0; look < 3; look += 1) await next.recover()
  expect((await journal.head('t'))?.seq).toBe(seen)
})
