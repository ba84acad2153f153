/** A durable body that is stopped or runs out of time says what it did: steps in doubt, and steps that are done. */
import { agent, approve, memoryJournal, tool } from '@loom-agent/agent'
import { assertHistory, manualClock, mortalJournal, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { callsOnce } from '../../../test/support/calling-model.ts'
import { until } from '../../../test/support/event-loop.ts'
import { eventsOf, factsOf, typesOf } from './journals.ts'

/** A body that books, then pays; paying never ends. */
function errand(effect: 'unsafe' | 'read') {
  let isPaying = false
  const made = tool({
    name: 'errand',
    durable: true,
    effect,
    run: async (_input, ctx) => {
      await ctx.step('book', () => 'booked')
      await ctx.step('pay', () => {
        isPaying = true
        return new Promise<void>(() => {})
      })
    },
  })
  return { tools: [made], isPaying: () => isPaying }
}

const outcomesOf = async (journal: Parameters<typeof factsOf>[0], thread: string) =>
  (await factsOf(journal, thread, 'tool.finished')).map(({ data }) => ({ errorType: data.errorType, text: data.output.value }))

describe('a stop in the middle of a durable body', () => {
  test('says that the outcome of an unsafe step is unknown, and which steps are done', async () => {
    const { tools, isPaying } = errand('unsafe')
    const worker = agent({ model: callsOnce('errand'), tools, behaviour: { grace: 10 } })
    const run = worker.start('go', { thread: 't' })
    await until(isPaying)
    await run.stop('enough')
    expect(await run.result()).toMatchObject({ status: 'stopped' })
    const [outcome] = await outcomesOf(worker, 't')
    expect(outcome?.errorType).toBe('outcome-unknown')
    expect(outcome?.text).toBe(
      'errand was stopped while it ran: enough. In doubt: step pay #1 (completed before: step book #1). The outcome is unknown: verify it before you call this again.',
    )
    assertHistory(await eventsOf(worker, 't'))
  })

  test('says that it was cancelled where no step is in doubt, and which steps are done', async () => {
    const { tools, isPaying } = errand('read')
    const worker = agent({ model: callsOnce('errand'), tools, behaviour: { grace: 10 } })
    const run = worker.start('go', { thread: 't' })
    await until(isPaying)
    await run.stop('enough')
    await run.result()
    expect(await outcomesOf(worker, 't')).toEqual([{ errorType: 'cancelled', text: 'Cancelled: enough (completed before: step book #1)' }])
  })

  test.each([
    [
      'unsafe',
      'outcome-unknown',
      /^The process was lost while errand ran: .* In doubt: step pay #1 \(completed before: step book #1\)\. The outcome/,
    ],
    ['read', 'cancelled', /^Cancelled: enough \(completed before: step book #1\)$/],
  ] as const)('says the same when its process is gone (%s step)', async (effect, errorType, text) => {
    const journal = memoryJournal()
    const { tools, isPaying } = errand(effect)
    const mortal = mortalJournal(journal)
    agent({ name: 'worker', model: callsOnce('errand'), tools, journal: mortal.journal }).start('go', { thread: 't' })
    await until(isPaying)
    mortal.kill()
    const next = agent({ name: 'worker', model: callsOnce('errand'), tools, journal: mortalJournal(journal).journal })
    await next.stop('t', 'enough')
    const [outcome] = await outcomesOf({ journal }, 't')
    expect(outcome).toEqual({ errorType, text: expect.stringMatching(text) })
    assertHistory(await eventsOf({ journal }, 't'))
  })
})

describe('the time-out of a durable body that awaits a promise of its own', () => {
  const hang = (): Promise<void> => new Promise(() => {})
  const timeout = { effect: 'idempotent', schedule: { timeout: 5_000 } } as const

  test('ends it at its first entry, after a step, and after an answer', async () => {
    const clock = manualClock()
    const tools = [
      tool({ name: 'first', durable: true, ...timeout, run: hang }),
      tool({ name: 'step', durable: true, ...timeout, run: (_input, ctx) => ctx.step('one', () => 1).then(hang) }),
      tool({ name: 'answer', durable: true, ...timeout, run: (_input, ctx) => ctx.ask('Go on?').then(hang) }),
    ]
    for (const { name } of tools) {
      const worker = agent({ model: callsOnce(name), tools, ports: { clock, development: false } })
      let isDone = false
      const run = worker.start('go', { thread: 't' })
      const ended = run.result().then(async (result) => {
        const [question] = result.questions
        if (!question) return result
        await run.answer(question.id, approve())
        return run.result()
      })
      void ended.then(() => (isDone = true))
      await until(async () => {
        await clock.advance(100)
        return isDone
      })
      expect(await ended).toMatchObject({ status: 'done' })
      expect((await outcomesOf(worker, 't'))[0]?.errorType).toBe('timeout')
    }
  })

  test('ends it beside a child that has ended', async () => {
    const clock = manualClock()
    const talker = agent({ name: 'talker', model: scriptedModel(() => 'Hello.') })
    const tools = [tool({ name: 'child', durable: true, ...timeout, run: (_input, ctx) => Promise.all([ctx.run(talker, 'go'), hang()]) })]
    const worker = agent({ model: callsOnce('child'), tools, ports: { clock, development: false } })
    let isDone = false
    const ended = worker.run('go', { thread: 't' })
    void ended.then(() => (isDone = true))
    await until(async () => {
      await clock.advance(100)
      return isDone
    })
    expect(await ended).toMatchObject({ status: 'done' })
    expect(await typesOf(worker, 't')).toContain('child.finished')
    expect((await outcomesOf(worker, 't'))[0]?.errorType).toBe('timeout')
  })
})
