import { agent, approve, type DurableContext, memoryJournal, questions, reject, respond, signal, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { abandoned, factsOf } from './journals.ts'

const call = (name: string, input: object = {}) => ({ calls: [{ tool: name, input }] })
const ways = [{ development: false }, { development: true }, { development: false, reenter: true }]

/** Two branches: that of bob is always the first to go on after its step, though alice stands first in the code. */
async function bobFirst<T>(ctx: DurableContext, branch: (who: string) => Promise<T>): Promise<readonly T[]> {
  const arrived: string[] = []
  const one = async (who: string): Promise<T> => {
    await ctx.step(`look up ${who}`, () => (who === 'bob' ? undefined : until(() => arrived.includes('bob'))), { effect: 'read' })
    arrived.push(who)
    return branch(who)
  }
  return Promise.all([one('alice'), one('bob')])
}

describe('parallel branches of a durable body (DURABLE-8)', () => {
  test.each(ways)('each get the answer to their own question, though none has a name: %o', async (ports) => {
    const charged: string[] = []
    const job = tool({
      name: 'job',
      durable: true,
      run: async (_, ctx) => {
        await bobFirst(ctx, async (who) => {
          const answer = await ctx.ask(`Charge ${who}?`)
          if (answer.kind === 'approve') await ctx.step(`charge ${who}`, () => void charged.push(who))
        })
        return 'done'
      },
    })
    const run = agent({ model: scriptedModel([call('job'), 'ok']), tools: [job], ports }).start('go')
    const waiting = await run.result()
    expect(waiting.questions.map(({ prompt }) => prompt)).toEqual(['Charge bob?', 'Charge alice?'])
    for (const { id, prompt } of waiting.questions) await run.answer(id, prompt.includes('alice') ? reject('cancelled') : approve())
    expect(await run.result()).toMatchObject({ status: 'done' })
    expect(charged).toEqual(['bob'])
  })

  test.each(ways)('each get the answer of their own child: %o', async (ports) => {
    const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
    const clerk = agent({
      name: 'clerk',
      tools: { pay },
      model: scriptedModel(({ prompt }) =>
        prompt.at(-1)?.role === 'tool' ? `paid for ${/of (\w+)/.exec(JSON.stringify(prompt[0]))?.[1]}` : call('pay'),
      ),
    })
    const job = tool({
      name: 'job',
      durable: true,
      effect: 'read',
      run: (_, ctx) => bobFirst(ctx, async (who) => `${who}: ${(await ctx.run(clerk, `the bill of ${who}`)).text}`),
    })
    const model = scriptedModel([call('job'), 'ok'])
    const run = agent({ model, tools: { job }, ports }).start('go')
    let result = await run.result()
    for (; result.status === 'waiting'; result = await run.result()) await run.answer(result.questions[0]?.id ?? '', approve())
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('["alice: paid for alice","bob: paid for bob"]')
  })

  test('each do their own step of one name, though the process was lost in one of them; the question names what is completed', async () => {
    const charged: string[] = []
    let isLost = true
    const job = tool({
      name: 'job',
      durable: true,
      run: (_, ctx) =>
        bobFirst(ctx, (who) =>
          ctx.step('charge', async () => {
            if (isLost && who === 'bob') await new Promise(() => {})
            charged.push(who)
            return `receipt of ${who}`
          }),
        ),
    })
    const first = agent({ model: scriptedModel([call('job')]), tools: [job] })
    void first.run('go', { thread: 't' })
    await until(async () => (await factsOf(first, 't', 'tool.step-finished')).length === 3)
    isLost = false
    const model = scriptedModel('ok')
    const run = agent({ model, tools: [job], journal: abandoned(first.journal) }).resume('t')
    const [question] = (await run.result()).questions
    expect(question?.prompt).toContain('step charge #1 of call 1.0 (job)')
    expect(question?.prompt).toContain('Completed of this call: step look up bob #1, step look up alice #1, step charge #2.')
    await run.answer(question?.id ?? '', approve())
    await run.result()
    expect(charged).toEqual(['alice', 'bob'])
    expect(JSON.stringify(model.requests[0]?.prompt)).toContain('["receipt of alice","receipt of bob"]')
  })

  test('that do something of their own between two keys get their records all the same (DURABLE-9)', async () => {
    let entries = 0
    const job = tool({
      name: 'job',
      durable: true,
      run: async (_, ctx) => {
        entries += 1
        const isFirst = entries === 1
        const { promise: isB, resolve: gotB } = Promise.withResolvers<void>()
        const { promise: isA, resolve: gotA } = Promise.withResolvers<void>()
        const a = async () => {
          if (!isFirst) await isB
          await ctx.step('a', () => 1)
          gotA()
        }
        const b = async () => {
          if (isFirst) await isA
          await ctx.step('b', () => 2)
          gotB()
        }
        await Promise.all([a(), b()])
        return (await ctx.ask('go on?')).kind
      },
    })
    const run = agent({ model: scriptedModel([call('job'), 'ok']), tools: [job], ports: { development: false } }).start('go')
    await run.answer((await run.result()).questions[0]?.id ?? '', approve())
    expect(await run.result()).toMatchObject({ status: 'done' })
    expect(entries).toBe(2)
  })
})

describe('a race in a durable body', () => {
  /** What races: the first of them comes last. */
  const races = {
    signals: (ctx: DurableContext) => [ctx.waitFor('anne'), ctx.waitFor('bert')],
    questions: (ctx: DurableContext) => [ctx.ask('anne?', { name: 'anne' }), ctx.ask('bert?', { name: 'bert' })],
  }
  const kinds = ['signals', 'questions'] as const
  test.each(kinds)('has the same winner at every entry, whatever comes later: %s', async (kind) => {
    const acted: string[] = []
    const job = tool({
      name: 'job',
      durable: true,
      run: async (_, ctx) => {
        const winner = await Promise.race(races[kind](ctx).map((wait, index) => Promise.resolve(wait).then(() => index)))
        await ctx.step(`act on ${winner}`, () => void acted.push(`${winner}`))
        await ctx.ask('go on?', { name: 'go on' })
        return 'done'
      },
    })
    const journal = memoryJournal()
    const boss = agent({ name: 'boss', journal, model: scriptedModel([call('job'), 'ok']), tools: [job] })
    const run = boss.start('go', { thread: 't' })
    await run.result()
    const come = async (name: string): Promise<void> => {
      if (kind === 'signals') await signal(journal, 't', name, 1)
      else await boss.answer((await questions(journal)).find(({ prompt }) => prompt === `${name}?`)?.id ?? '', approve())
      await boss.resume('t').result()
    }
    await come('bert')
    await come('anne')
    const open = await questions(journal)
    expect(open.map(({ prompt }) => prompt)).toEqual(['go on?'])
    await boss.answer(open[0]?.id ?? '', approve())
    expect(await boss.resume('t').result()).toMatchObject({ status: 'done' })
    expect(acted).toEqual(['1'])
  })

  test('is won by an answer that was recorded before a step ended, at once and later', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const winners: string[] = []
    const job = tool({
      name: 'job',
      durable: true,
      run: async (_, ctx) => {
        const work = ctx.step('work', () => opened.then(() => 'worked')).then(() => 'work')
        const winner = await Promise.race([work, ctx.ask('Enough?', { name: 'enough' }).then(() => 'answer')])
        winners.push(winner)
        await ctx.ask('go on?', { name: 'go on' })
        return winner
      },
    })
    const journal = memoryJournal()
    const boss = agent({ name: 'boss', journal, model: scriptedModel([call('job'), 'ok']), tools: [job], ports: { development: false } })
    const run = boss.start('go', { thread: 't' })
    await until(async () => (await questions(journal)).length === 1)
    await run.answer((await questions(journal))[0]?.id ?? '', approve())
    open()
    const waiting = await run.result()
    await run.answer(waiting.questions[0]?.id ?? '', approve())
    expect(await run.result()).toMatchObject({ status: 'done' })
    expect(new Set(winners)).toEqual(new Set(['answer']))
  })
})

describe('a key that stands for something else than before (DURABLE-10)', () => {
  const asks = (prompt: string) =>
    tool({
      name: 'job',
      durable: true,
      run: async (_, ctx) => {
        const { kind } = await ctx.ask(prompt, { name: 'charge' })
        await ctx.ask('go on?', { name: 'go on' })
        return kind
      },
    })

  test.each(['open', 'answered'])('is asked about: a question that is %s', async (state) => {
    const old = agent({ name: 'boss', model: scriptedModel([call('job')]), tools: [asks('Charge 100?')] })
    const first = old.start('go', { thread: 't' })
    const [question] = (await first.result()).questions
    if (state === 'answered') await first.answer(question?.id ?? '', approve())
    await first.result()
    const model = scriptedModel('ok')
    const renewed = agent({ name: 'boss', model, tools: [asks('Charge 900?')], journal: old.journal })
    const run = renewed.resume('t')
    const [next] = await questions(old.journal)
    await run.answer(next?.id ?? '', approve())
    const stuck = await run.result()
    expect(stuck.questions.map(({ kind }) => kind)).toContain('incompatible')
    const asked = stuck.questions.find(({ kind }) => kind === 'incompatible')
    expect(asked?.prompt).toContain('ask charge #1 asks "Charge 900?" and had asked "Charge 100?"')
    await run.answer(asked?.id ?? '', respond('done by hand'))
    expect(await run.result()).toMatchObject({ status: 'done' })
    expect(JSON.stringify(model.requests[0]?.prompt)).toContain('done by hand')
  })

  test('is asked about: a child with another input, which goes on once a human has approved', async () => {
    const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
    const clerk = agent({ name: 'clerk', tools: { pay }, model: scriptedModel([call('pay'), 'It is paid.']) })
    const runs = (input: string) => tool({ name: 'job', durable: true, run: async (_, ctx) => (await ctx.run(clerk, input)).text })
    const old = agent({ name: 'boss', model: scriptedModel([call('job')]), tools: [runs('Pay 100.')] })
    const [question] = (await old.run('go', { thread: 't' })).questions
    const model = scriptedModel('ok')
    const run = agent({ name: 'boss', model, tools: [runs('Pay 900.')], journal: old.journal }).resume('t')
    await run.answer(question?.id ?? '', approve())
    const [asked] = (await run.result()).questions
    expect(asked).toMatchObject({ kind: 'incompatible' })
    expect(asked?.prompt).toContain('run clerk #1 has another input')
    await run.answer(asked?.id ?? '', approve())
    expect(await run.result()).toMatchObject({ status: 'done' })
    expect(JSON.stringify(model.requests[0]?.prompt)).toContain('It is paid.')
  })

  test('is refused in development, at the first wait', async () => {
    let entries = 0
    const fickle = tool({
      name: 'job',
      durable: true,
      run: async (_, ctx) => {
        entries += 1
        return (await ctx.ask(`Charge ${entries}?`, { name: 'charge' })).kind
      },
    })
    const worker = agent({ model: scriptedModel([call('job'), 'ok']), tools: [fickle], ports: { development: true } })
    expect(await worker.run('go', { thread: 't' })).toMatchObject({ status: 'done' })
    const [result] = await factsOf(worker, 't', 'tool.finished')
    expect(JSON.stringify(result?.data)).toContain('reached ask charge #1, which stood for something else before')
  })
})

test('a signal that comes while a step is at work is read once, and not kept for a later run (DURABLE-11)', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const journal = memoryJournal()
  const job = tool({
    name: 'job',
    durable: true,
    run: async (_, ctx) => {
      const [received] = await Promise.all([ctx.waitFor('paid'), ctx.step('work', () => opened)])
      return received
    },
  })
  const boss = agent({ name: 'boss', journal, model: scriptedModel([call('job'), 'ok', call('job')]), tools: [job], ports: { development: false } })
  const run = boss.start('go', { thread: 't' })
  await until(async () => (await factsOf(boss, 't', 'tool.step-started')).length === 2)
  await signal(journal, 't', 'paid', 1)
  open()
  expect(await run.result()).toMatchObject({ status: 'done' })
  expect(await boss.run('again', { thread: 't' })).toMatchObject({ status: 'waiting', waits: [{ signal: 'paid' }] })
})
