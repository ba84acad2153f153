/** A start happens once (START-1, START-2): said again, it attaches to the run that is there. */
import { type AgentOptions, agent, approve, isSignal, memoryJournal, type RunHandle, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { assertHistory, manualClock, mortalJournal, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { idle, until } from '../../../test/support/event-loop.ts'
import { eventsOf, factsOf, typesOf } from './journals.ts'

const echo = () => scriptedModel(({ prompt }) => `reply ${prompt.filter(({ role }) => role === 'user').length}`)
const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
const paying = () => scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool: 'pay' }] }))

const clerk = (journal: Journal, options: Partial<AgentOptions> = {}) => agent({ name: 'clerk', model: echo(), journal, ...options })

async function startsOn(journal: Journal, thread: string): Promise<number> {
  const events = await eventsOf(journal, thread)
  assertHistory(events)
  return events.filter((event) => event.type === 'run.queued' || (event.type === 'run.started' && 'request' in event.data)).length
}

describe('a start with an id that is said again', () => {
  test('returns the result of the run that has finished, without another model call', async () => {
    const journal = memoryJournal()
    const model = echo()
    const first = await clerk(journal, { model }).run('hello', { thread: 't', id: 'order-1' })
    const again = await clerk(journal, { model }).run('hello', { thread: 't', id: 'order-1' })
    expect(again).toEqual(first)
    expect(model.requests).toHaveLength(1)
    expect(await startsOn(journal, 't')).toBe(1)
  })

  test('returns the result of an earlier run of the thread as it was', async () => {
    const journal = memoryJournal()
    const own = clerk(journal)
    const first = await own.run('one', { thread: 't', id: 'a' })
    await own.run('two', { thread: 't' })
    await own.run('three', { thread: 't', id: 'c' })
    expect(await own.run('one', { thread: 't', id: 'a' })).toEqual(first)
    expect(first).toMatchObject({ run: 'r1', text: 'reply 1' })
    expect(await startsOn(journal, 't')).toBe(3)
  })

  test('shows the events that the first handle showed, the start of the thread included (found: from the second event on)', async () => {
    const seqs = async (run: RunHandle, nested = false) => {
      const seen: string[] = []
      for await (const event of run.events({ nested })) if (!isSignal(event)) seen.push(`${event.thread}@${event.seq} ${event.type}`)
      return seen.toSorted()
    }
    const child = agent({ name: 'child', model: echo() })
    const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'ok' : { calls: [{ tool: 'child', input: { prompt: 'go' } }] }))
    const own = clerk(memoryJournal(), { model, tools: [child] })
    for (const nested of [false, true]) {
      const start = (id: string): RunHandle => own.start('one', { thread: `t${nested}`, id })
      const [first, later] = [await seqs(start('a'), nested), await seqs(start('b'), nested)]
      expect(first.some((event) => event.startsWith(`t${nested}@1 thread.started`))).toBe(true)
      expect([await seqs(start('a'), nested), await seqs(start('b'), nested)]).toEqual([first, later])
    }
  })

  test('shows what the first handle showed where the run closed calls, adopted the thread, or was queued', async () => {
    const seqs = async (run: RunHandle) => (await Array.fromAsync(run.events())).flatMap((event) => (isSignal(event) ? [] : event.seq))
    const journal = memoryJournal()
    const fails = { beforeRecursion: () => Promise.reject(new Error('no')) }
    await clerk(journal, { model: paying(), tools: [pay], hooks: [{ afterModelReply: fails.beforeRecursion }], ports: { development: false } }).run(
      'go',
      {
        thread: 't',
      },
    )
    const other = clerk(journal, { name: 'other' })
    const adopting = (): RunHandle => other.start('two', { thread: 't', id: 'a', adopt: true })
    const first = await seqs(adopting())
    expect((await eventsOf(journal, 't'))[(first[0] ?? 0) - 1]?.type).toBe('thread.adopted')
    expect(await seqs(adopting())).toEqual(first)
    const worker = clerk(journal, { model: paying(), tools: [pay] })
    const waiting = await worker.run('pay', { thread: 'q' })
    const queued = worker.start('three', { thread: 'q', id: 'q' })
    await queued.result()
    const place = (await eventsOf(journal, 'q')).findIndex(({ type }) => type === 'run.queued') + 1
    await worker.answer(waiting.questions[0]?.id ?? '', approve())
    await queued.result()
    expect((await seqs(worker.start('three', { thread: 'q', id: 'q' })))[0]).toBe(place)
  })

  test('ends the events of an earlier run at its end', async () => {
    const own = clerk(memoryJournal())
    await own.run('one', { thread: 't', id: 'a' })
    await own.run('two', { thread: 't' })
    const types: string[] = []
    for await (const { type } of own.start('one', { thread: 't', id: 'a' }).events({ from: 1 })) types.push(type)
    expect(types.filter((type) => type === 'run.finished')).toHaveLength(1)
  })

  test('has the whole text and all events of the run, from its start on, before and after its end', async () => {
    const journal = memoryJournal()
    const { promise, resolve } = Promise.withResolvers<string>()
    const look = tool({ name: 'look', effect: 'read', run: () => promise })
    const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Three.' : { text: 'Wait. ', calls: [{ tool: 'look' }] }))
    const own = clerk(journal, { model, tools: [look] })
    const other = clerk(journal, { model, tools: [look] })
    await own.run('before', { thread: 't', model: scriptedModel(['Earlier.']) })
    const [textOf, eventsIn] = [
      async (by: typeof own) => (await Array.fromAsync(by.start('count', { thread: 't', id: 'a' }).text())).join(''),
      async (by: typeof own) =>
        (await Array.fromAsync(by.start('count', { thread: 't', id: 'a' }).events())).flatMap((one) => ('seq' in one ? [one.type] : [])),
    ]
    const first = textOf(own)
    await until(async () => (await typesOf(journal, 't')).includes('tool.started'))
    const during = [textOf(own), textOf(other), eventsIn(own)] as const
    await idle()
    resolve('3')
    expect(await Promise.all([first, during[0], during[1], textOf(own), textOf(other)])).toEqual(Array(5).fill('Wait. Three.'))
    const types = await eventsIn(other)
    expect(types[0]).toBe('run.started')
    expect(types.at(-1)).toBe('run.finished')
    expect(await during[2]).toEqual(types)
    await own.run('after', { thread: 't', model: scriptedModel(['Later.']) })
    expect([await textOf(own), await eventsIn(own)]).toEqual(['Wait. Three.', types])
  })

  test('of a queued run begins at its place in the queue, and has the text of that run alone', async () => {
    const journal = memoryJournal()
    const own = clerk(journal, { model: scriptedModel([{ text: 'First. ', calls: [{ tool: 'pay' }] }, 'Paid.', 'Second.']), tools: [pay] })
    const before = own.start('pay', { thread: 't' })
    const { questions } = await before.result()
    const queued = own.start('next', { thread: 't', id: 'b' })
    await queued.result()
    await before.answer(questions[0]?.id ?? '', approve())
    await before.result()
    expect(await queued.result()).toMatchObject({ status: 'done', run: 'r2' })
    const again = own.start('next', { thread: 't', id: 'b' })
    const types = (await Array.fromAsync(again.events())).map(({ type }) => type)
    expect([types[0], types.at(-1)]).toEqual(['run.queued', 'run.finished'])
    expect(await Array.fromAsync(again.text())).toEqual(['Second.'])
    expect((await Array.fromAsync(queued.text())).join('')).toBe('Second.')
  })

  test('on a fork begins at the start of the fork, although its parent knows the id too', async () => {
    const journal = memoryJournal()
    const own = clerk(journal)
    await own.run('hello', { thread: 't', id: 'a' })
    const { length } = await eventsOf(journal, 't')
    await own.fork(`t@${length}`, { thread: 'f' })
    await own.run('hello', { thread: 'f', id: 'a' })
    expect(await Array.fromAsync(own.start('hello', { thread: 'f', id: 'a' }).text())).toEqual(['reply 2'])
  })

  test('throws at the end of the text of a run that has failed, and has the events of one that waits', async () => {
    const failing = clerk(memoryJournal(), { model: scriptedModel([{ throws: new Error('broken') }]), behaviour: { attempts: 1 } })
    await failing.run('hello', { thread: 't', id: 'a' })
    const text = Array.fromAsync(failing.start('hello', { thread: 't', id: 'a' }).text())
    await expect(text).rejects.toMatchObject({ code: 'LOOM_RUN_FAILED' })
    const asking = clerk(memoryJournal(), { model: paying(), tools: [pay] })
    await asking.run('pay', { thread: 't', id: 'a' })
    const again = asking.start('pay', { thread: 't', id: 'a' })
    const types = (await Array.fromAsync(again.events())).map(({ type }) => type)
    expect(types).toEqual(expect.arrayContaining(['run.started', 'question.asked', 'run.suspended']))
  })

  test('follows the run that is active', async () => {
    const journal = memoryJournal()
    const { promise, resolve } = Promise.withResolvers<void>()
    const model = scriptedModel([{ text: 'slow', until: promise }])
    const own = clerk(journal, { model })
    const runs = [own.run('hello', { thread: 't', id: 'a' }), own.run('hello', { thread: 't', id: 'a' })]
    resolve()
    const [one, two] = await Promise.all(runs)
    expect(one).toEqual(two)
    expect(await startsOn(journal, 't')).toBe(1)
  })

  test('attaches to the run that waits for an answer, and gets the same question', async () => {
    const journal = memoryJournal()
    const own = clerk(journal, { model: paying(), tools: [pay] })
    const first = await own.run('pay', { thread: 't', id: 'a' })
    const again = own.start('pay', { thread: 't', id: 'a' })
    expect((await again.result()).questions).toEqual(first.questions)
    await again.answer(first.questions[0]?.id ?? '', approve())
    expect(await again.result()).toMatchObject({ status: 'done', run: 'r1' })
    expect(await startsOn(journal, 't')).toBe(1)
  })

  test('attaches to the run that is queued behind one that waits', async () => {
    const journal = memoryJournal()
    const own = clerk(journal, { model: paying(), tools: [pay] })
    const first = await own.run('pay', { thread: 't' })
    expect(await own.run('next', { thread: 't', id: 'b' })).toMatchObject({ status: 'waiting', run: 'r2' })
    const again = own.start('next', { thread: 't', id: 'b' })
    expect(await again.result()).toMatchObject({ status: 'waiting', run: 'r2' })
    expect(await startsOn(journal, 't')).toBe(2)
    await own.answer(first.questions[0]?.id ?? '', approve())
  })

  test('does not retry a run that has failed: resume does', async () => {
    const model = scriptedModel([{ throws: new Error('broken') }, 'fine'])
    const own = clerk(memoryJournal(), { model, behaviour: { attempts: 1 } })
    const first = await own.run('hello', { thread: 't', id: 'a' })
    expect(first.status).toBe('failed')
    expect(await own.run('hello', { thread: 't', id: 'a' })).toEqual(first)
    expect(model.requests).toHaveLength(1)
    expect(await own.resume('t').result()).toMatchObject({ status: 'done', text: 'fine' })
  })

  test('does not continue a run that is paused', async () => {
    const journal = memoryJournal()
    const own = clerk(journal, { model: paying(), tools: [pay] })
    const run = own.start('pay', { thread: 't', id: 'a' })
    await run.result()
    await run.pause()
    expect(await own.run('pay', { thread: 't', id: 'a' })).toMatchObject({ status: 'waiting' })
    expect(await typesOf(journal, 't')).not.toContain('run.resumed')
  })

  test('attaches where the thread is busy and refuses other inputs', async () => {
    const own = clerk(memoryJournal(), { model: paying(), tools: [pay] })
    await own.run('pay', { thread: 't', id: 'a' })
    await expect(own.run('other', { thread: 't', id: 'b', whenBusy: 'reject' })).rejects.toMatchObject({ code: 'LOOM_THREAD_BUSY' })
    expect(await own.run('pay', { thread: 't', id: 'a', whenBusy: 'reject' })).toMatchObject({ status: 'waiting', run: 'r1' })
  })

  test('with another input is refused, and nothing is appended', async () => {
    const journal = memoryJournal()
    const own = clerk(journal)
    await own.run('hello', { thread: 't', id: 'a' })
    const before = await eventsOf(journal, 't')
    const refused = own.run('goodbye', { thread: 't', id: 'a' })
    await expect(refused).rejects.toMatchObject({ code: 'LOOM_RUN_EXISTS', context: { thread: 't', id: 'a', run: 'r1' } })
    await expect(refused).rejects.toThrow(/"a" belongs to the run r1 of the thread t.*Give another id, or the same input/)
    expect(await eventsOf(journal, 't')).toEqual(before)
  })

  test('is one message to the run under way where starts are steered', async () => {
    const journal = memoryJournal()
    const own = clerk(journal, { model: paying(), tools: [pay] })
    const first = await own.run('pay', { thread: 't' })
    const steer = { thread: 't', id: 'b', whenBusy: 'steer' } as const
    for (let time = 0; time < 3; time += 1) expect(await own.run('and hurry', steer)).toMatchObject({ status: 'waiting', run: 'r1' })
    expect(await factsOf(journal, 't', 'message.steered')).toHaveLength(1)
    await expect(own.run('no hurry', steer)).rejects.toMatchObject({ code: 'LOOM_RUN_EXISTS' })
    await own.answer(first.questions[0]?.id ?? '', approve())
  })

  test('is a start of its own on a fork, which is another thread', async () => {
    const journal = memoryJournal()
    const own = clerk(journal)
    await own.run('hello', { thread: 't', id: 'a' })
    const last = (await eventsOf(journal, 't')).length
    const fork = await own.fork(`t@${last}`, { thread: 'f' })
    expect(await own.run('hello', { thread: fork.thread, id: 'a' })).toMatchObject({ run: 'r2', text: 'reply 2' })
  })

  test('is a start of its own on a thread that was removed and is started again', async () => {
    const journal = memoryJournal()
    const own = clerk(journal)
    await own.run('hello', { thread: 't', id: 'a' })
    await journal.remove('t')
    expect(await own.run('goodbye', { thread: 't', id: 'a' })).toMatchObject({ status: 'done', run: 'r1' })
  })
})

describe('a start with an id and without a thread', () => {
  test('is on a thread that follows from the agent and the id', async () => {
    const journal = memoryJournal()
    const one = await clerk(journal).run('hello', { id: 'order-1' })
    expect(await clerk(journal).run('hello', { id: 'order-1' })).toEqual(one)
    const other = await clerk(journal, { name: 'another' }).run('hello', { id: 'order-1' })
    const next = await clerk(journal).run('hello', { id: 'order-2' })
    expect(new Set([one.thread, other.thread, next.thread]).size).toBe(3)
    expect(one.thread).toMatch(/^start-[0-9a-f]{32}$/)
  })
})

describe('starts of one id that race', () => {
  test('in two processes make one run', async () => {
    const journal = memoryJournal()
    const processes = Array.from({ length: 4 }, () => clerk({ ...journal }))
    const results = await Promise.all(processes.map((own) => own.run('hello', { thread: 't', id: 'a' })))
    expect(new Set(results.map(({ run, text }) => `${run} ${text}`))).toEqual(new Set(['r1 reply 1']))
    expect(await startsOn(journal, 't')).toBe(1)
  })

  test('with two inputs make one run, and refuse the other', async () => {
    const journal = memoryJournal()
    const outcomes = await Promise.allSettled(['x', 'y'].map((input) => clerk({ ...journal }).run(input, { thread: 't', id: 'a' })))
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await startsOn(journal, 't')).toBe(1)
  })

  test('make one run wherever the first process died', async () => {
    for (const when of ['before', 'after'] as const) {
      for (let append = 1; append <= 4; append += 1) {
        const journal = memoryJournal()
        const mortal = mortalJournal(journal, { append, when })
        await Promise.race([mortal.died, clerk(mortal.journal).run('hello', { thread: 't', id: 'a' })])
        const again = mortalJournal(journal).journal
        expect(await clerk(again).run('hello', { thread: 't', id: 'a' })).toMatchObject({ status: 'done', run: 'r1', text: 'reply 1' })
        expect(await startsOn(journal, 't')).toBe(1)
      }
    }
  })
})

describe('an id of a start', () => {
  test('that is no text of 1 to 200 characters is refused', async () => {
    const own = clerk(memoryJournal())
    for (const id of ['', 'x'.repeat(201), 7 as never, '\ud800', Object.create(null) as never, Symbol.iterator as never]) {
      await expect(own.run('hello', { id })).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
    }
  })

  test('is refused by resume, which names the thread', () => {
    const own = clerk(memoryJournal())
    expect(() => own.resume('t', { id: 'a' } as never)).toThrow(expect.objectContaining({ code: 'LOOM_OPTION_UNKNOWN' }))
  })

  test('costs no lookup where it is not given', async () => {
    const journal = memoryJournal()
    await clerk(journal, { ports: { clock: manualClock() } }).run('hello', { thread: 't' })
    const [started] = await factsOf(journal, 't', 'run.started')
    expect(started?.data).not.toHaveProperty('request.start')
  })
})
