/** Attacks on what is run again: calls that were begun, or look so, in a process whose rules forbid them. */
import { type Agent, type AgentOptions, agent, approve, memoryJournal, reject, respond, tool } from '@loom-agent/agent'
import type { Draft, Journal } from '@loom-agent/kernel'
import { assertHistory, scriptedModel } from '@loom-agent/testing'
import { describe, expect, it } from 'vitest'
import { idle } from '../support/event-loop.ts'
import { abandoned, eventsOf, factsOf } from '../support/threads.ts'
import { atMost, callsEach, till } from './till.ts'

const model = () => callsEach('act')
const denied: Partial<AgentOptions> = { permissions: { act: 'deny', default: 'allow' } }
const asked: Partial<AgentOptions> = { permissions: { act: 'ask', default: 'allow' } }

type Effect = 'pure' | 'read' | 'idempotent' | 'reconcilable' | 'unsafe'

/** A tool that hangs in a first process, which is lost, and runs in the next. */
function losing(effect: Effect, check: () => unknown = () => ({ status: 'not-done' })) {
  const ran: string[] = []
  let process = 'first'
  const act = tool({
    name: 'act',
    effect: effect as 'reconcilable',
    check: check as () => { status: 'not-done' },
    run: () => {
      ran.push(process)
      return process === 'first' ? new Promise<string>(() => {}) : 'acted'
    },
  })
  const turnOver = (): void => {
    process = 'next'
  }
  return {
    ran,
    /** From now on it runs in the next process. */
    turnOver,
    /** The journal after the first process was lost. */
    async lose(options: Partial<AgentOptions> = {}): Promise<Journal> {
      const first = agent({ model: model(), tools: [act], ...options })
      void first.run('go', { thread: 't' })
      while (ran.length === 0) await idle()
      turnOver()
      return abandoned(first.journal)
    },
    next: (journal: Journal, options: Partial<AgentOptions>): Agent => agent({ model: model(), tools: [act], journal, ...options }) as Agent,
  }
}

/** The ends of calls, in a history that keeps all rules. */
async function finishes(journal: Journal) {
  assertHistory(await eventsOf(journal, 't'))
  return (await factsOf(journal, 't', 'tool.finished')).map(({ data }) => data)
}

describe('a begun call that rules of now deny', () => {
  it.each<Effect>(['pure', 'read', 'idempotent'])('is not run again (%s), and its outcome is unknown', async (effect) => {
    const { ran, lose, next } = losing(effect)
    const journal = await lose()
    expect((await next(journal, denied).resume('t').result()).status).toBe('done')
    expect(ran).toEqual(['first'])
    expect(await finishes(journal)).toMatchObject([{ errorType: 'outcome-unknown' }])
    expect(await factsOf(journal, 't', 'tool.denied')).toEqual([])
  })

  it('is not run again where a rule over the run denies it', async () => {
    const { pay, paid } = till({ effect: 'idempotent', before: () => new Promise(() => {}) })
    const pays = () => callsEach('pay')
    const first = agent({ model: pays(), tools: [pay] })
    void first.run('go', { thread: 't' })
    while ((await factsOf(first, 't', 'tool.started')).length === 0) await idle()
    const then = till({ effect: 'idempotent' })
    const second = agent({ model: pays(), tools: [then.pay], permissions: atMost(20), journal: abandoned(first.journal) })
    expect((await second.resume('t').result()).status).toBe('done')
    expect([...paid, ...then.paid]).toEqual([])
  })

  it('is checked first, and what has happened is its result', async () => {
    const { ran, lose, next } = losing('reconcilable', () => ({ status: 'done', result: 'was done' }))
    const journal = await lose()
    await next(journal, denied).resume('t').result()
    expect(ran).toEqual(['first'])
    expect(await finishes(journal)).toMatchObject([{ status: 'success', output: { value: 'was done' } }])
  })

  it('is checked first, and not run where it has not happened', async () => {
    const { ran, lose, next } = losing('reconcilable')
    const journal = await lose()
    await next(journal, denied).resume('t').result()
    expect(ran).toEqual(['first'])
    expect(await finishes(journal)).toMatchObject([{ errorType: 'outcome-unknown' }])
    expect(await factsOf(journal, 't', 'tool.denied')).toEqual([])
  })

  it.each([
    ['unsafe', undefined],
    ['reconcilable', () => ({ status: 'unknown' })],
  ] as const)('stays a question where it is in doubt (%s), and an approval does not run it', async (effect, check) => {
    const { ran, lose, next } = losing(effect, check)
    const journal = await lose()
    const second = next(journal, denied)
    const { questions } = await second.resume('t').result()
    expect(questions).toMatchObject([{ kind: 'in-doubt' }])
    await second.answer(questions[0]?.id ?? '', approve())
    expect((await second.resume('t').result()).status).toBe('done')
    expect(ran).toEqual(['first'])
    expect(await finishes(journal)).toMatchObject([{ errorType: 'outcome-unknown' }])
  })

  it('takes the result that a person gives it', async () => {
    const { ran, lose, next } = losing('unsafe')
    const journal = await lose()
    const second = next(journal, denied)
    const { questions } = await second.resume('t').result()
    await second.answer(questions[0]?.id ?? '', respond('it happened'))
    await second.resume('t').result()
    expect(ran).toEqual(['first'])
    expect(await finishes(journal)).toMatchObject([{ status: 'success', output: { value: 'it happened' } }])
  })

  it('ends with the steps that its body had finished', async () => {
    const done: string[] = []
    let isFirst = true
    const act = tool({
      name: 'act',
      durable: true,
      async run(_, ctx) {
        await ctx.step('reserve', async () => done.push('reserve'), { effect: 'idempotent' })
        if (isFirst) await new Promise(() => {})
        await ctx.step('charge', async () => done.push('charge'), { effect: 'idempotent' })
      },
    })
    const first = agent({ model: model(), tools: [act] })
    void first.run('go', { thread: 't' })
    while ((await factsOf(first, 't', 'tool.step-finished')).length === 0) await idle()
    isFirst = false
    const journal = abandoned(first.journal)
    await agent({ model: model(), tools: [act], journal, ...denied })
      .resume('t')
      .result()
    expect(done).toEqual(['reserve'])
    const [end] = await finishes(journal)
    expect(end).toMatchObject({ errorType: 'outcome-unknown', output: { value: expect.stringContaining('reserve') } })
  })

  it('is not entered again by the answer that its body waits for', async () => {
    const done: string[] = []
    const act = tool({
      name: 'act',
      durable: true,
      async run(_, ctx) {
        if ((await ctx.ask('Go on?')).kind === 'approve') await ctx.step('charge', async () => done.push('charge'))
      },
    })
    const first = agent({ model: model(), tools: [act] })
    const { questions } = await first.run('go', { thread: 't' })
    const second = agent({ model: model(), tools: [act], journal: first.journal, ...denied })
    await second.answer(questions[0]?.id ?? '', approve())
    expect((await second.resume('t').result()).status).toBe('done')
    expect(done).toEqual([])
  })

  it('stops the child that it had started', async () => {
    const { pay, paid } = till({ permission: 'ask' })
    const child = agent({ name: 'act', model: callsEach('pay'), tools: [pay] })
    const first = agent({ model: model(), tools: [child] })
    const { questions } = await first.run('go', { thread: 't' })
    const second = agent({ model: model(), tools: [child], journal: first.journal, ...denied })
    await second.answer(questions[0]?.id ?? '', approve())
    expect((await second.resume('t').result()).status).toBe('done')
    await second.recover()
    expect(paid).toEqual([])
    const [started] = await factsOf(second, 't', 'child.started')
    expect((await second.journal.head(started?.data.child ?? ''))?.summary.status).toBe('stopped')
  })

  it('inside a child is not run again where the parent denies it', async () => {
    const { ran, next, turnOver } = losing('idempotent')
    const child = next(memoryJournal(), { name: 'inner' })
    const boss = (permissions: Partial<AgentOptions>) => ({ model: callsEach('inner'), tools: [child], ...permissions })
    const first = agent(boss({}))
    void first.run('go', { thread: 't' })
    while (ran.length === 0) await idle()
    turnOver()
    const second = agent({ ...boss(denied), journal: abandoned(first.journal) })
    expect((await second.resume('t').result()).status).toBe('done')
    expect(ran).toEqual(['first'])
  })
})

describe('a begun call that rules of now ask about', () => {
  it('waits for the answer before it is run again', async () => {
    const { ran, lose, next } = losing('idempotent')
    const journal = await lose()
    const second = next(journal, asked)
    const { status, questions } = await second.resume('t').result()
    expect({ status, ran }).toEqual({ status: 'waiting', ran: ['first'] })
    await second.answer(questions[0]?.id ?? '', approve())
    expect((await second.resume('t').result()).status).toBe('done')
    expect(ran).toEqual(['first', 'next'])
  })

  it('has an unknown outcome where the answer is no', async () => {
    const { ran, lose, next } = losing('idempotent')
    const journal = await lose()
    const second = next(journal, asked)
    const { questions } = await second.resume('t').result()
    await second.answer(questions[0]?.id ?? '', reject('not any more'))
    expect((await second.resume('t').result()).status).toBe('done')
    expect(ran).toEqual(['first'])
    expect(await finishes(journal)).toMatchObject([{ errorType: 'outcome-unknown' }])
    expect(await factsOf(journal, 't', 'tool.denied')).toEqual([])
  })

  it('has an unknown outcome where nobody is there to answer', async () => {
    const { ran, lose, next } = losing('idempotent')
    const journal = await lose({ behaviour: { unattended: 'deny' } })
    await next(journal, { ...asked, behaviour: { unattended: 'deny' } })
      .resume('t')
      .result()
    expect(ran).toEqual(['first'])
    expect(await finishes(journal)).toMatchObject([{ errorType: 'outcome-unknown' }])
  })

  it('is run again without a question where it was approved as it is', async () => {
    const { ran, lose, next } = losing('idempotent')
    const journal = await lose({ ...asked, onQuestion: () => approve() })
    expect((await next(journal, asked).resume('t').result()).status).toBe('done')
    expect(ran).toEqual(['first', 'next'])
  })
})

describe('a forged start runs nothing', () => {
  /** A thread whose model has proposed a call, and a writer that appends what it likes. */
  async function forged(start: object, more: readonly Draft[] = []) {
    const ran: unknown[] = []
    const act = tool({ name: 'act', run: (input) => ran.push(input) && 'acted' })
    const stalling = scriptedModel([{ calls: [{ tool: 'act', input: { n: 1 } }] }, { stallAfter: 0 }])
    const slow = tool({ name: 'act', permission: 'ask', run: (input) => ran.push(input) && 'acted' })
    const first = agent({ model: stalling, tools: [slow] })
    await first.run('go', { thread: 't' })
    const head = await first.journal.head('t')
    if (!head) throw new Error('The thread is not there.')
    const events: readonly Draft[] = [{ type: 'tool.started', data: { call: '1.0', effect: 'pure', ...start } }, ...more]
    const { incarnation, seq, summary } = head
    await first.journal.append('t', { id: 'forged', incarnation, expected: seq, time: 1, run: 'r1', turn: 1, events, summary })
    return { ran, journal: abandoned(first.journal), act, slow }
  }
  const ends = () => scriptedModel(() => 'Done.')

  it('of a tool that the policy denies', async () => {
    const { ran, journal, act } = await forged({})
    await agent({ model: ends(), tools: [act], journal, ...denied })
      .resume('t')
      .result()
    expect(ran).toEqual([])
  })

  it('of a tool that the policy denies, as a durable call', async () => {
    const { ran, journal, act } = await forged({ durable: true })
    await agent({ model: ends(), tools: [act], journal, ...denied })
      .resume('t')
      .result()
    expect(ran).toEqual([])
  })

  it('of a tool that asks, whatever the start says about who allowed it', async () => {
    const { ran, journal, slow } = await forged({ allowedBy: 'approved', digest: 'forged' })
    const result = await agent({ model: ends(), tools: [slow], journal })
      .resume('t')
      .result()
    expect({ status: result.status, ran }).toEqual({ status: 'waiting', ran: [] })
  })

  it('with other arguments than those that were approved', async () => {
    const { ran, journal, slow } = await forged({})
    const reader = agent({ model: ends(), tools: [slow], journal })
    const { questions } = await reader.resume('t').result()
    await reader.answer(questions[0]?.id ?? '', approve())
    const head = await journal.head('t')
    if (!head) throw new Error('The thread is not there.')
    const events: readonly Draft[] = [{ type: 'tool.started', data: { call: '1.0', effect: 'pure', input: { n: 5000 } } }]
    const { incarnation, seq, summary } = head
    await journal.append('t', { id: 'forged again', incarnation, expected: seq, time: 1, run: 'r1', turn: 1, events, summary })
    await agent({ model: ends(), tools: [slow], journal })
      .resume('t')
      .result()
    expect(ran).not.toContainEqual({ n: 5000 })
  })
})
