/** Children of one durable body that both ask, answered one after the other while the first works. */
import { agent, approve, memoryJournal, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'
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
