import { agent, approve, reject, respond, tool } from '@loom-agent/agent'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { until } from '../../../test/support/event-loop.ts'
import { abandoned, factsOf, typesOf } from './journals.ts'

const call = (name: string, input: object = {}) => ({ calls: [{ tool: name, input }] })

describe('a durable body', () => {
  test('waits for an answer, is entered again, and does its steps once', async () => {
    const done: string[] = []
    let entries = 0
    const book = tool({
      name: 'book',
      durable: true,
      run: async (_, ctx) => {
        entries += 1
        const seat = await ctx.step('reserve', () => done.push('reserved') && 'seat 7')
        const answer = await ctx.ask(`Take ${seat}?`)
        if (answer.kind !== 'approve') return 'cancelled'
        await ctx.step('pay', () => void done.push('paid'))
        return `booked ${seat}`
      },
    })
    const model = scriptedModel([call('book'), 'ok'])
    const clerk = agent({ model, tools: [book], ports: { development: false } })
    const run = clerk.start('book', { thread: 't' })
    const waiting = await run.result()
    expect(waiting).toMatchObject({ status: 'waiting', questions: [{ kind: 'choice', prompt: 'Take seat 7?' }] })
    expect(done).toEqual(['reserved'])
    await run.answer(waiting.questions[0]?.id ?? '', approve())
    expect((await run.result()).status).toBe('done')
    expect(done).toEqual(['reserved', 'paid'])
    expect(entries).toBe(2)
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('booked seat 7')
  })

  test('gets the answer as it was given', async () => {
    const kinds: unknown[] = []
    const choose = tool({
      name: 'choose',
      durable: true,
      run: async (_, ctx) => {
        const first = await ctx.ask('Colour?', { name: 'colour', schema: z.object({ colour: z.string() }) })
        const second = await ctx.ask('Sure?', { name: 'sure' })
        kinds.push(first, second)
        return 'ok'
      },
    })
    const run = agent({ model: scriptedModel([call('choose'), 'ok']), tools: [choose] }).start('go')
    const one = await run.result()
    await expect(run.answer(one.questions[0]?.id ?? '', respond({ colour: 7 }))).rejects.toMatchObject({ code: 'LOOM_ANSWER_INVALID' })
    await run.answer(one.questions[0]?.id ?? '', respond({ colour: 'red' }))
    const two = await run.result()
    await run.answer(two.questions[0]?.id ?? '', reject('no'))
    await run.result()
    expect(kinds).toEqual([
      { kind: 'respond', value: { colour: 'red' } },
      { kind: 'reject', reason: 'no' },
    ])
  })

  test('sleeps without holding a process, and wakes when the time has come', async () => {
    const clock = manualClock()
    const nap = tool({ name: 'nap', durable: true, run: async (_, ctx) => (await ctx.sleep(10_000)) ?? 'rested' })
    const sleeper = agent({ model: scriptedModel([call('nap'), 'ok']), tools: [nap], ports: { clock } })
    const run = sleeper.start('go', { thread: 't' })
    await clock.advance(9_000)
    expect(await typesOf(sleeper, 't')).toContain('run.suspended')
    await clock.advance(2_000)
    expect(await run.result()).toMatchObject({ status: 'done' })
  })

  test('that sleeps for long makes the run wait, with the time it wakes', async () => {
    const clock = manualClock()
    const day = 24 * 60 * 60 * 1000
    const nap = tool({ name: 'nap', durable: true, run: async (_, ctx) => (await ctx.sleep(day)) ?? 'rested' })
    const sleeper = agent({ model: scriptedModel([call('nap'), 'ok']), tools: [nap], ports: { clock } })
    const result = await sleeper.run('go', { thread: 't' })
    expect(result).toMatchObject({ status: 'waiting', until: clock.now() + day })
    expect((await sleeper.journal.head('t'))?.summary).toMatchObject({ status: 'waiting', wakeAt: clock.now() + day })
    await clock.advance(day)
    expect(await sleeper.resume('t').result()).toMatchObject({ status: 'done' })
  })

  test('asks several at once, and each answer reaches its asker in any order', async () => {
    const both = tool({
      name: 'both',
      durable: true,
      run: async (_, ctx) => {
        const [a, b] = await Promise.all([ctx.ask('a?', { name: 'a' }), ctx.ask('b?', { name: 'b' })])
        return [a, b]
      },
    })
    const model = scriptedModel([call('both'), 'ok'])
    const run = agent({ model, tools: [both] }).start('go')
    const { questions } = await run.result()
    expect(questions.map(({ prompt }) => prompt)).toEqual(['a?', 'b?'])
    await run.answer(questions[1]?.id ?? '', respond('B'))
    expect(await run.result()).toMatchObject({ status: 'waiting', questions: [{ prompt: 'a?' }] })
    await run.answer(questions[0]?.id ?? '', respond('A'))
    await run.result()
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('[{"kind":"respond","value":"A"},{"kind":"respond","value":"B"}]')
  })

  test('whose step fails gets the same failure again when it is entered again', async () => {
    let tries = 0
    const shaky = tool({
      name: 'shaky',
      durable: true,
      run: async (_, ctx) => {
        const outcome = await ctx
          .step('risky', () => {
            tries += 1
            throw new Error('no luck')
          })
          .catch((error: Error) => error.message)
        await ctx.ask('go on?')
        return outcome
      },
    })
    const model = scriptedModel([call('shaky'), 'ok'])
    const run = agent({ model, tools: [shaky] }).start('go')
    await run.answer((await run.result()).questions[0]?.id ?? '', approve())
    await run.result()
    expect(tries).toBe(1)
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('no luck')
  })

  test('releases its place while it waits: waiting is not tool time', async () => {
    const clock = manualClock()
    const asks = tool({
      name: 'asks',
      durable: true,
      schedule: { timeout: 1000, parallel: true },
      run: async (_, ctx) => (await ctx.ask('?')).kind,
    })
    const model = scriptedModel([{ calls: Array.from({ length: 3 }, () => ({ tool: 'asks' })) }, 'ok'])
    const clerk = agent({ model, tools: [asks], behaviour: { concurrency: 1 }, ports: { clock } })
    const run = clerk.start('go', { thread: 't' })
    const settled = run.result()
    await clock.advance(5000)
    const { questions } = await settled
    expect(questions).toHaveLength(3)
    for (const { id } of questions) await run.answer(id, approve())
    const done = run.result()
    await clock.advance(10)
    expect((await done).status).toBe('done')
  })
})

describe('divergence', () => {
  test('is seen at once in development', async () => {
    let entry = 0
    const fickle = tool({
      name: 'fickle',
      durable: true,
      run: async (_, ctx) => {
        entry += 1
        await ctx.ask('?', { name: `question ${entry}` })
        return 'x'
      },
    })
    const worker = agent({ model: scriptedModel([call('fickle'), 'ok']), tools: [fickle], ports: { development: true } })
    expect((await worker.run('go', { thread: 't' })).status).toBe('done')
    const [result] = await factsOf(worker, 't', 'tool.finished')
    expect(result?.data).toMatchObject({ status: 'error' })
    expect(JSON.stringify(result?.data)).toContain('which it had not reached before')
  })

  test('of new code from what was recorded becomes a question, never a guess', async () => {
    const make = (name: string) =>
      tool({
        name: 'book',
        durable: true,
        run: async (_, ctx) => {
          await ctx.step(name, () => 'done')
          return (await ctx.ask('ok?')).kind
        },
      })
    const old = agent({ model: scriptedModel([call('book')]), tools: [make('reserve')] })
    const { questions } = await old.run('go', { thread: 't' })
    const renewed = agent({ model: scriptedModel('ok'), tools: [make('reserve-seat')], journal: old.journal })
    const run = renewed.resume('t')
    await run.answer(questions[0]?.id ?? '', approve())
    const stuck = await run.result()
    expect(stuck).toMatchObject({ status: 'waiting', questions: [{ kind: 'incompatible' }] })
    expect(stuck.questions[0]?.prompt).toContain('step reserve #1')
    await run.answer(stuck.questions[0]?.id ?? '', respond('booked by hand'))
    expect((await run.result()).status).toBe('done')
  })
})

describe('when the process is lost', () => {
  test('inside an unsafe step, a question is asked; answered, the body goes on', async () => {
    for (const [answer, expected, times] of [
      [respond('paid already'), 'paid already', 1],
      [approve(), 'paid', 2],
    ] as const) {
      let paid = 0
      let lost = true
      const pay = tool({
        name: 'pay',
        durable: true,
        run: async (_, ctx) =>
          ctx.step('charge', () => {
            paid += 1
            return lost ? new Promise(() => {}) : 'paid'
          }),
      })
      const first = agent({ model: scriptedModel([call('pay')]), tools: [pay] })
      void first.run('go', { thread: 't' })
      await until(() => paid > 0)
      lost = false
      const model = scriptedModel('ok')
      const second = agent({ model, tools: [pay], journal: abandoned(first.journal) })
      const run = second.resume('t')
      const waiting = await run.result()
      expect(waiting).toMatchObject({ status: 'waiting', questions: [{ kind: 'in-doubt' }] })
      expect(paid).toBe(1)
      await run.answer(waiting.questions[0]?.id ?? '', answer)
      expect((await run.result()).status).toBe('done')
      expect(paid).toBe(times)
      expect(JSON.stringify(model.requests[0]?.prompt)).toContain(expected)
    }
  })
})
