/** A child that does not stop in time: what it has spent is counted by the run that was stopped (BODY-2). */
import { type Agent, agent, memoryJournal, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { factsOf } from './journals.ts'

const usage = { input: 100, output: 0 }
const minute = 60_000

/** A root, its child, and a child of that whose third mail arrives when it is opened: the graces of the three. */
function family([root, middle, leaf]: readonly [number, number, number]) {
  const sent: string[] = []
  const { promise: opened, resolve: open } = Promise.withResolvers<string>()
  const send = tool({ name: 'send', run: async () => (sent.push('mail') === 3 ? opened : 'sent') })
  const ask = (name: string) => scriptedModel(() => ({ calls: [{ tool: name, input: { prompt: 'go' } }], usage }))
  const below = agent({
    name: 'leaf',
    tools: { send },
    behaviour: { grace: leaf },
    model: scriptedModel(() => ({ calls: [{ tool: 'send' }], usage })),
  })
  const between = agent({ name: 'middle', tools: { leaf: below }, behaviour: { grace: middle }, model: ask('leaf') })
  const journal = memoryJournal()
  const boss: Agent = agent({ name: 'boss', journal, tools: { middle: between }, behaviour: { grace: root }, model: ask('middle') })
  return { boss, sent, open }
}

test.each([
  ['a child that ends in its own grace period is waited for', [20, 20, 20]],
  ['a child that has a longer grace period than its parent is left', [20, minute, minute]],
  ['a child of a child that has a longer grace period is left', [20, 20, minute]],
] as const)('%s, and what the tree has spent is counted by the run that was stopped', async (_, graces) => {
  const { boss, sent, open } = family(graces)
  const run = boss.start('go', { thread: 't' })
  await until(() => sent.length === 3)
  await run.stop('enough')
  expect(await run.result()).toMatchObject({ status: 'stopped', usage: { input: 500 } })
  const [finished] = await factsOf(boss, 't', 'child.finished')
  expect(finished?.data).toMatchObject({ usage: { input: 400 }, value: { status: 'stopped', inDoubt: true } })
  const [call] = await factsOf(boss, 't', 'tool.finished')
  expect(call?.data).toMatchObject({ errorType: 'outcome-unknown' })
  open('sent')
  await boss.drain()
})
