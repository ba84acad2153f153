/** The first use of code that is loaded on use: each test has modules of its own, of which nothing has been used before. */
import type { Question } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { beforeEach, expect, test, vi } from 'vitest'
import { factsOf } from './journals.ts'

beforeEach(() => vi.resetModules())

const looking = () => scriptedModel([{ calls: [{ tool: 'look' }], usage: { input: 10, output: 5 } }, 'Done.'])
const paying = () => scriptedModel([{ calls: [{ tool: 'pay' }] }, 'Paid.'])

test('the first limit is asked about once, although messages arrive while its words are loaded', async () => {
  const { agent, tool } = await import('@loom-agent/agent')
  const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
  const clerk = agent({ model: looking(), tools: [look], limits: { tokens: 12 } })
  const run = clerk.start('go', { thread: 't' })
  for await (const { type } of run.events()) if (type === 'tool.finished') await Promise.all(['one', 'two', 'three'].map((text) => run.steer(text)))
  expect(await run.result()).toMatchObject({ status: 'waiting', questions: [{ kind: 'limit' }] })
  expect(await factsOf(clerk, 't', 'message.steered')).toHaveLength(3)
  expect(await factsOf(clerk, 't', 'question.asked')).toHaveLength(1)
})

test('the first run that a limit stops says why, and what is pending', async () => {
  const { agent, tool } = await import('@loom-agent/agent')
  const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
  const clerk = agent({ model: looking(), tools: [look], limits: { turns: 1, onReached: 'stop' } })
  const reason = 'The limit of 1 turn is reached (1 turn used). Raise limits.turns and resume the thread.'
  const pending = 'Pending: the model has not read the results of look.'
  expect(await clerk.run('go', { thread: 't' })).toMatchObject({ status: 'stopped', kind: 'limit', reason: `${reason} ${pending}` })
  expect((await factsOf(clerk, 't', 'run.stopped')).map(({ data }) => data.reason)).toEqual([reason])
})

test('the first resolver of a caller is asked about a question of a child (RESOLVE-2)', async () => {
  const { agent, approve, tool } = await import('@loom-agent/agent')
  const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
  const child = agent({ name: 'child', model: paying(), tools: [pay] })
  const boss = agent({ model: scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'x' } }] }, 'Done.']), tools: [child] })
  const asked: Question[] = []
  const onQuestion = (question: Question) => {
    asked.push(question)
    return approve()
  }
  expect(await boss.run('go', { onQuestion })).toMatchObject({ status: 'done', text: 'Done.' })
  expect(asked).toMatchObject([{ kind: 'approval', call: { tool: 'pay' } }])
})

test('a start with the first resolver keeps its place before one that is made after it', async () => {
  const { agent, approve } = await import('@loom-agent/agent')
  const clerk = agent({ model: scriptedModel(['Ready.', 'First.', 'Second.']) })
  await clerk.run('begin', { thread: 't' })
  const first = clerk.start('first', { thread: 't', onQuestion: () => approve() })
  const second = clerk.start('second', { thread: 't', whenBusy: 'queue' })
  expect(await first.result()).toMatchObject({ run: 'r2', text: 'First.' })
  expect(await second.result()).toMatchObject({ run: 'r3', text: 'Second.' })
})
