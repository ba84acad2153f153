/** Inputs that are refused, and handles of threads that are gone: the journal stays as it was. */
import { type Agent, agent, answer, approve, memoryJournal, pause, reject, setLabels, signal, steer, stop, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf, typesOf } from './journals.ts'

const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
const wait = tool({ name: 'wait', durable: true, run: async (_, ctx) => JSON.stringify(await ctx.waitFor('payment')) })

/** An agent that calls a tool once and then says "end". */
const calling = (name: string, call: string, options: object = {}): Agent =>
  agent({
    name,
    model: scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'end' : { calls: [{ tool: call, input: { prompt: 'go' } }] })),
    tools: [pay, wait],
    ...options,
  })

describe('an input that is refused appends nothing (INPUT-1)', () => {
  test('an answer that may adopt the thread leaves it with its owner', async () => {
    const journal = memoryJournal()
    const [one, two] = [calling('one', 'pay', { journal }), calling('two', 'pay', { journal })]
    const { questions } = await one.run('go', { thread: 't' })
    const id = questions[0]?.id ?? ''
    const before = await eventsOf(one, 't')
    await expect(two.answer(id.replace('#', '#9'), approve(), { adopt: true })).rejects.toMatchObject({ code: 'LOOM_QUESTION_NOT_FOUND' })
    await expect(two.answer(id, { answer: { kind: 'edit', input: {} } as never }, { adopt: 1 as never })).rejects.toMatchObject({
      code: 'LOOM_OPTION_INVALID',
    })
    await expect(two.answer(id, { answer: { kind: 'never' } as never }, { adopt: true })).rejects.toMatchObject({ code: 'LOOM_ANSWER_INVALID' })
    expect(await eventsOf(one, 't')).toEqual(before)
    await one.answer(id, reject('no'))
    await expect(two.answer(id, approve(), { adopt: true })).rejects.toMatchObject({ code: 'LOOM_QUESTION_SETTLED' })
    expect(await typesOf(one, 't')).not.toContain('thread.adopted')
  })

  test('nor does a refused answer to a child adopt the root of its tree', async () => {
    const journal = memoryJournal()
    const child = calling('child', 'pay')
    const [one, two] = [calling('one', 'child', { journal, tools: [child] }), calling('two', 'child', { journal, tools: [child] })]
    const { questions } = await one.run('go', { thread: 't' })
    const id = questions[0]?.id ?? ''
    await expect(two.answer(id.replace('#', '#9'), approve(), { adopt: true })).rejects.toMatchObject({ code: 'LOOM_QUESTION_NOT_FOUND' })
    expect(await typesOf(one, 't')).not.toContain('thread.adopted')
    await two.answer(id, approve(), { adopt: true })
    expect((await two.resume('t').result()).status).toBe('done')
    expect((await typesOf(one, 't')).filter((type) => type === 'thread.adopted')).toHaveLength(1)
  })

  test('an accepted answer adopts the thread in its own batch, before itself', async () => {
    const journal = memoryJournal()
    const [one, two] = [calling('one', 'pay', { journal }), calling('two', 'pay', { journal })]
    const { questions } = await one.run('go', { thread: 't' })
    await two.answer(questions[0]?.id ?? '', approve(), { adopt: true })
    const types = await typesOf(two, 't')
    expect(types[types.indexOf('thread.adopted') + 1]).toBe('question.answered')
  })

  test('a start, a resumption, a signal, a message, a request and labels that are refused leave the thread as it was', async () => {
    const journal = memoryJournal()
    const [one, two] = [calling('one', 'pay', { journal }), calling('two', 'pay', { journal })]
    await one.run('go', { thread: 't', deps: {}, id: 'known' })
    const before = await eventsOf(one, 't')
    const refused: (() => Promise<unknown>)[] = [
      () => two.run('go', { thread: 't' }),
      () => two.run('another', { thread: 't', id: 'known', adopt: true }),
      () => two.run('go', { thread: 't', adopt: true, whenBusy: 'reject' }),
      () => two.resume('t', { adopt: true }).result(),
      () => two.resume('t', { adopt: true, deps: {}, limits: { turns: -1 } }).result(),
      () => two.signal('t', 'payment'),
      () => two.stop('t'),
      () => one.signal('t', ''),
      () => signal(journal, 't', 'payment', 1, { by: 3 as never }),
      () => answer(journal, 't#nothing', approve()),
      () => steer(journal, 't', 3 as never),
      () => pause(journal, 't', { by: 3 as never }),
      () => stop(journal, 't', 3 as never),
      () => setLabels(journal, 't', { long: 'x'.repeat(20_000) }),
    ]
    for (const refuse of refused)
      await expect(Promise.resolve().then(refuse), refuse.toString()).rejects.toMatchObject({ code: expect.stringMatching(/^LOOM_/) })
    expect(await eventsOf(one, 't')).toEqual(before)
  })
})

describe('a handle of a thread that was removed', () => {
  const handled = async (): Promise<{ journal: Journal; old: ReturnType<Agent['start']>; id: string; fresh: Agent }> => {
    const journal = memoryJournal()
    const fresh = calling('a', 'wait', { journal })
    const old = fresh.start('first customer', { thread: 't' })
    expect((await old.result()).status).toBe('waiting')
    await journal.remove('t')
    const asks = calling('a', 'pay', { journal })
    const { questions } = await asks.run('second customer', { thread: 't' })
    return { journal, old, id: questions[0]?.id ?? '', fresh: asks }
  }

  test.each<[string, (old: ReturnType<Agent['start']>, id: string) => Promise<unknown>]>([
    ['signal', (old) => old.signal('payment', 1)],
    ['answer', (old, id) => old.answer(id, approve())],
    ['steer', (old) => old.steer('Hurry.')],
    ['pause', (old) => old.pause()],
    ['stop', (old) => old.stop()],
    ['events', (old) => old.events({ from: 1 }).next()],
  ])('stays in its incarnation: %s never reaches the thread that has the name now', async (_, use) => {
    const { journal, old, id, fresh } = await handled()
    const before = await eventsOf(fresh, 't')
    await expect(use(old, id)).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    expect(await eventsOf(fresh, 't')).toEqual(before)
    expect((await journal.head('t'))?.summary.status).toBe('waiting')
  })
})
