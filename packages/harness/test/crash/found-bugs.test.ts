/** Each of these was found by the crash matrix or the simulation, and reduced to the least that shows it. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { agent, approve, type Hook, memoryJournal, tool } from '@loom-agent/agent'
import { storedFrame } from '@loom-agent/agent/kit'
import { type Batch, isOver, type Journal, type LoomEvent } from '@loom-agent/kernel'
import { assertHistory, facts, given, manualClock, mortalJournal, scriptedModel, steadyModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { idle, until } from '../../../../test/support/event-loop.ts'
import { eventsOf, typesOf } from '../../../../test/support/threads.ts'

const ports = { random: () => 0 }
const calls = (...tools: readonly string[]) => ({ calls: tools.map((name) => ({ tool: name, input: { prompt: 'Go.' } })) })
const has = ({ events }: Batch, type: LoomEvent['type']): boolean => events.some((event) => event.type === type)

/** A journal whose appends wait for a guard. */
function guarded(journal: Journal, guard: (thread: string, batch: Batch) => Promise<void> | void): Journal {
  return {
    ...journal,
    async append(thread, batch) {
      await guard(thread, batch)
      return journal.append(thread, batch)
    },
  }
}

/** The journal of a process that dies as soon as such a batch is stored. */
function dyingAfter(journal: Journal, isLast: (thread: string, batch: Batch) => boolean): { journal: Journal; died: Promise<void> } {
  const mortal = mortalJournal(journal)
  const append: Journal['append'] = async (thread, batch) => {
    const result = await mortal.journal.append(thread, batch)
    if (!isLast(thread, batch)) return result
    mortal.kill()
    return new Promise(() => {})
  }
  return { journal: { ...mortal.journal, append }, died: mortal.died }
}

/** Appends an event as a contributor, without any check. */
async function contribute(journal: Journal, thread: string, event: Batch['events'][number]): Promise<void> {
  const { incarnation, seq, run, turn } = await storedFrame(journal, thread)
  await journal.append(thread, {
    id: crypto.randomUUID(),
    incarnation,
    expected: seq,
    time: Date.now(),
    run: run?.id,
    turn,
    events: [event],
    summary: { status: 'running' },
  })
}

const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
const asking = (journal: Journal) => {
  const child = agent({ name: 'child', model: steadyModel([calls('pay'), 'From the child.']), tools: [pay], ports })
  return agent({ name: 'parent', model: steadyModel([calls('child'), 'Done.']), tools: [child], journal, ports })
}
const childOf = async (journal: Journal): Promise<string> => (await journal.threads({ parent: 't' }))[0]?.thread ?? ''

test('a request to the model that was lost with its process is not one of its failed attempts', async () => {
  const journal = memoryJournal()
  const overloaded = Object.assign(new Error('overloaded'), { statusCode: 529 })
  let asked = 0
  const model = scriptedModel(() => {
    asked += 1
    return asked > 2 ? 'Hello.' : { throws: overloaded }
  })
  const first = dyingAfter(journal, (_, batch) => has(batch, 'model.requested'))
  agent({ model, journal: first.journal, ports }).start('Go.', { thread: 't' })
  await first.died
  const second = agent({ model, journal: mortalJournal(journal).journal, ports })
  expect((await second.resume('t').result()).status).toBe('done')
})

test('a child that waits is ended by the stop of its parent', async () => {
  const journal = memoryJournal()
  const run = asking(journal).start('Go.', { thread: 't' })
  expect((await run.result()).status).toBe('waiting')
  await run.stop('enough')
  expect((await run.result()).status).toBe('stopped')
  const child = await storedFrame(journal, await childOf(journal))
  expect({ status: child.run?.status, questions: Object.keys(child.questions) }).toEqual({ status: 'stopped', questions: [] })
})

test('a thread can be driven again after its journal has failed once', async () => {
  const journal = memoryJournal()
  let appends = 0
  const flaky = guarded(journal, () => {
    appends += 1
    if (appends === 2) throw new Error('disk full')
  })
  const talker = agent({ model: steadyModel(['Hello.']), journal: flaky, ports })
  await expect(talker.run('Go.', { thread: 't' })).rejects.toThrow('disk full')
  expect(await talker.resume('t').result()).toMatchObject({ status: 'done' })
})

test('a thread can be driven again after its journal has failed while an answer woke it', async () => {
  const journal = memoryJournal()
  let fails = false
  const flaky = guarded(journal, (_, batch) => {
    if (!fails || !has(batch, 'driver.acquired')) return
    fails = false
    throw new Error('disk full')
  })
  const payer = agent({ model: steadyModel([calls('pay'), 'Done.']), tools: [pay], journal: flaky, ports })
  const { questions } = await payer.run('Go.', { thread: 't' })
  fails = true
  await payer.answer(questions[0]?.id ?? '', approve())
  await idle()
  expect(await payer.resume('t').result()).toMatchObject({ status: 'done' })
})

test('a journal that fails under a child is no result of the child', async () => {
  const journal = memoryJournal()
  let fails = true
  const flaky = guarded(journal, (thread, batch) => {
    if (thread === 't' || !fails || !has(batch, 'model.requested')) return
    fails = false
    throw new Error('disk full')
  })
  const child = agent({ name: 'child', model: steadyModel(['From the child.']), ports })
  const parent = (on: Journal) => agent({ name: 'parent', model: steadyModel([calls('child'), 'Done.']), tools: [child], journal: on, ports })
  await parent(flaky)
    .run('Go.', { thread: 't' })
    .catch(() => {})
  await parent(mortalJournal(journal).journal).resume('t').result()
  const finished = (await eventsOf(journal, 't')).flatMap((event) => (event.type === 'tool.finished' ? [event.data.output.value] : []))
  expect(finished).toEqual(['From the child.'])
})

test('a driver that acquires a thread reads it before driving it', async () => {
  const journal = memoryJournal()
  const look = tool({ name: 'look', effect: 'read', run: async () => 'seen' })
  const looker = (on: Journal) => agent({ model: steadyModel([calls('look'), 'Done.']), tools: [look], journal: on, ports })
  const first = dyingAfter(journal, (_, batch) => has(batch, 'tool.started'))
  looker(first.journal).start('Go.', { thread: 't' })
  await first.died
  const slow = mortalJournal(journal).journal
  let overtaken = false
  const overtaking: Journal = {
    ...slow,
    async acquire(thread, claim) {
      if (!overtaken) {
        overtaken = true
        await looker(mortalJournal(journal).journal).resume('t').result()
      }
      return slow.acquire(thread, claim)
    },
  }
  await looker(overtaking).resume('t').result()
  await idle()
  assertHistory(await eventsOf(journal, 't'))
})

test('a driver that acquires a thread reads it before driving it, also when the driver before has continued under the same epoch', async () => {
  const journal = memoryJournal()
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const gate = tool({ name: 'gate', effect: 'read', run: (_input, { call }) => (call === '1.0' ? opened.then(() => 'open') : 'open') })
  const goer = (on: Journal) => agent({ model: steadyModel([calls('gate'), calls('gate'), 'Done.']), tools: [gate], journal: on, ports })
  const first = dyingAfter(journal, (_, batch) => has(batch, 'model.requested') && has(batch, 'tool.finished'))
  goer(first.journal).start('Go.', { thread: 't' })
  await until(async () => (await typesOf(journal, 't')).includes('tool.started'))
  const slow = mortalJournal(journal).journal
  const waiting: Journal = {
    ...slow,
    async acquire(thread, claim) {
      open()
      await first.died
      return slow.acquire(thread, claim)
    },
  }
  await goer(waiting).resume('t').result()
  assertHistory(await eventsOf(journal, 't'))
})

test('a run that two processes resume is resumed once', async () => {
  const journal = memoryJournal()
  const gates = new Map<string, () => void>()
  const gate = tool({ name: 'gate', effect: 'read', run: (_input, { call }) => new Promise<string>((open) => gates.set(call, () => open('open'))) })
  const pauser = (on: Journal) => agent({ model: steadyModel([calls('gate'), calls('gate'), 'Done.']), tools: [gate], journal: on, ports })
  const first = pauser(journal).start('Go.', { thread: 't' })
  await idle()
  await first.pause()
  gates.get('1.0')?.()
  expect((await first.result()).status).toBe('waiting')
  const slow = mortalJournal(journal).journal
  let overtaken = false
  const overtaking: Journal = {
    ...slow,
    async acquire(thread, claim) {
      if (!overtaken) {
        overtaken = true
        pauser(mortalJournal(journal).journal).resume('t')
        await idle()
      }
      return slow.acquire(thread, claim)
    },
  }
  const second = pauser(overtaking).resume('t')
  await idle(20)
  gates.get('2.0')?.()
  await second.result()
  assertHistory(await eventsOf(journal, 't'))
})

test('a slow journal does not make a stopped run a failed one', async () => {
  const journal = memoryJournal()
  const look = tool({ name: 'look', effect: 'read', run: async () => 'seen' })
  const hook: Hook = { afterToolExecution: async () => ({ output: { type: 'text', value: 'seen!' } }) }
  const hooked = (on: Journal) =>
    agent({ model: steadyModel([calls('look'), 'Done.']), tools: [look], hooks: [hook], behaviour: { grace: 5 }, journal: on, ports })
  const first = dyingAfter(journal, (_, batch) => has(batch, 'tool.finished'))
  hooked(first.journal).start('Go.', { thread: 't' })
  await first.died
  await contribute(journal, 't', { type: 'run.stop-requested', data: { reason: 'enough' } })
  const slow = guarded(mortalJournal(journal).journal, (_, batch) => (has(batch, 'hook.applied') ? idle(40) : undefined))
  await hooked(slow).resume('t').result()
  await idle(80)
  assertHistory(await eventsOf(journal, 't'))
})

test('recovery finds a thread whose child has ended while its parent had no driver', async () => {
  const journal = memoryJournal()
  const first = dyingAfter(journal, (thread, batch) => thread !== 't' && has(batch, 'run.finished'))
  const slow: Journal = {
    ...first.journal,
    async append(thread, batch) {
      const result = await first.journal.append(thread, batch)
      return thread === 't' && has(batch, 'run.suspended') ? new Promise(() => {}) : result
    },
  }
  asking(slow).start('Go.', { thread: 't' })
  await until(async () => (await storedFrame(journal, 't')).run?.status === 'suspended')
  const child = await childOf(journal)
  const [question = ''] = Object.keys((await storedFrame(journal, child)).questions)
  await contribute(journal, child, { type: 'question.answered', data: { id: question, answer: { kind: 'approve' } } })
  await first.died
  expect((await storedFrame(journal, 't')).run?.status).toBe('suspended')
  await asking(mortalJournal(journal).journal).recover()
  expect((await storedFrame(journal, 't')).run?.status).toBe('finished')
})

test('the history checker knows that a new driver may have run a read before it learns of a stop', async () => {
  const journal = memoryJournal()
  const look = tool({ name: 'look', effect: 'read', run: async () => 'seen' })
  const looker = (on: Journal) => agent({ model: steadyModel([calls('look'), 'Done.']), tools: [look], journal: on, ports })
  const first = dyingAfter(journal, (_, batch) => has(batch, 'tool.started'))
  looker(first.journal).start('Go.', { thread: 't' })
  await first.died
  let stopped = false
  const racing = guarded(mortalJournal(journal).journal, async (_, batch) => {
    if (stopped || !has(batch, 'driver.acquired')) return
    stopped = true
    await contribute(journal, 't', { type: 'run.stop-requested', data: { reason: 'enough' } })
  })
  expect((await looker(racing).resume('t').result()).status).toBe('stopped')
  assertHistory(await eventsOf(journal, 't'))
})

test('a driver that is fenced does not stop the children of its thread', async () => {
  const journal = memoryJournal()
  const { promise: open, resolve } = Promise.withResolvers<void>()
  const { promise: held } = Promise.withResolvers<void>()
  const gate = tool({ name: 'gate', effect: 'read', run: () => open.then(() => 'open') })
  const child = agent({ name: 'child', model: scriptedModel({ text: 'Never.', until: held }), ports })
  const parent = agent({ name: 'parent', model: steadyModel([calls('child', 'gate'), 'Done.']), tools: [child, gate], journal, ports })
  parent.start('Go.', { thread: 't' })
  await idle(20)
  const { incarnation = '' } = (await journal.head('t')) ?? {}
  expect((await journal.acquire('t', { worker: 'another', incarnation, seen: 1, force: true })).kind).toBe('acquired')
  resolve()
  await idle(20)
  const types = (await eventsOf(journal, await childOf(journal))).map(({ type }) => type)
  expect(types).toContain('model.requested')
  expect(types).not.toContain('run.stop-requested')
})

test('a model is not sent what a driver had received before it was fenced', async () => {
  const journal = memoryJournal()
  const add = tool({ name: 'add', effect: 'pure', run: () => 4 })
  const talker = (on: Journal, ...says: Parameters<typeof steadyModel>[0]) => {
    const model = steadyModel(says)
    return { model, talker: agent({ model, tools: [add], journal: on, ports }) }
  }
  const overtaken = guarded(journal, async (_, batch) => {
    if (!has(batch, 'model.replied') || batch.epoch !== 1) return
    await talker(mortalJournal(journal).journal, 'From another process.').talker.resume('t').result()
  })
  const first = talker(overtaken, calls('add'), 'And that is all.')
  await first.talker.run('First.', { thread: 't' })
  await first.talker.run('Second.', { thread: 't' })
  const sent = first.model.requests.at(-1)?.prompt.map(({ role, content }) => [role, JSON.stringify(content)])
  expect(sent).toEqual([
    ['user', expect.stringContaining('First.')],
    ['assistant', expect.stringContaining('From another process.')],
    ['user', expect.stringContaining('Second.')],
  ])
})

test('a model is sent every steered message, also one of higher priority that comes while its request is made', async () => {
  const journal = memoryJournal()
  const { promise: open, resolve } = Promise.withResolvers<void>()
  const gate = tool({ name: 'gate', effect: 'read', run: () => open.then(() => 'open') })
  const model = steadyModel([calls('gate'), 'Done.'])
  let urgent = false
  const racing = guarded(journal, async (_, batch) => {
    if (urgent || !batch.events.some((event) => event.type === 'turn.entered' && event.data.turn === 2)) return
    urgent = true
    const message = { role: 'user', parts: [{ type: 'text', text: 'Urgent.' }] } as const
    await contribute(journal, 't', { type: 'message.steered', data: { message, priority: 5 } })
  })
  const run = agent({ model, tools: [gate], journal: racing, ports }).start('Go.', { thread: 't' })
  await idle()
  await run.steer('By the way.')
  resolve()
  await run.result()
  const words = model.requests.at(-1)?.prompt.flatMap(({ role, content }) => (role === 'user' ? [JSON.stringify(content)] : []))
  expect(words).toEqual([expect.stringContaining('Go.'), expect.stringContaining('Urgent.'), expect.stringContaining('By the way.')])
})

test('a child may take longer than a tool', async () => {
  const journal = memoryJournal()
  const clock = manualClock()
  const { promise: open, resolve } = Promise.withResolvers<void>()
  const child = agent({ name: 'child', model: scriptedModel({ text: 'From the child.', until: open }), behaviour: { modelIdle: 600_000 } })
  const parent = agent({ name: 'parent', model: steadyModel([calls('child'), 'Done.']), tools: [child], journal, ports: { ...ports, clock } })
  const run = parent.start('Go.', { thread: 't' })
  await clock.advance(180_000)
  resolve()
  await run.result()
  const { run: ended } = await storedFrame(journal, await childOf(journal))
  expect(ended && isOver(ended) && ended.status).toBe('finished')
})

test('a paused run does not ask the model again when the time for another attempt has come', async () => {
  const clock = manualClock()
  const overloaded = Object.assign(new Error('overloaded'), { statusCode: 529 })
  const model = scriptedModel((_request, number) => (number > 1 ? 'Hello.' : { throws: overloaded }))
  const run = agent({ model, ports: { clock, random: () => 0.5 } }).start('Go.', { thread: 't' })
  await clock.advance(0)
  await run.pause()
  await clock.advance(60_000)
  expect({ ...(await run.result()), asked: model.requests.length }).toMatchObject({ status: 'waiting', asked: 1 })
})

test('a paused run does not ask the model again, even if the time for it comes while the pause is being written', async () => {
  const clock = manualClock()
  const { promise: written, resolve: write } = Promise.withResolvers<void>()
  const overloaded = Object.assign(new Error('overloaded'), { statusCode: 529 })
  const model = scriptedModel((_request, number) => (number > 1 ? 'Hello.' : { throws: overloaded }))
  const journal = guarded(memoryJournal(), (_, batch) => (has(batch, 'run.suspended') ? written : undefined))
  const run = agent({ model, journal, ports: { clock, random: () => 0.5 } }).start('Go.', { thread: 't' })
  await clock.advance(0)
  await run.pause()
  await clock.advance(60_000)
  write()
  await clock.advance(0)
  expect({ ...(await run.result()), asked: model.requests.length }).toMatchObject({ status: 'waiting', asked: 1 })
  assertHistory(await eventsOf(journal, 't'))
})

test('recovery ends a child that was started when its parent no longer waited for it', async () => {
  const journal = memoryJournal()
  const { promise: frozen, resolve: thaw } = Promise.withResolvers<void>()
  const first = dyingAfter(journal, (thread) => thread !== 't')
  let isStarting = false
  const zombie = guarded(first.journal, (thread) => {
    if (thread === 't') return
    isStarting = true
    return frozen
  })
  asking(zombie).start('Go.', { thread: 't' })
  await until(() => isStarting)
  await contribute(journal, 't', { type: 'run.stop-requested', data: { reason: 'enough' } })
  const second = asking(mortalJournal(journal).journal)
  expect((await second.resume('t').result()).status).toBe('stopped')
  thaw()
  await first.died
  await second.recover()
  expect((await storedFrame(journal, await childOf(journal))).run?.status).toBe('stopped')
})

test('a durable body that waits is forgotten until its answer comes', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let held: WeakRef<object> | undefined
  const hold = tool({
    name: 'hold',
    durable: true,
    async run(_input, ctx) {
      const big = { words: ['a', 'lot'] }
      held = new WeakRef(big)
      await ctx.ask('Go on?')
      return big.words.length
    },
  })
  const holder = agent({ model: steadyModel([calls('hold'), 'Done.']), tools: [hold], ports: { ...ports, development: false } })
  expect((await holder.run('Go.')).status).toBe('waiting')
  for (let round = 0; round < 5 && held?.deref(); round += 1) {
    await idle()
    collect()
  }
  expect(held?.deref()).toBeUndefined()
})

test('the end of a child that outlasts the grace period of its parent is not written to a run that is over', async () => {
  const journal = memoryJournal()
  let began = false
  const deaf = tool({
    name: 'deaf',
    effect: 'read',
    run: () => {
      began = true
      return new Promise(() => {})
    },
  })
  const child = agent({ name: 'child', model: steadyModel([calls('deaf'), 'Done.']), tools: [deaf], behaviour: { grace: 60 } })
  const model = steadyModel([calls('child'), () => ({ text: 'Done.', until: until(childIsOver) })])
  const childIsOver = async (): Promise<boolean> => (await typesOf(journal, await childOf(journal))).includes('run.stopped')
  const parent = agent({ name: 'parent', model, tools: [child], behaviour: { grace: 5 }, journal, ports })
  const run = parent.start('Go.', { thread: 't' })
  await until(() => began)
  const next = parent.start('And then?', { thread: 't' })
  await run.stop('enough')
  await next.result()
  assertHistory(await eventsOf(journal, 't'))
})

test('attempts are counted from 1, also when a run is resumed whose last request was lost', () => {
  const parked = { id: 'run:parked#1', kind: 'parked', prompt: 'Go on?' } as const
  given(...facts.started('Hi'), facts.turn(1), facts.assembled(), facts.requested(1))
    .when({ type: 'driver.acquired', data: { epoch: 2, worker: 'another' } }, { type: 'question.asked', data: parked })
    .when(
      { type: 'run.suspended', data: { reason: 'question' } },
      { type: 'question.answered', data: { id: parked.id, answer: { kind: 'approve' } } },
    )
    .when({ type: 'driver.acquired', data: { epoch: 3, worker: 'a third' } }, { type: 'run.resumed', data: { cause: 'ready' } })
    .when({ type: 'model.failed', data: { attempt: 1, error: { code: 'LOOM_MODEL_LOST', message: 'gone', recoverable: true }, retryAt: 0 } })
    .thenDecides({ kind: 'call-model', attempt: 1 })
})

test('two resumptions in one process do not fence each other, however late the journal returns the claim', async () => {
  const shared = memoryJournal()
  const first = dyingAfter(shared, (_thread, batch) => has(batch, 'run.started'))
  agent({ model: steadyModel(['Never said.']), journal: first.journal, ports }).start('Go.', { thread: 't' })
  await first.died
  const { journal } = mortalJournal(shared)
  let asked = 0
  const late: Journal = {
    ...journal,
    async acquire(thread, claim) {
      asked += 1
      const passes = asked === 1 ? 40 : 0
      const answer = await journal.acquire(thread, claim)
      await idle(passes)
      return answer
    },
  }
  const second = agent({ model: steadyModel(['Hello.']), journal: late, ports })
  const results = await Promise.all([second.resume('t').result(), second.resume('t').result()])
  expect(results.map(({ text }) => text)).toEqual(['Hello.', 'Hello.'])
  expect((await shared.head('t'))?.epoch).toBe(1)
})

/** A thread whose first run is over and whose second is queued: its driver died between them. */
async function diedBetweenRuns(options: { deps?: object }): Promise<Journal> {
  const shared = memoryJournal()
  const first = dyingAfter(shared, (_thread, batch) => has(batch, 'run.finished'))
  const queued = Promise.withResolvers<void>()
  const worker = agent({
    name: 'worker',
    model: steadyModel([calls('hold'), 'One.']),
    tools: [tool({ name: 'hold', effect: 'read', run: () => queued.promise })],
    journal: guarded(first.journal, (_thread, batch) => void (has(batch, 'run.queued') && queued.resolve())),
    ports,
  })
  worker.start('First.', { thread: 't' })
  worker.start('Second.', { thread: 't', whenBusy: 'queue', ...options } as { thread: string })
  await first.died
  return mortalJournal(shared).journal
}

test('resuming starts a queued run whose driver died before it started', async () => {
  const second = agent({ name: 'worker', model: steadyModel(['Two.']), journal: await diedBetweenRuns({}), ports })
  expect(await second.resume('t').result()).toMatchObject({ status: 'done', text: 'Two.' })
})

test('a queued run that needs dependencies is not started without them, and is left unchanged', async () => {
  const journal = await diedBetweenRuns({ deps: {} })
  const second = agent({ name: 'worker', model: steadyModel(['Two.']), journal, ports })
  expect(await second.recover()).toMatchObject([{ thread: 't', status: 'refused', error: { code: 'LOOM_DEPS_MISSING' } }])
  expect((await storedFrame(journal, 't')).queue).toHaveLength(1)
})
