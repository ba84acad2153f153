/** Attacks on verdicts by what a run has done so far: many calls at once, each of them small. */
import { agent, approve, edit, memoryJournal, type Policy, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { idle } from '../support/event-loop.ts'
import { abandoned, factsOf } from '../support/threads.ts'
import { atMost, callsEach, denyAbove, pays, sumIn, till } from './till.ts'

describe('ten payments in one reply spend no more than a rule over the run allows', () => {
  it('one after the other', async () => {
    const { pay, spent } = till()
    const clerk = agent({ model: pays(10), tools: [pay], permissions: atMost(100) })
    expect((await clerk.run('pay', { thread: 't' })).status).toBe('done')
    expect(spent()).toBe(100)
    expect(await factsOf(clerk, 't', 'tool.denied')).toHaveLength(8)
  })

  it('side by side', async () => {
    const { pay, spent } = till({ schedule: { parallel: true } })
    await agent({ model: pays(10), tools: [pay], permissions: atMost(100) }).run('pay')
    expect(spent()).toBe(100)
  })

  it('by a tool that says that it changes nothing, and need not wait for its intent', async () => {
    const { pay, spent } = till({ effect: 'read' })
    await agent({ model: pays(10), tools: [pay], permissions: atMost(100) }).run('pay')
    expect(spent()).toBe(100)
  })

  it('where the rule takes its time, and the later ones are judged first', async () => {
    let judged = 0
    const slow = denyAbove(100, async () => idle(Math.max(0, 20 - 2 * judged++)))
    const { pay, spent } = till({ schedule: { parallel: true } })
    await agent({ model: pays(10), tools: [pay], permissions: { rules: [slow], default: 'allow' } }).run('pay')
    expect(spent()).toBe(100)
  })

  it('where the rule counts what the body has spent, and no fact of the run', async () => {
    const { pay, spent } = till()
    const rule = {
      tool: 'pay',
      verdict: 'deny',
      when: ({ input }: { input: unknown }) => spent() + (input as { amount: number }).amount > 100,
    } as const
    const permissions: Policy = { rules: [rule], default: 'allow' }
    await agent({ model: pays(10), tools: [pay], permissions }).run('pay')
    expect(spent()).toBe(100)
  })

  it('where the tool itself says what is permitted', async () => {
    const paid: number[] = []
    const pay = tool({
      name: 'pay',
      input: z.object({ amount: z.number() }),
      schedule: { parallel: true },
      permission: (input, context) => (sumIn({ input, ...(context as object) }) > 100 ? 'deny' : 'allow'),
      run: async ({ amount }) => paid.push(amount) && 'paid',
    })
    await agent({ model: pays(10), tools: [pay] }).run('pay')
    expect(paid).toEqual([50, 50])
  })

  it('where all of them were approved before the first ran', async () => {
    const { pay, spent } = till({ schedule: { parallel: true } })
    const permissions = atMost(100, { tool: 'pay', verdict: 'ask' })
    const clerk = agent({ model: pays(10), tools: [pay], permissions })
    const { questions } = await clerk.run('pay', { thread: 't' })
    expect(questions).toHaveLength(10)
    const held = agent({ model: pays(10), tools: [pay], permissions, journal: clerk.journal })
    await Promise.all(questions.map(({ id }) => held.answer(id, approve())))
    expect((await held.resume('t').result()).status).toBe('done')
    expect(spent()).toBe(100)
  })

  it('where one approval was given for the whole thread', async () => {
    const { pay, spent } = till({ permission: 'ask', schedule: { parallel: true } })
    const rule = { ...denyAbove(100) }
    const clerk = agent({ model: pays(10), tools: [pay], permissions: { rules: [rule, { tool: 'pay', verdict: 'ask' }], default: 'allow' } })
    const onQuestion = () => approve({ scope: 'thread' })
    await clerk.run('pay', { onQuestion })
    expect(spent()).toBe(100)
  })

  it('where people raise the amounts as they approve them', async () => {
    const { pay, spent } = till({ schedule: { parallel: true } })
    const clerk = agent({ model: pays(10, { amount: 10 }), tools: [pay], permissions: atMost(100, { tool: 'pay', verdict: 'ask' }) })
    await clerk.run('pay', { onQuestion: () => edit({ amount: 50 }) })
    expect(spent()).toBe(100)
  })

  it('where a durable body pays in its steps', async () => {
    const paid: number[] = []
    const pay = tool({
      name: 'pay',
      durable: true,
      schedule: { parallel: true },
      input: z.object({ amount: z.number() }),
      run: ({ amount }, ctx) => ctx.step('pay', async () => paid.push(amount)).then(() => 'paid'),
    })
    await agent({ model: pays(10), tools: [pay], permissions: atMost(100) }).run('pay')
    expect(paid).toEqual([50, 50])
  })

  it('where a hook makes the amounts greater', async () => {
    const { pay, spent } = till({ schedule: { parallel: true } })
    const hooks = [{ beforeToolExecution: () => ({ input: { amount: 50 } }) }]
    await agent({ model: pays(10, { amount: 1 }), tools: [pay], hooks, permissions: atMost(100) }).run('pay')
    expect(spent()).toBe(100)
  })

  it('where the schema, and not the model, names the amount', async () => {
    const { pay, spent } = till({ schedule: { parallel: true } })
    await agent({ model: pays(10, {}), tools: [pay], permissions: atMost(100) }).run('pay')
    expect(spent()).toBe(100)
  })

  it('where the first calls were refused for what they asked', async () => {
    const { pay, spent } = till({ schedule: { parallel: true } })
    const calls = [{ amount: 'much' }, { amount: 900 }, ...Array.from({ length: 10 }, () => ({ amount: 50 }))]
    const model = scriptedModel([{ calls: calls.map((input) => ({ tool: 'pay', input })) }, 'Done.'])
    await agent({ model, tools: [pay], permissions: atMost(100) }).run('pay')
    expect(spent()).toBe(100)
  })
})

describe('payments of several turns spend no more than a rule over the run allows', () => {
  it('one a turn', async () => {
    const { pay, spent } = till()
    const turn = { calls: [{ tool: 'pay', input: { amount: 50 } }] }
    const model = scriptedModel([...Array.from({ length: 6 }, () => turn), 'Done.'])
    await agent({ model, tools: [pay], limits: { loop: false }, permissions: atMost(100) }).run('pay')
    expect(spent()).toBe(100)
  })

  it('of which a process that is gone has made the first', async () => {
    const first = till({ before: () => (first.paid.length === 2 ? new Promise(() => {}) : undefined), effect: 'idempotent' })
    const turn = { calls: [{ tool: 'pay', input: {} }] }
    const permissions = atMost(150)
    const lost = agent({ model: scriptedModel([turn, turn, turn]), tools: [first.pay], limits: { loop: false }, permissions })
    void lost.run('pay', { thread: 't' })
    while ((await factsOf(lost, 't', 'tool.started')).length < 3) await idle()
    const second = till({ effect: 'idempotent' })
    const model = scriptedModel([turn, turn, 'Done.'])
    const next = agent({ model, tools: [second.pay], limits: { loop: false }, permissions, journal: abandoned(lost.journal) })
    expect((await next.resume('t').result()).status).toBe('done')
    expect(first.spent() + second.spent()).toBe(150)
  })

  it('and a new run has a sum of its own', async () => {
    const { pay, spent } = till()
    const clerk = agent({ model: pays(3), tools: [pay], permissions: atMost(100) })
    await clerk.run('pay', { thread: 't' })
    await clerk.run('again', { thread: 't' })
    expect(spent()).toBe(200)
  })
})

describe('a tree of agents spends no more than a rule of its root allows', () => {
  /** Ten payers under a boss, called in one reply. */
  function payers(permissions: Policy, parallel = true) {
    const { pay, spent } = till({ schedule: { parallel: true } })
    const names = Array.from({ length: 10 }, (_, n) => `payer${n}`)
    const tools = names.map((name) => agent({ name, model: callsEach('pay'), tools: [pay] }))
    return {
      spent,
      boss: agent({ model: callsEach(...names), tools, permissions, journal: memoryJournal(), behaviour: { concurrency: parallel ? 10 : 1 } }),
    }
  }

  it('with ten children in one reply', async () => {
    const { boss, spent } = payers(atMost(100))
    expect((await boss.run('pay')).status).toBe('done')
    expect(spent()).toBe(100)
  })

  it('with ten children whose calls were all approved before the first ran', async () => {
    const { boss, spent } = payers(atMost(100, { tool: 'pay', verdict: 'ask' }))
    await boss.run('pay', { onQuestion: async () => idle(5).then(() => approve()) })
    expect(spent()).toBe(100)
  })

  it('with children of children, which pay as their parents do', async () => {
    const { pay, spent } = till({ schedule: { parallel: true } })
    const low = agent({ name: 'low', model: pays(2), tools: [pay] })
    const middle = agent({ name: 'middle', model: callsEach('pay', 'low', 'low', 'pay'), tools: [pay, low] })
    await agent({ model: callsEach('middle', 'pay', 'middle'), tools: [middle, pay], permissions: atMost(100) }).run('pay')
    expect(spent()).toBe(100)
  })

  it('with children that had paid before another process took over', async () => {
    const { pay, spent } = till()
    const wait = tool({ name: 'wait', permission: 'ask', run: () => 'waited' })
    const payer = agent({ name: 'payer', model: callsEach('pay', 'wait'), tools: [pay, wait] })
    const boss = () => ({ model: callsEach('payer', 'payer', 'pay', 'pay'), tools: [payer, pay], permissions: atMost(100) })
    const first = agent(boss())
    const { questions } = await first.run('go', { thread: 't' })
    const next = agent({ ...boss(), journal: abandoned(first.journal) })
    for (const { id } of questions) await next.answer(id, approve())
    await next.resume('t', { onQuestion: () => approve() }).result()
    expect(spent()).toBe(100)
  })

  it('with children, and children of theirs, that had ended before another process took over', async () => {
    const { pay, spent } = till({ schedule: { parallel: true } })
    const wait = tool({ name: 'wait', permission: 'ask', run: () => 'waited' })
    const low = agent({ name: 'low', model: pays(1), tools: [pay] })
    const payer = agent({ name: 'payer', model: callsEach('low'), tools: [low] })
    const script = ['payer', 'wait', 'pay', 'pay', 'pay']
    const model = scriptedModel(({ prompt }) => {
      const name = script[prompt.filter(({ role }) => role === 'tool').length]
      return name ? { calls: [{ tool: name, input: { prompt: 'pay', amount: 50 } }] } : 'Done.'
    })
    const boss = { model, tools: [payer, pay, wait], limits: { loop: false as const }, permissions: atMost(100) }
    const first = agent(boss)
    const { questions } = await first.run('go', { thread: 't' })
    expect(spent()).toBe(50)
    const next = agent({ ...boss, journal: abandoned(first.journal) })
    await next.answer(questions[0]?.id ?? '', approve())
    expect((await next.resume('t').result()).status).toBe('done')
    expect(spent()).toBe(100)
  })
})

it('a fork spends no more than a rule over the run allows, with what the children of its past have spent', async () => {
  const { pay, spent } = till()
  const wait = tool({ name: 'wait', effect: 'read', permission: 'ask', run: () => 'waited' })
  const low = agent({ name: 'low', model: pays(1), tools: [pay] })
  const payer = agent({ name: 'payer', model: callsEach('pay', 'low'), tools: [pay, low] })
  const script = ['payer', 'wait', 'payer', 'pay']
  const model = scriptedModel(({ prompt }) => {
    const name = script[prompt.filter(({ role }) => role === 'tool').length]
    return name ? { calls: [{ tool: name, input: { prompt: 'pay', amount: 50 } }] } : 'Done.'
  })
  const boss = agent({ name: 'boss', model, tools: [payer, pay, wait], limits: { loop: false }, permissions: atMost(100) })
  await boss.run('go', { thread: 't' })
  expect(spent()).toBe(100)
  const fork = await boss.fork(`t@${(await boss.journal.head('t'))?.seq}`, { effects: 'live', limits: { tokens: 100_000 } })
  expect((await fork.resume({ onQuestion: () => approve() }).result()).status).toBe('done')
  expect(spent()).toBe(100)
})

describe('a verdict at admission', () => {
  it('never becomes looser: what was denied when it was proposed stays denied', async () => {
    const opened: string[] = []
    const { pay, spent } = till()
    const open = tool({ name: 'open', run: () => opened.push('till') && 'open' })
    const rules = [{ tool: 'pay', verdict: 'deny', when: () => opened.length === 0 }] as const
    await agent({ model: callsEach('open', 'pay'), tools: [open, pay], permissions: { rules, default: 'allow' } }).run('go')
    expect(spent()).toBe(0)
  })

  it('that has become ask asks, and the call waits', async () => {
    const { pay, paid } = till({ schedule: { parallel: true } })
    const rule = { tool: 'pay', verdict: 'ask', when: (facts: Parameters<typeof sumIn>[0]) => sumIn(facts) > 100 } as const
    const clerk = agent({ model: pays(3), tools: [pay], permissions: { rules: [rule], default: 'allow' } })
    const { status, questions } = await clerk.run('pay', { thread: 't' })
    expect({ status, questions: questions.length, paid }).toEqual({ status: 'waiting', questions: 1, paid: [50, 50] })
    await clerk.answer(questions[0]?.id ?? '', approve())
    expect((await clerk.resume('t').result()).status).toBe('done')
    expect(paid).toEqual([50, 50, 50])
  })

  it('that throws only then denies', async () => {
    let judged = 0
    const when = (): boolean => {
      judged += 1
      if (judged > 3) throw new Error('the ledger is down')
      return false
    }
    const { pay, spent } = till()
    await agent({ model: pays(3), tools: [pay], permissions: { rules: [{ tool: 'pay', verdict: 'deny', when }], default: 'allow' } }).run('pay')
    expect(spent()).toBe(0)
  })

  it('that never comes ends with a stop, and the tool does not run', async () => {
    let judged = 0
    const when = (): boolean | Promise<boolean> => (++judged > 1 ? new Promise<boolean>(() => {}) : false)
    const { pay, spent } = till()
    const clerk = agent({ model: pays(1), tools: [pay], permissions: { rules: [{ tool: 'pay', verdict: 'deny', when }], default: 'allow' } })
    const run = clerk.start('pay', { thread: 't' })
    while (judged < 2 && spent() === 0) await idle()
    await run.stop('enough')
    expect((await run.result()).status).toBe('stopped')
    expect(spent()).toBe(0)
  })
})
