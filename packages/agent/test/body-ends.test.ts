import { agent, memoryJournal, questions, threads, tool } from '@loom-agent/agent'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { idle, until } from '../../../test/support/event-loop.ts'
import { factsOf, typesOf } from './journals.ts'

const call = (name: string) => ({ calls: [{ tool: name }] })

/** A durable tool that throws, or returns, while its unsafe step `charge` is at work, until it is opened. */
function leaving(how: 'throws' | 'returns', timeout = 120_000) {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const { promise: hasEnded, resolve: end } = Promise.withResolvers<void>()
  const charged: string[] = []
  const pay = tool({
    name: 'pay',
    durable: true,
    schedule: { timeout },
    run: async (_, ctx) => {
      const charge = ctx.step('charge', async () => {
        charged.push('begun')
        await opened
        charged.push('done')
      })
      const check = ctx.step('check', async () => {
        await until(() => charged.length === 1)
        if (how === 'throws') throw new Error('the stock is empty')
      })
      try {
        if (how === 'throws') await Promise.all([charge, check])
        else await Promise.race([charge, check])
        return 'checked'
      } finally {
        end()
      }
    },
  })
  return { pay, charged, open, hasEnded }
}

describe('a durable body that ends while an unsafe step of it is at work (BODY-1)', () => {
  test.each(['throws', 'returns'] as const)('is waited for, and the end of the step is recorded before that of the call: it %s', async (how) => {
    const { pay, charged, open, hasEnded } = leaving(how)
    const model = scriptedModel([call('pay'), 'ok'])
    const payer = agent({ model, tools: { pay } })
    const run = payer.start('go', { thread: 't' })
    await hasEnded
    await idle(50)
    expect(await typesOf(payer, 't')).not.toContain('tool.finished')
    open()
    expect(await run.result()).toMatchObject({ status: 'done' })
    expect(charged).toEqual(['begun', 'done'])
    const ends = (await factsOf(payer, 't', 'tool.step-finished')).map(({ data: { key } }) => key)
    expect(ends).toEqual(['step:check:1', 'step:charge:1'])
    const [finished] = await factsOf(payer, 't', 'tool.finished')
    if (how === 'returns') expect(finished?.data).toMatchObject({ status: 'success', output: { value: 'checked' } })
    else expect(JSON.stringify(finished?.data.output)).toMatch(/the stock is empty\. It had begun and did not wait for: step charge #1.*Verify/)
  })

  test('is waited for by drain', async () => {
    const { pay, charged, open, hasEnded } = leaving('returns')
    const payer = agent({ model: scriptedModel([call('pay'), 'ok']), tools: { pay } })
    const result = payer.run('go').catch(() => undefined)
    await hasEnded
    const drained = payer.drain().then(() => [...charged])
    await idle(50)
    open()
    expect(await drained).toEqual(['begun', 'done'])
    await result
  })

  test.each(['throws', 'returns'] as const)('has an unknown outcome, which names the step, where it takes too long: it %s (BODY-3)', async (how) => {
    const clock = manualClock()
    const { pay, hasEnded } = leaving(how, 1000)
    const payer = agent({ model: scriptedModel([call('pay'), 'ok']), tools: { pay }, ports: { clock } })
    const result = payer.run('go', { thread: 't' })
    await hasEnded
    await clock.advance(1000)
    expect(await result).toMatchObject({ status: 'done' })
    const [finished] = await factsOf(payer, 't', 'tool.finished')
    expect(finished?.data).toMatchObject({ errorType: 'outcome-unknown' })
    expect(JSON.stringify(finished?.data.output)).toContain('In doubt: step charge #1')
  })

  test('has an unknown outcome where the run is stopped and the step does not end in time', async () => {
    const { pay, hasEnded } = leaving('throws')
    const payer = agent({ model: scriptedModel([call('pay'), 'ok']), tools: { pay }, behaviour: { grace: 1 } })
    const run = payer.start('go', { thread: 't' })
    await hasEnded
    await run.stop('enough')
    expect(await run.result()).toMatchObject({ status: 'stopped' })
    const [finished] = await factsOf(payer, 't', 'tool.finished')
    expect(finished?.data).toMatchObject({ errorType: 'outcome-unknown' })
  })

  test('does not run a step that it had only just begun', async () => {
    const ran: string[] = []
    const pay = tool({
      name: 'pay',
      durable: true,
      run: async (_, ctx) => {
        void ctx.step('charge', () => void ran.push('charge'))
        await Promise.resolve()
        throw new Error('never mind')
      },
    })
    const payer = agent({ model: scriptedModel([call('pay'), 'ok']), tools: { pay } })
    expect(await payer.run('go', { thread: 't' })).toMatchObject({ status: 'done' })
    await idle(50)
    expect(ran).toEqual([])
    const [finished] = await factsOf(payer, 't', 'tool.finished')
    expect(JSON.stringify(finished?.data)).toContain('Check the arguments')
  })
})

describe('a durable body that ends before a child of it has (BODY-2)', () => {
  const quick = agent({ name: 'quick', model: scriptedModel(() => ({ text: 'quick', usage: { input: 1, output: 1 } })) })

  test.each(['throws', 'returns'] as const)('stops a child at work, and counts what it has spent: it %s', async (how) => {
    const journal = memoryJournal()
    const sent: string[] = []
    const send = tool({
      name: 'send',
      run: async (_, { signal }) => {
        if (sent.push('mail') === 3) await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return `sent ${sent.length}`
      },
    })
    const greedy = agent({
      name: 'greedy',
      tools: { send },
      limits: { turns: 1000 },
      model: scriptedModel(() => ({ ...call('send'), usage: { input: 100, output: 0 } })),
    })
    const job = tool({
      name: 'job',
      durable: true,
      run: async (_, ctx) => {
        const work = ctx.run(greedy, 'work')
        await ctx.step('wait', () => until(() => sent.length > 2), { effect: 'read' })
        if (how === 'throws') throw new Error('the stock is empty')
        return Promise.race([work, ctx.run(quick, 'q')]).then(({ text }) => text)
      },
    })
    const boss = agent({ name: 'boss', journal, tools: { job }, model: scriptedModel([{ ...call('job'), usage: { input: 0, output: 0 } }, 'ok']) })
    const result = await boss.run('go', { thread: 't' })
    const sentThen = sent.length
    expect(result.status).toBe('done')
    const statuses: string[] = []
    for await (const { summary } of threads(journal, {})) statuses.push(`${summary.agent} ${summary.status}`)
    expect(statuses).toContain('greedy stopped')
    const ends = await factsOf(boss, 't', 'child.finished')
    const spent = ends.find(({ data: { key } }) => key === 'run:greedy:1')?.data.usage?.input ?? 0
    expect(spent).toBeGreaterThanOrEqual(100 * sentThen)
    expect(result.usage.input).toBeGreaterThanOrEqual(spent)
    await idle(50)
    expect(sent).toHaveLength(sentThen)
  })

  test('stops a child that waits, and its question is gone', async () => {
    const journal = memoryJournal()
    const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
    const clerk = agent({ name: 'clerk', tools: { pay }, model: scriptedModel([call('pay'), 'ok']) })
    const job = tool({
      name: 'job',
      durable: true,
      run: async (_, ctx) => {
        const asked = ctx.run(clerk, 'pay')
        await ctx.step('wait', () => until(async () => (await questions(journal)).length > 0), { effect: 'read' })
        return Promise.race([asked, ctx.run(quick, 'q')]).then(({ text }) => text)
      },
    })
    const boss = agent({ name: 'boss', journal, tools: { job }, model: scriptedModel([call('job'), 'ok']) })
    expect(await boss.run('go', { thread: 't' })).toMatchObject({ status: 'done', questions: [] })
    expect(await questions(journal)).toEqual([])
    const ends = await factsOf(boss, 't', 'child.finished')
    expect(ends.map(({ data }) => [data.key, (data.value as { status?: string }).status])).toEqual([
      ['run:quick:1', 'done'],
      ['run:clerk:1', 'stopped'],
    ])
  })
})
