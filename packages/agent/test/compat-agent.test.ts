import { agent, approve, memoryJournal, tool } from '@loom-agent/agent'
import { Agent, AgentExecutor, createTask } from '@loom-agent/agent/compat'
import { definitionOf } from '@loom-agent/agent/kit'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { agentOptionsOf, compatOptionKeys, movedOptions } from '../src/compat/options.ts'

const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })
const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
const sum = { calls: [{ tool: 'add', input: { a: 2, b: 2 } }] }
const script = () => scriptedModel([sum, 'It is 4.'])

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = []
  for await (const event of events) seen.push(event)
  return seen
}

describe('an agent by its documented name', () => {
  test.each([
    ['the constructor', (llm: ReturnType<typeof script>) => new Agent({ llmProvider: llm, systemPrompt: 'Be exact.', tools: [add] })],
    ['create', (llm: ReturnType<typeof script>) => Agent.create(llm, { systemPrompt: 'Be exact.', tools: [add] })],
    ['the builder', (llm: ReturnType<typeof script>) => Agent.builder(llm).withSystemPrompt('Be exact.').withTools([add]).build()],
  ])('is made by %s', async (_, make) => {
    const llm = script()
    expect(await make(llm).run('2+2?')).toBe('It is 4.')
    expect(llm.requests[1]?.prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
  })

  test('is built step by step, and a builder can be the start of several', async () => {
    const start = Agent.builder(scriptedModel(() => ({ calls: [{ tool: 'add', input: { a: Math.random(), b: 1 } }] })))
      .withName('worker')
      .withTools([add])
      .withHooks([])
      .withEventJournal(memoryJournal())
      .withThreadId('t')
      .withMaxIterations(3)
    const strict = start.withPermissionPolicy({ add: 'deny' }).withMaxIterations(1).build()
    await strict.run('go')
    const messages = JSON.stringify(await strict.loom.messages('t'))
    expect(messages).toContain('not permitted')
    expect(start.build().loom.name).toBe('worker')
    expect(definitionOf(start.withToolPolicy({ default: 'allow' }).build().loom).limits.turns).toBe(3)
  })

  test('gives the text so far when a limit ends the run, and throws when there is no text to give', async () => {
    const endless = scriptedModel((_, number) => ({ text: `turn ${number}`, calls: [{ tool: 'add', input: { a: number, b: 1 } }] }))
    expect(await Agent.create(endless, { tools: [add], maxIterations: 2 }).run('go')).toBe('turn 2')
    await expect(Agent.create(scriptedModel({ throws: new Error('no') })).run('go')).rejects.toMatchObject({
      code: 'LOOM_RUN_FAILED',
      context: { code: 'LOOM_MODEL_FAILED' },
    })
    const waits = Agent.create(scriptedModel([{ calls: [{ tool: 'pay' }] }]), { tools: [pay], threadId: 't' })
    await expect(waits.run('go')).rejects.toMatchObject({
      code: 'LOOM_RUN_FAILED',
      message: expect.stringMatching(/The run waits: May pay run/),
      context: { thread: 't' },
    })
    await expect(Agent.create(scriptedModel('x')).run('go', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'LOOM_ABORTED' })
  })

  test('keeps to its thread when it has one', async () => {
    const llm = scriptedModel(['One.', 'Two.'])
    const chat = Agent.create(llm, { threadId: 'user-123' })
    await chat.run('first')
    await chat.run('second')
    expect(llm.requests[1]?.prompt).toHaveLength(3)
    const fresh = scriptedModel(['One.', 'Two.'])
    const forgetful = Agent.create(fresh)
    await forgetful.run('first')
    await forgetful.run('second')
    expect(fresh.requests[1]?.prompt).toHaveLength(1)
  })

  test('needs the done tool only when it is asked to, and brings one', async () => {
    const llm = scriptedModel(['I think so.', { calls: [{ tool: 'done', input: { result: 'yes' } }] }, 'Yes.'])
    expect(await Agent.create(llm, { requireDoneTool: true }).run('go')).toBe('Yes.')
    expect(llm.requests[0]?.tools?.map(({ name }) => name)).toEqual(['done'])
    expect(JSON.stringify(llm.requests[1]?.prompt)).toContain('call done')
    const own = tool({ name: 'done', description: 'My own.', effect: 'pure', run: () => 'ok' })
    for (const tools of [[own], { done: own }]) {
      const model = scriptedModel(['x', 'y'])
      await Agent.create(model, { requireDoneTool: true, tools }).run('go')
      expect(model.requests[0]?.tools).toMatchObject([{ name: 'done', description: 'My own.' }])
    }
  })

  test('streams the 29 events, and resumes a thread in another process', async () => {
    const journal = memoryJournal()
    const first = Agent.create(scriptedModel([{ calls: [{ tool: 'pay' }] }]), { tools: [pay], eventJournal: journal })
    const seen = await all(first.stream('pay', { thread: 't' }))
    expect(seen.at(-1)).toMatchObject({ type: 'execution_cancelled', interrupt: true })
    const { questions } = await first.loom.resume('t').result()
    const second = Agent.create(scriptedModel('Paid.'), { tools: [pay], eventJournal: journal })
    await second.loom.answer(questions[0]?.id ?? '', approve())
    expect((await all(second.resume('t'))).at(-1)).toMatchObject({ type: 'agent_finish', content: 'Paid.' })
  })
})

describe('resuming', () => {
  test('gives the end of a run that is over, and refuses a thread that is not there', async () => {
    const made = Agent.create(script(), { tools: [add], threadId: 't' })
    await made.run('2+2?')
    expect(await all(made.resume('t'))).toMatchObject([{ type: 'iteration_end' }, { type: 'agent_finish', content: 'It is 4.', iterations: 2 }])
    await expect(all(made.resume('nowhere'))).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
  })
})

describe('the options of the original Python project', () => {
  test('reach the agent', () => {
    const journal = memoryJournal()
    const llm = scriptedModel('x')
    const hooks = [{}]
    const options = agentOptionsOf({
      llm,
      nodeId: 'n',
      systemInstructions: 's',
      tools: [add],
      maxIterations: 7,
      maxConcurrency: 3,
      requireDoneTool: true,
      permissionPolicy: { add: 'allow' },
      hooks,
      eventJournal: journal,
      threadId: 't',
      temperature: 0.1,
      maxTokens: 99,
    })
    expect(options).toMatchObject({
      model: llm,
      name: 'n',
      instructions: 's',
      limits: { turns: 7 },
      behaviour: { concurrency: 3, requireDone: 'done' },
      permissions: { rules: [{ tool: 'add', verdict: 'allow' }], default: 'deny' },
      hooks,
      journal,
      settings: { temperature: 0.1, maxOutputTokens: 99 },
    })
    expect(options.tools).toHaveLength(2)
    expect(agentOptionsOf({}).tools).toEqual([])
  })

  test('that have gone elsewhere say where', () => {
    for (const [key, advice] of Object.entries(movedOptions)) {
      expect(() => Agent.create(scriptedModel('x'), { [key]: 1 })).toThrow(advice)
      expect(compatOptionKeys).not.toContain(key)
    }
    expect(() => Agent.create(scriptedModel('x'), { sytemPrompt: 'x' } as object)).toThrow('Did you mean "systemPrompt"?')
    expect(() => Agent.create(scriptedModel('x'), { permissionPolicy: {}, toolPolicy: {} })).toThrow('Give one')
  })
})

describe('an executor', () => {
  test('gives the seven stream types, the 29 events, or the text', async () => {
    const executor = () => new AgentExecutor({ llm: script(), tools: [add], threadId: 't' })
    const responses = await all(executor().execute('2+2?'))
    expect(responses.map(({ type }) => type).filter((type) => type !== 'text_delta')).toEqual([
      'stream_start',
      'tool_calls_start',
      'tool_result',
      'agent_finish',
    ])
    const events = await all(executor().tt('2+2?'))
    expect(events.filter(({ type }) => type === 'recursion')).toHaveLength(1)
    expect(await executor().run('2+2?')).toBe('It is 4.')
  })

  test('resumes what another left unfinished', async () => {
    const eventJournal = memoryJournal()
    const fails = new AgentExecutor({ llm: scriptedModel({ throws: new Error('down') }), eventJournal, threadId: 't' })
    await expect(fails.run('go')).rejects.toMatchObject({ code: 'LOOM_RUN_FAILED' })
    const works = new AgentExecutor({ llm: scriptedModel('Here I am.'), eventJournal })
    expect((await all(works.resume('t'))).at(-1)).toMatchObject({ type: 'agent_finish', content: 'Here I am.' })
  })
})

describe('a task', () => {
  const task = createTask({ taskId: 'task-1', parameters: { content: '2+2?' }, sourceAgent: 'boss', metadata: { priority: 'high' } })

  test('goes in pending and comes out completed', async () => {
    const done = await Agent.create(script(), { tools: [add], nodeId: 'math' }).executeTask(task)
    expect(done).toMatchObject({
      taskId: 'task-1',
      sourceAgent: 'boss',
      targetAgent: 'math',
      status: 'completed',
      result: { content: 'It is 4.' },
      metadata: { priority: 'high', thread: 'task-1', iterations: 2 },
    })
    expect(task.status).toBe('pending')
  })

  test('comes out failed, cancelled or still running, as its run did', async () => {
    const fails = await Agent.create(scriptedModel({ throws: new Error('no') })).executeTask(task)
    expect(fails).toMatchObject({ status: 'failed', error: expect.stringMatching(/no$/) })
    const limited = await Agent.create(scriptedModel(sum), { tools: [add], maxIterations: 1 }).executeTask(task)
    expect(limited).toMatchObject({ status: 'failed', error: expect.stringMatching(/limit of 1 turn /) })
    expect(await Agent.create(script()).executeTask(task, { signal: AbortSignal.abort() })).toMatchObject({ status: 'cancelled' })
    const waits = await Agent.create(scriptedModel([{ calls: [{ tool: 'pay' }] }]), { tools: [pay] }).executeTask(task)
    expect(waits).toMatchObject({ status: 'running', metadata: { questions: [{ call: { tool: 'pay' } }] } })
    expect(waits.result).toBeUndefined()
  })

  test('runs on the thread of its session', async () => {
    const llm = scriptedModel(['One.', 'Two.'])
    const worker = Agent.create(llm)
    for (const taskId of ['a', 'b']) await worker.executeTask(createTask({ taskId, sessionId: 's', parameters: { content: taskId } }))
    expect(llm.requests[1]?.prompt).toHaveLength(3)
  })

  test('without content gives all its parameters to the model', async () => {
    const llm = scriptedModel('ok')
    await Agent.create(llm).executeTask(createTask({ taskId: 'x', parameters: { path: '/a' } }))
    expect(JSON.stringify(llm.requests[0]?.prompt)).toContain('/a')
  })
})

test('the documented agent is Loom’s own agent underneath', () => {
  const made = Agent.create(scriptedModel('x'))
  expect(Object.keys(made.loom).sort()).toEqual(Object.keys(agent({ model: scriptedModel('x') })).sort())
})
