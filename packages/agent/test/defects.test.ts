/** What was broken in the original, one test for each defect that concerns agents; the others are tested where their subject is. */
import type { LanguageModelV4Message } from '@ai-sdk/provider'
import {
  type Agent,
  type AgentOptions,
  agent,
  answerWith,
  approve,
  type Hook,
  memoryJournal,
  type Question,
  reject,
  respond,
  type SignedAnswer,
  skip,
  suspend,
  tool,
} from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { assertHistory, checkPairing, type ScriptedReply, type ScriptStep, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { until } from '../../../test/support/event-loop.ts'
import { cutAfter, threadsOf } from './cut-journals.ts'
import { eventsOf } from './journals.ts'

/** A model whose nth reply follows from the n replies in its prompt: it says the same again after a crash. */
const replying =
  (script: readonly (string | ScriptedReply)[]): ScriptStep =>
  ({ prompt }) =>
    script[prompt.filter(({ role }) => role === 'assistant').length] ?? 'There is nothing more to say.'
const calls = (...names: readonly string[]): ScriptedReply => ({
  calls: names.map((name) => ({ tool: name, input: name === 'child' ? { prompt: 'go' } : {}, id: name })),
})

describe('defect 1: resume lost the prompt', () => {
  const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
  const note = tool({ name: 'note', effect: 'idempotent', run: async () => 'noted' })
  const write = tool({ name: 'write', run: async () => 'written' })
  const pay = tool({ name: 'pay', permission: 'ask', run: async () => 'paid' })
  const errand = tool({
    name: 'errand',
    durable: true,
    run: async (_, ctx) => `${await ctx.step('buy', async () => 'milk')}, ${(await ctx.ask('Home?')).kind}, ${await ctx.step('carry', () => 'home')}`,
  })
  const say: Hook = {
    beforeIterationStart: ({ turn }) => (turn === 2 ? { say: 'Mind the gap.' } : undefined),
    afterToolExecution: (_, { output }) => (output.type === 'text' ? { output: { type: 'text', value: `${output.value}!` } } : undefined),
  }
  const child = () =>
    agent({
      name: 'child',
      instructions: 'Be a child.',
      model: scriptedModel(replying([calls('look', 'pay'), 'from the child'])),
      tools: [look, pay],
    })

  const lives: Record<string, (journal: Journal) => Agent> = {
    'tools of every class': (journal) =>
      agent({
        instructions: 'Be exact.',
        model: scriptedModel(replying([calls('look', 'note'), calls('write', 'look'), 'Done.'])),
        tools: [look, note, write],
        journal,
      }),
    'hooks that say and change something': (journal) =>
      agent({
        instructions: 'Be exact.',
        model: scriptedModel(replying([calls('look', 'look'), calls('note'), 'Done.'])),
        tools: [look, note],
        hooks: [say],
        journal,
      }),
    'approvals and a durable body': (journal) =>
      agent({
        instructions: 'Be exact.',
        model: scriptedModel(replying([calls('pay', 'look'), calls('errand'), 'Done.'])),
        tools: [look, pay, errand],
        journal,
      }),
    'a child that asks': (journal) =>
      agent({ instructions: 'Be exact.', model: scriptedModel(replying([calls('child', 'look'), 'Done.'])), tools: [child(), look], journal }),
  }

  /** What happened is recorded as it was; everything else is allowed. */
  const answerTo = ({ kind, call, prompt }: Question): SignedAnswer => {
    if (kind !== 'in-doubt') return approve()
    if (call?.tool === 'errand') return respond(prompt.includes('carry') ? 'home' : 'milk')
    return respond(call?.tool === 'write' ? 'written' : 'paid')
  }

  async function finish(worker: Agent, run: ReturnType<Agent['start']>) {
    for (let result = await run.result(); result.status === 'waiting'; result = await run.result()) {
      const [question] = result.questions
      if (!question) throw new Error('It waits for nobody.')
      await run.answer(question.id, answerTo(question))
    }
    return { result: await run.result(), messages: await worker.messages('t') }
  }

  test.each(Object.entries(lives))('cut after any event, resumed by a new agent object, %s end in the same transcript', async (_, make) => {
    const journal = memoryJournal()
    const first = make(journal)
    const whole = await finish(first, first.start('Go.', { thread: 't' }))
    expect(whole.result).toMatchObject({ status: 'done', text: 'Done.' })
    const threads = await threadsOf(journal)
    for (const [thread, events] of threads) {
      for (let cut = events.findIndex(({ type }) => type === 'run.started') + 1; cut < events.length; cut += 1) {
        // A child that is cut short has a parent that waits for it.
        const above = thread === 't' ? threads : new Map(threads).set('t', (threads.get('t') ?? []).slice(0, indexOfChild(threads, thread)))
        const cutShort = await cutAfter(above, thread, cut)
        const second = make(cutShort)
        const { result, messages } = await finish(second, second.resume('t'))
        expect({ at: `${thread}@${cut}`, status: result.status, messages }).toEqual({
          at: `${thread}@${cut}`,
          status: 'done',
          messages: whole.messages,
        })
        for (const [, history] of await threadsOf(cutShort)) assertHistory(history)
      }
    }
  })

  const indexOfChild = (threads: Awaited<ReturnType<typeof threadsOf>>, child: string): number =>
    (threads.get('t') ?? []).findIndex((event) => event.type === 'child.started' && event.data.child === child) + 1
})

test.each([
  ['allow', 1, 'done'],
  ['deny', 0, 'done'],
  ['ask', 0, 'waiting'],
] as const)('defect 5: deny was ignored. Through the public API %s runs the tool %i times', async (verdict, times, status) => {
  let ran = 0
  const act = tool({ name: 'act', run: () => ++ran })
  const model = scriptedModel([calls('act'), 'ok'])
  expect((await agent({ model, tools: [act], permissions: { act: verdict } }).run('go')).status).toBe(status)
  expect(ran).toBe(times)
  if (verdict === 'deny')
    expect(model.requests[1]?.prompt.at(-1)).toMatchObject({ role: 'tool', content: [{ output: { type: 'execution-denied' } }] })
})

describe('defect 8: skip left a call without a result', () => {
  const boom = (): never => {
    throw new Error('boom')
  }
  const act = (more: object = {}) => tool({ name: 'act', input: z.object({ n: z.number().optional() }), run: () => 'acted', ...more })
  const hooked = (hook: Hook): AgentOptions => ({ tools: [act()], hooks: [hook] })
  const paths: Record<string, AgentOptions> = {
    'a skip': hooked({ beforeToolExecution: () => skip('not now') }),
    'a stand-in': hooked({ beforeToolExecution: () => answerWith({ type: 'text', value: 'cached' }) }),
    'a hook that throws before': hooked({ beforeToolExecution: boom }),
    'a hook that throws after': hooked({ afterToolExecution: boom }),
    'a hook that suspends, refused': hooked({ beforeToolExecution: ({ answer }) => (answer ? skip('refused') : suspend('May I?')) }),
    'a denial': { tools: [act()], permissions: { act: 'deny' } },
    'a refusal': { tools: [act({ permission: 'ask' })] },
    'nobody there': { tools: [act({ permission: 'ask' })], behaviour: { unattended: 'deny' } },
    'an unknown tool': {},
    'wrong arguments': { tools: [act({ input: z.object({ n: z.string() }) })] },
    'a tool that throws': { tools: [act({ run: boom })] },
    'a tool that hangs': { tools: [act({ run: () => new Promise(() => {}), schedule: { timeout: 5 } })] },
    'a tool that is not available': { tools: [act({ available: false })] },
    'a tool that returns nothing': { tools: [act({ run: () => undefined })] },
    'a reply from which a hook takes a call': hooked({
      afterModelReply: ({ turn }, { parts }) =>
        turn === 1 ? { parts: parts.filter((part) => part.type !== 'call' || part.id !== 'c1') } : undefined,
    }),
  }

  test.each(Object.entries(paths))('%s gives every call its one result, next to it and in order', async (_, options) => {
    const first: ScriptedReply = { text: 'hm', calls: ['c0', 'c1', 'c2'].map((id, n) => ({ tool: 'act', id, input: { n } })) }
    const model = scriptedModel([first, 'ok', 'ok'])
    const worker = agent({ model, ...options })
    const run = worker.start('go', { thread: 't' })
    for (let result = await run.result(); result.status === 'waiting'; result = await run.result())
      await run.answer(result.questions[0]?.id ?? '', reject('no'))
    expect((await run.result()).status).toBe('done')
    await worker.run('again', { thread: 't' })
    for (const { prompt } of model.requests) expect(checkPairing(prompt)).toEqual([])
    const results = (prompt: readonly LanguageModelV4Message[] = []) => prompt.flatMap((message) => (message.role === 'tool' ? message.content : []))
    const proposed = (prompt: readonly LanguageModelV4Message[] = []) =>
      prompt.flatMap((message) => (message.role === 'assistant' ? message.content.filter(({ type }) => type === 'tool-call') : []))
    expect(results(model.requests[2]?.prompt).length).toBe(proposed(model.requests[2]?.prompt).length)
    expect(proposed(model.requests[2]?.prompt).length).toBeGreaterThanOrEqual(2)
    assertHistory(await eventsOf(worker, 't'))
  })

  test.each(['stopped', 'failed'] as const)('a run that %s in the middle of its calls leaves a conversation that can go on', async (end) => {
    let entered = 0
    const hang = tool({
      name: 'act',
      run: () => {
        entered += 1
        return end === 'failed' ? 'x' : new Promise(() => {})
      },
    })
    const hooks: readonly Hook[] = end === 'failed' ? [{ beforeRecursion: ({ turn }) => (turn === 1 ? boom() : undefined) }] : []
    const model = scriptedModel([{ calls: ['c0', 'c1'].map((id) => ({ tool: 'act', id })) }, 'ok'])
    const worker = agent({ model, tools: [hang], hooks, behaviour: { grace: 5 } })
    const run = worker.start('go', { thread: 't' })
    if (end === 'stopped') {
      await until(() => entered === 1)
      await run.stop()
    }
    expect((await run.result()).status).toBe(end)
    expect((await worker.run('again', { thread: 't' })).status).toBe('done')
    expect(checkPairing(model.requests[1]?.prompt ?? [])).toEqual([])
    expect(model.requests[1]?.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
  })
})

describe('defect 12: history was lost or doubled', () => {
  const add = tool({ name: 'add', description: 'Adds.', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })
  const user = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] })
  const assistant = (...content: readonly object[]) => ({ role: 'assistant', content })
  const call = (id: string, a: number, b: number) => ({ type: 'tool-call', toolCallId: id, toolName: 'add', input: { a, b } })
  const result = (id: string, value: number) => ({ type: 'tool-result', toolCallId: id, toolName: 'add', output: { type: 'json', value } })
  const text = (words: string) => ({ type: 'text', text: words })
  const system = { role: 'system', content: 'Be exact.' }
  const script = (): readonly ScriptStep[] => [
    {
      text: 'Let me see.',
      calls: [
        { tool: 'add', input: { a: 1, b: 2 }, id: 'x' },
        { tool: 'add', input: { a: 3, b: 4 }, id: 'y' },
      ],
    },
    { calls: [{ tool: 'add', input: { a: 3, b: 7 }, id: 'z' }] },
    'It is 10.',
    'As I said, 10.',
  ]
  const first = [system, user('1+2+3+4?')]
  const second = [
    ...first,
    assistant(text('Let me see.'), call('x', 1, 2), call('y', 3, 4)),
    { role: 'tool', content: [result('x', 3), result('y', 7)] },
  ]
  const third = [...second, assistant(call('z', 3, 7)), { role: 'tool', content: [result('z', 10)] }]
  const fourth = [...third, assistant(text('It is 10.')), user('Sure?')]

  test('each request holds the system text, every question and every exchange, once', async () => {
    const model = scriptedModel(script())
    const math = agent({ instructions: 'Be exact.', model, tools: { add } })
    await math.run('1+2+3+4?', { thread: 't' })
    await math.run('Sure?', { thread: 't' })
    expect(model.requests.map(({ prompt }) => prompt)).toEqual([first, second, third, fourth])
    expect(await math.messages('t')).toEqual([...fourth.slice(1), assistant(text('As I said, 10.'))])
  })

  test('also when every turn is driven by another agent object', async () => {
    const journal = memoryJournal()
    const requests: unknown[] = []
    const steps = script()
    const math = () => {
      const model = scriptedModel(({ prompt }, number) => {
        requests.push(prompt)
        const step = steps[prompt.filter(({ role }) => role === 'assistant').length] as string | ScriptedReply
        return number > 0 ? step : ''
      })
      return agent({ instructions: 'Be exact.', model, tools: { add }, journal, limits: { turns: 1 } })
    }
    expect((await math().run('1+2+3+4?', { thread: 't' })).status).toBe('stopped')
    expect(
      (
        await math()
          .resume('t', { limits: { turns: 2 } })
          .result()
      ).status,
    ).toBe('stopped')
    expect(
      (
        await math()
          .resume('t', { limits: { turns: 3 } })
          .result()
      ).text,
    ).toBe('It is 10.')
    expect((await math().run('Sure?', { thread: 't' })).text).toBe('As I said, 10.')
    expect(requests).toEqual([first, second, third, fourth])
  })

  test('and messages that came out go in again as the same conversation', async () => {
    const model = scriptedModel(script())
    const math = agent({ instructions: 'Be exact.', model, tools: { add } })
    await math.run('1+2+3+4?', { thread: 't' })
    const out = await math.messages('t')
    const other = scriptedModel('As I said, 10.')
    await agent({ instructions: 'Be exact.', model: other, tools: { add } }).run([...out, { role: 'user', content: 'Sure?' }])
    expect(other.requests[0]?.prompt).toEqual(fourth)
  })
})

test('defect 13: retrieved documents never reached the model. Their text is in the request, under their names', async () => {
  const documents = [
    { id: 'looms.md', title: 'On looms', score: 0.9, text: 'The power loom was patented in 1785.' },
    { id: 'threads.md', text: 'A thread is spun.' },
  ]
  const model = scriptedModel(['ok', 'ok'])
  const context: AgentOptions['context'] = {
    name: 'rag',
    assemble: ({ frame }) => (frame.runs === 1 ? { retrieved: { query: 'looms', documents } } : {}),
  }
  const reader = agent({ model, context })
  await reader.run('When were looms patented?', { thread: 't' })
  await reader.run('Thanks.', { thread: 't' })
  for (const { prompt } of model.requests) {
    const words = JSON.stringify(prompt)
    for (const { id, text } of documents) expect([words.includes(id), words.includes(text)]).toEqual([true, true])
    expect(words).toContain('On looms')
  }
  expect(model.requests[0]?.prompt.map(({ role }) => role)).toEqual(['user', 'user'])
})

describe('defect 15', () => {
  test('the system prompt was not sent: it is, in every request of every run and of every child', async () => {
    const childModel = scriptedModel('from the child')
    const child = agent({ name: 'child', instructions: 'Be a child.', model: childModel })
    const model = scriptedModel([calls('child'), 'ok', 'ok'])
    const boss = agent({ instructions: 'Be a boss.', model, tools: [child] })
    await boss.run('one', { thread: 't' })
    await boss.run('two', { thread: 't' })
    expect(model.requests.map(({ prompt }) => prompt[0])).toEqual(Array.from({ length: 3 }, () => ({ role: 'system', content: 'Be a boss.' })))
    expect(childModel.requests[0]?.prompt[0]).toEqual({ role: 'system', content: 'Be a child.' })
  })

  test('policies crashed: every form of one judges every call', async () => {
    const act = tool({ name: 'act', run: () => 'acted' })
    const policies: readonly NonNullable<AgentOptions['permissions']>[] = [
      { act: 'allow' },
      { '*': 'allow' },
      { rules: [{ tool: 'act', verdict: 'allow' }] },
      { rules: [{ tool: '*', verdict: 'allow', when: ({ tool: name }) => name === 'act' }] },
      { rules: [{ tool: 'act', verdict: 'allow', when: async () => true }], default: 'deny' },
      { rules: [], default: 'allow' },
    ]
    for (const permissions of policies) {
      const model = scriptedModel([calls('act', 'act', 'nobody'), 'ok'])
      expect((await agent({ model, tools: [act], permissions }).run('go')).status).toBe('done')
      expect(JSON.stringify(model.requests[1]?.prompt).match(/acted/g)).toHaveLength(2)
    }
  })

  const locked = (entered: string[], schedule: object = {}) =>
    tool({
      name: 'act',
      input: z.object({ hangs: z.boolean().optional() }),
      schedule: { lock: 'account', ...schedule },
      run: ({ hangs }, { thread }) => {
        entered.push(thread)
        return hangs ? new Promise(() => {}) : 'acted'
      },
    })
  const hanging = { calls: [{ tool: 'act', input: { hangs: true } }] }

  test('a timed-out call dead-locked its lock: its lock is free for the next call, run and thread', async () => {
    const entered: string[] = []
    const model = scriptedModel([hanging, calls('act'), 'ok', calls('act'), 'ok', calls('act'), 'ok'])
    const worker = agent({ model, tools: [locked(entered, { timeout: 5 })] })
    for (const thread of ['t', 't', 'u']) expect((await worker.run('go', { thread })).status).toBe('done')
    expect(entered).toEqual(['t', 't', 't', 'u'])
  })

  test('a cancelled run dead-locked its thread: the thread and its lock are free', async () => {
    const entered: string[] = []
    const worker = agent({
      model: scriptedModel([hanging, calls('act'), 'ok', calls('act'), 'ok']),
      tools: [locked(entered)],
      behaviour: { grace: 5 },
    })
    const run = worker.start('go', { thread: 't' })
    await until(() => entered.length === 1)
    await run.stop()
    expect((await run.result()).status).toBe('stopped')
    for (const thread of ['t', 'u']) expect((await worker.run('go', { thread })).status).toBe('done')
    expect(entered).toEqual(['t', 't', 'u'])
  })

  test('a run behind a cancelled one in the queue starts', async () => {
    const entered: string[] = []
    const worker = agent({ model: scriptedModel([hanging, 'second']), tools: [locked(entered)], behaviour: { grace: 5 } })
    const first = worker.start('go', { thread: 't' })
    await until(() => entered.length === 1)
    const second = worker.start('next', { thread: 't' })
    await until(async () => (await eventsOf(worker, 't')).some(({ type }) => type === 'run.queued'))
    await first.stop()
    expect((await first.result()).status).toBe('stopped')
    expect(await second.result()).toMatchObject({ status: 'done', text: 'second' })
  })
})
