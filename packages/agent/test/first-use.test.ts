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

test('the first starts on one thread keep their order', async () => {
  const { agent } = await import('@loom-agent/agent')
  const clerk = agent({ model: scriptedModel(({ prompt }) => JSON.stringify(prompt.at(-1)?.content)) })
  const runs = ['one', 'two', 'three'].map((input) => clerk.start(input, { thread: 't' }))
  const results = await Promise.all(runs.map((run) => run.result()))
  expect(results.map(({ run, text }) => [run, /one|two|three/.exec(text)?.[0]])).toEqual([
    ['r1', 'one'],
    ['r2', 'two'],
    ['r3', 'three'],
  ])
})

test('the first start whose new id is that of another thread is the next run there', async () => {
  const { agent } = await import('@loom-agent/agent')
  const given: string[] = []
  const clerk = agent({ model: scriptedModel(() => 'ok'), ports: { ids: () => given.pop() ?? crypto.randomUUID() } })
  for (const run of ['r1', 'r2']) {
    given.push('t')
    expect(await clerk.run('go')).toMatchObject({ thread: 't', run, status: 'done' })
  }
  expect(await factsOf(clerk, 't', 'thread.started')).toHaveLength(1)
})

test('the first agent with an output schema that records deltas sends the one and stores the others', async () => {
  const { agent, jsonSchema } = await import('@loom-agent/agent')
  const model = scriptedModel(['{"sum":4}'])
  const output = jsonSchema({ type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] })
  const clerk = agent({ model, output, record: { deltas: true } })
  expect(await clerk.run('2+2?', { thread: 't' })).toMatchObject({ status: 'done', output: { sum: 4 } })
  expect(model.requests[0]?.responseFormat).toMatchObject({ type: 'json', schema: { required: ['sum'], additionalProperties: false } })
  expect(await factsOf(clerk, 't', 'model.streamed')).toHaveLength(1)
})
