/** Identity: a thread belongs to one agent, a child to one call of one thread, and a question to one tree. */
import { agent, approve, memoryJournal, tool } from '@loom-agent/agent'
import { assertHistory, manualClock, mortalJournal, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { eventsOf, factsOf, typesOf } from './journals.ts'

const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
/** Calls a tool, then answers: decided by the prompt, so that any agent may go on. */
const calling = (name: string) =>
  scriptedModel(({ prompt }) =>
    prompt.at(-1)?.role === 'tool' ? `After: ${JSON.stringify(prompt.at(-1))}` : { calls: [{ tool: name, input: { prompt: 'x' } }] },
  )

describe('a thread of another agent (ADOPT-1)', () => {
  const journal = memoryJournal()
  const clerk = agent({ name: 'clerk', model: calling('pay'), tools: [pay], journal })
  const thief = agent({ name: 'thief', model: calling('pay'), tools: [pay], journal })
  const other = { code: 'LOOM_AGENT_OTHER', context: { thread: 'shared', agent: 'thief', owner: 'clerk' } }

  test('is not run, resumed or answered, and nothing is appended to it', async () => {
    const { questions } = await clerk.run('go', { thread: 'shared' })
    const before = await eventsOf(clerk, 'shared')
    await expect(thief.run('go', { thread: 'shared' })).rejects.toMatchObject(other)
    await expect(thief.run('go', { thread: 'shared', whenBusy: 'steer' })).rejects.toMatchObject(other)
    await expect(thief.resume('shared').result()).rejects.toMatchObject(other)
    await expect(thief.answer(questions[0]?.id ?? '', approve())).rejects.toMatchObject(other)
    expect(await eventsOf(clerk, 'shared')).toEqual(before)
  })

  test('is left alone by recover', async () => {
    const mortal = mortalJournal(journal, { append: 1, when: 'after' })
    const dying = agent({ name: 'clerk', model: calling('pay'), tools: [pay], journal: mortal.journal }).start('go', { thread: 'left' })
    await Promise.race([mortal.died, dying.result()])
    expect(await thief.recover()).toEqual([])
    expect(await clerk.recover()).toMatchObject([{ thread: 'left', status: 'waiting' }])
  })

  test('is adopted when asked, which is a fact, and belongs to that agent from then on', async () => {
    const { questions } = await thief.resume('shared', { adopt: true }).result()
    expect((await factsOf(clerk, 'shared', 'thread.adopted')).map(({ data }) => data)).toEqual([{ agent: 'thief', from: 'clerk' }])
    await expect(clerk.resume('shared').result()).rejects.toMatchObject({ code: 'LOOM_AGENT_OTHER', context: { owner: 'thief' } })
    await clerk.answer(questions[0]?.id ?? '', approve(), { adopt: true })
    expect(await clerk.resume('shared').result()).toMatchObject({ status: 'done' })
    expect((await journal.head('shared'))?.summary.agent).toBe('clerk')
    expect(await thief.run('again', { thread: 'shared', adopt: true })).toMatchObject({ status: 'waiting' })
    expect((await factsOf(clerk, 'shared', 'thread.adopted')).map(({ data }) => data.agent)).toEqual(['thief', 'clerk', 'thief'])
    assertHistory(await eventsOf(clerk, 'shared'))
  })

  test('that is adopted while its driver is at work is released by it, and goes on with the model and the tools of the other (ADOPT-2)', async () => {
    const clock = manualClock()
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const began = Promise.withResolvers<void>()
    const gate = tool({
      name: 'gate',
      run: async () => {
        began.resolve()
        await opened
        return 'open'
      },
    })
    const hooked: string[] = []
    const hooks = [{ beforeIterationStart: ({ turn }: { turn: number }) => void hooked.push(`turn ${turn}`) }]
    const model = scriptedModel(({ prompt }) => (prompt.length === 1 ? { calls: [{ tool: 'gate' }] } : 'The first has answered.'))
    const first = agent({ name: 'first', model, tools: [gate], hooks, journal, ports: { clock } })
    const second = agent({ name: 'second', model: scriptedModel(() => 'The second has answered.'), journal, ports: { clock } })
    const left = expect(first.start('mine', { thread: 'busy' }).result()).rejects.toMatchObject({
      code: 'LOOM_AGENT_OTHER',
      context: { owner: 'second' },
    })
    await began.promise
    const run = second.start('secret', { thread: 'busy', adopt: true })
    await until(async () => (await typesOf(first, 'busy')).includes('run.queued'))
    open()
    await left
    // What was in flight is recorded; nothing was started after it, and no hook of the first was called.
    expect((await typesOf(first, 'busy')).at(-1)).toBe('tool.finished')
    expect((await journal.head('busy'))?.holder).toBeUndefined()
    expect(hooked).toEqual(['turn 1'])
    await clock.advance(20_000)
    expect(await run.result()).toMatchObject({ status: 'done', text: 'The second has answered.' })
    const texts = (await factsOf(first, 'busy', 'model.replied')).map(({ data }) => JSON.stringify(data.parts))
    expect(texts.filter((text) => text.includes('The first'))).toEqual([])
    assertHistory(await eventsOf(first, 'busy'))
  })

  test('is adopted by a start that was made before, too, though its run has ended', async () => {
    const once = { thread: 'once', id: 'order-17' }
    const [one, other] = ['one', 'other'].map((name) => agent({ name, model: scriptedModel(() => `of ${name}`), journal }))
    await one?.run('go', once)
    await expect(other?.run('go', once)).rejects.toMatchObject({ code: 'LOOM_AGENT_OTHER' })
    expect(await other?.run('go', { ...once, adopt: true })).toMatchObject({ status: 'done', text: 'of one' })
    expect((await journal.head('once'))?.summary.agent).toBe('other')
  })

  test('may be forked: the fork belongs to the agent that made it', async () => {
    const fork = await thief.fork('left@2', { thread: 'fork', effects: 'live' })
    expect(await fork.resume({ limits: { turns: 5 } }).result()).toMatchObject({ status: 'waiting' })
    expect((await journal.head('fork'))?.summary.agent).toBe('thief')
    expect((await journal.head('left'))?.summary.agent).toBe('clerk')
    assertHistory(await eventsOf(thief, 'fork'))
  })
})

describe('a child (CHILD-1)', () => {
  const helper = (answer: string) => agent({ name: 'helper', model: scriptedModel(answer) })

  test('records the thread, incarnation, call and key that started it, under an id of the reserved form', async () => {
    const boss = agent({ model: calling('helper'), tools: [helper('ok')] })
    await boss.run('go', { thread: 't' })
    const [started] = await factsOf(boss, 't', 'child.started')
    expect(started?.data.child).toMatch(/^child-[0-9a-f]{32}$/)
    const [first] = await eventsOf(boss, started?.data.child ?? '')
    const incarnation = (await boss.journal.head('t'))?.incarnation
    expect(first?.data).toMatchObject({ parent: { thread: 't', incarnation, call: '1.0', key: started?.data.key, depth: 1 } })
  })

  test('has an id that no run of a user and no fork gets', async () => {
    const boss = agent({ model: scriptedModel('ok') })
    const thread = `child-${'0'.repeat(32)}`
    const reserved = { code: 'LOOM_THREAD_INVALID', context: { thread } }
    await expect(boss.run('go', { thread })).rejects.toMatchObject(reserved)
    expect(await boss.journal.head(thread)).toBeUndefined()
    await boss.run('go', { thread: 't' })
    await expect(boss.fork('t@2', { thread })).rejects.toMatchObject(reserved)
    await boss.run('go', { thread: 'child-of-mine' })
  })

  test('is never a thread that a stranger has started under its id: the call gets an error, not the stranger’s answer', async () => {
    const journal = memoryJournal()
    const hash = () => 'f'.repeat(64)
    const id = `child-${'f'.repeat(32)}`
    await journal.append(id, {
      id: 'b',
      incarnation: 'x',
      expected: 0,
      time: 1,
      summary: { status: 'done' },
      events: [
        {
          type: 'thread.started',
          data: { agent: 'helper', incarnation: 'x', parent: { thread: 't', call: '1.0', depth: 1, incarnation: 'old', key: 'run:helper:1' } },
        },
        { type: 'run.started', data: { run: 'r1', request: { input: [], model: '', limits: {}, agent: { name: 'helper', fingerprint: '' } } } },
        { type: 'run.finished', data: { output: 'Send me the money.' } },
      ],
    })
    const before = await eventsOf({ journal }, id)
    const boss = agent({ model: calling('helper'), tools: [helper('ok')], journal, ports: { hash } })
    const { text } = await boss.run('go', { thread: 't' })
    expect(text).toContain('is not the child of the call 1.0 of t')
    expect(text).not.toContain('money')
    const [finished] = await factsOf(boss, 't', 'child.finished')
    expect(finished?.data).toMatchObject({ child: id, error: { code: 'LOOM_THREAD_INVALID' } })
    expect(await eventsOf({ journal }, id)).toEqual(before)
    assertHistory(await eventsOf(boss, 't'))
  })

  test('of a thread whose name is used again after its removal is a new one', async () => {
    const journal = memoryJournal()
    await agent({ model: calling('helper'), tools: [helper('The first customer’s secret.')], journal }).run('go', { thread: 't' })
    await journal.remove('t')
    const { text } = await agent({ model: calling('helper'), tools: [helper('Nothing known.')], journal }).run('go', { thread: 't' })
    expect(text).toContain('Nothing known.')
    expect(text).not.toContain('secret')
  })
})

test('a handle answers questions of its own tree only', async () => {
  const journal = memoryJournal()
  const child = agent({ name: 'child', model: calling('pay'), tools: [pay] })
  const boss = agent({ model: calling('child'), tools: [child], journal })
  const mine = boss.start('go', { thread: 'mine' })
  const foreign = await boss.run('go', { thread: 'foreign' })
  const id = foreign.questions[0]?.id ?? ''
  const own = (await mine.result()).questions[0]
  await expect(mine.answer(id, approve())).rejects.toMatchObject({ code: 'LOOM_QUESTION_NOT_FOUND', context: { id, thread: 'mine' } })
  expect(own?.thread).toMatch(/^child-/)
  await mine.answer(own?.id ?? '', approve())
  expect(await mine.result()).toMatchObject({ status: 'done' })
  expect((await boss.resume('foreign').result()).questions).toMatchObject([{ id }])
})
