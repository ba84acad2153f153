import { agent, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'

test('stopping or pausing the handle of a run that has ended changes nothing for the next run of the thread', async () => {
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<string>()
  const run = (): Promise<string> => {
    enter()
    return released
  }
  const wait = tool({ name: 'wait', effect: 'pure', run })
  const worker = agent({ model: scriptedModel(['one', { calls: [{ tool: 'wait', input: {} }] }, 'two']), tools: [wait] })
  const first = worker.start('1', { thread: 't' })
  await first.result()
  const second = worker.start('2', { thread: 't' })
  await entered
  await first.stop()
  await first.pause()
  release('ok')
  expect(await second.result()).toMatchObject({ status: 'done', text: 'two' })
})
