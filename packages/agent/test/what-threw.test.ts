import { scriptedModel } from '@loom-agent/testing'
import { expect, test, vi } from 'vitest'
import { type AgentOptions, agent, type ContextStrategy, compact, everything, pipeline } from '../src/index.ts'

class Boom extends Error {}
const thrown = new Boom('boom')
const fail = (): never => {
  throw thrown
}
const failLater = async (): Promise<never> => fail()
const strategy = (assemble: () => never | Promise<never>): ContextStrategy => ({ name: 'mine', assemble })
const tooLong = Object.assign(new Error('prompt is too long'), { statusCode: 413 })
const shortening: ContextStrategy = { name: 'mine', assemble: ({ rebase }) => (rebase === 'overflow' ? fail() : {}) }

const cases: readonly (readonly [string, AgentOptions])[] = [
  ['instructions', { instructions: fail }],
  ['instructions', { instructions: failLater as () => never }],
  ['tools', { tools: fail }],
  ['tools', { tools: failLater as () => never }],
  ['deps', { deps: fail }],
  ['deps', { deps: failLater }],
  ['the context strategy "mine"', { context: strategy(fail) }],
  ['the context strategy "mine"', { context: strategy(failLater) }],
  ['the context strategy "mine"', { context: pipeline(everything, strategy(fail), everything) }],
  ['the context strategy "mine"', { context: pipeline(strategy(failLater)) }],
]

test.each(cases)('a run that fails because %s threw says so, with what was thrown as its cause (%#)', async (what, options) => {
  const failing = agent({ model: scriptedModel(() => 'never sent'), ports: { development: false }, ...options } as AgentOptions)
  const result = await failing.run('Hi', { thread: 't' })
  expect(result).toMatchObject({
    status: 'failed',
    error: { code: 'LOOM_RUN_FAILED', message: `The run failed: ${what} threw: boom`, recoverable: true },
  })
  expect(result.status === 'failed' && result.cause).toBe(thrown)
})

test('a pipeline names the strategy that threw, and others go on when it is mended', async () => {
  let isBroken = true
  const mending: ContextStrategy = { name: 'mending', assemble: () => (isBroken ? fail() : {}) }
  const talker = agent({ model: scriptedModel(() => 'Hello.'), context: pipeline(everything, mending), ports: { development: false } })
  expect((await talker.run('Hi', { thread: 't' })).status).toBe('failed')
  isBroken = false
  await compact(talker.journal, 't')
  expect((await talker.resume('t').result()).text).toBe('Hello.')
})

test('a strategy that throws when it is asked for room is in the log, and the run fails with what the model said', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const model = scriptedModel([{ throws: tooLong }])
  const failed = await agent({ model, context: shortening, ports: { development: true } }).run('Hi', { thread: 't' })
  const logged = log.mock.calls.map((words) => words.join(' '))
  log.mockRestore()
  expect(failed).toMatchObject({ status: 'failed', error: { code: 'LOOM_MODEL_CONTEXT_LENGTH' } })
  expect(logged[0]).toMatch(/No room was made in the thread t:[\s\S]*the context strategy "mine" threw: boom/)
})
