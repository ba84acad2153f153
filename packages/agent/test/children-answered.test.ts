/** Children of one durable body that both ask, answered one after the other while the first works. */
import { agent, answer, approve, memoryJournal, questions, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { idle, until } from '../../../test/support/event-loop.ts'
import { factsOf } from './journals.ts'

test('two children that ask are answered while one of them works: both end, and so does their parent', async () => {
  const journal = memoryJournal()
  let release = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let started = (): void => {}
  const working = new Promise<void>((resolve) => (started = resolve))
  const pay = tool({
    name: 'pay',
    permission: 'ask',
    async run() {
      started()
      await released
      return 'paid'
    },
  })
  const payer = (name: string) => agent({ name, model: scriptedModel([{ calls: [{ tool: 'pay' }] }, `${name} is done`]), tools: [pay] })
  const [left, right] = [payer('left'), payer('right')]
  const both = tool({
    name: 'both',
    durable: true,
    run: async (_input, ctx) => (await Promise.all([ctx.run(left, 'go'), ctx.run(right, 'go')])).map(({ text }) => text).join(', '),
  })
  const boss = agent({ model: scriptedModel([{ calls: [{ tool: 'both' }] }, 'All is done.']), tools: [both], journal })
  const run = boss.start('go', { thread: 't' })
  const { questions } = await run.result()
  expect(questions).toHaveLength(2)
  await run.answer(questions[0]?.id ?? '', approve())
  await working
  await run.answer(questions[1]?.id ?? '', approve())
  release()
  expect(await run.result()).toMatchObject({ status: 'done', text: 'All is done.' })
  expect((await factsOf(boss, 't', 'child.finished')).map(({ data }) => data.value)).toMatchObject([{ status: 'done' }, { status: 'done' }])
})

/** A journal that gives no hints. */
const withoutHints = (journal: Journal): Journal => ({ ...journal, watch: () => () => {} })

test.each([1, 2])('a child that waits is moved on without a hint while its parent is busy with another call: %i deep', async (depth) => {
  const clock = manualClock()
  const inner = memoryJournal()
  const busy = Promise.withResolvers<string>()
  const isMoved = Promise.withResolvers<void>()
  const paid = tool({
    name: 'pay',
    permission: 'ask',
    run() {
      isMoved.resolve()
      return 'paid'
    },
  })
  const calling = (...names: readonly string[]) =>
    scriptedModel(({ prompt }) =>
      prompt.at(-1)?.role === 'tool' ? 'done' : { calls: names.map((name) => ({ tool: name, input: { prompt: 'go' } })) },
    )
  let child = agent({ name: 'payer', model: calling('pay'), tools: [paid] })
  for (let deep = 1; deep < depth; deep += 1) child = agent({ name: 'between', model: calling('payer'), tools: [child] })
  const gate = tool({ name: 'gate', effect: 'pure', run: () => busy.promise })
  const boss = agent({ model: calling(child.name, 'gate'), tools: [child, gate], journal: withoutHints(inner), ports: { clock } })
  const run = boss.start('go', { thread: 't' })
  await until(async () => (await questions(inner)).length > 0)
  await idle()
  const [open] = await questions(inner)
  await answer(inner, open?.id ?? '', approve())
  await idle()
  await clock.advance(10_000)
  await isMoved.promise
  busy.resolve('open')
  expect((await run.result()).status).toBe('done')
})
