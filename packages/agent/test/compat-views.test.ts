import { type Agent, agent, frameAt, type Policy, type RunEvent, tool } from '@loom-agent/agent'
import {
  AgentEventType,
  blacklistPolicy,
  defaults,
  EventBus,
  ExecutionPhase,
  errorNameOf,
  errorNames,
  executionPhaseOf,
  PermissionManager,
  permissionMap,
  SteeringControl,
  type SteeringEvent,
  toolNames,
  turnStateOf,
  whitelistPolicy,
} from '@loom-agent/agent/compat'
import { definitionOf } from '@loom-agent/agent/kit'
import { emptyFrame, errorCodes, type Frame } from '@loom-agent/kernel'
import { frames, manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { until } from '../../../test/support/event-loop.ts'
import { eventsOf, factsOf } from './journals.ts'

const look = tool({
  name: 'look',
  input: z.object({ n: z.number() }),
  effect: 'read',
  run: ({ n }) => (n % 2 === 0 ? `seen ${n} ${'x'.repeat(300)}` : new Error('odd')),
})
const looking = (turns: number) => scriptedModel((_, number) => (number <= turns ? { calls: [{ tool: 'look', input: { n: number } }] } : 'done'))

describe('the state of a turn', () => {
  test('is a view of the frame', async () => {
    const worker = agent({ model: looking(24), tools: [look], limits: { turns: 25 } })
    await worker.run('go', { thread: 't' })
    const state = turnStateOf(await frameAt(worker.journal, 't'))
    expect(state).toMatchObject({
      turnCounter: 25,
      turnId: 't/25',
      parentTurnId: 't/24',
      maxIterations: 25,
      isFinal: true,
      compacted: false,
      errorCount: 12,
    })
    expect(state.toolCallHistory).toEqual(Array(20).fill('look'))
    expect(state.lastOutputs).toHaveLength(10)
    expect(state.lastOutputs.at(-1)).toHaveLength(200)
  })

  test('of every earlier frame stays valid', async () => {
    const worker = agent({ model: looking(2), tools: [look] })
    await worker.run('go', { thread: 't' })
    const counters = [...frames('t', await eventsOf(worker, 't'))].map((frame) => turnStateOf(frame).turnCounter)
    expect([...new Set(counters)]).toEqual([0, 1, 2, 3])
    expect(counters).toEqual(counters.toSorted((a, b) => a - b))
    expect(turnStateOf(emptyFrame('t'))).toMatchObject({ turnCounter: 0, isFinal: false, parentTurnId: undefined })
  })

  test('begins anew with each run of a thread', async () => {
    const worker = agent({ model: looking(2), tools: [look] })
    await worker.run('go', { thread: 't' })
    await worker.run('again', { thread: 't' })
    expect(turnStateOf(await frameAt(worker.journal, 't'))).toMatchObject({ turnCounter: 1, turnId: 't/4', toolCallHistory: [] })
  })
})

test('every phase of execution is seen in real frames', async () => {
  const worker = agent({ model: looking(1), tools: [look] })
  await worker.run('go', { thread: 't' })
  const stopped = agent({ model: scriptedModel('x') })
  const stopping = stopped.start('go', { thread: 't' })
  await stopping.stop()
  await stopping.result()
  const all = async (of: Agent): Promise<Frame[]> => [...frames('t', await eventsOf(of, 't'))]
  const seen = new Set([emptyFrame('t'), ...(await all(worker)), ...(await all(stopped))].map(executionPhaseOf))
  expect([...seen].sort()).toEqual(Object.values(ExecutionPhase).sort())
})

describe('a permission map of the original Python project', () => {
  test('takes their tool names for Loom’s, and denies what it does not know', async () => {
    const map = new PermissionManager({ execute_bash: 'ask', network_request: 'deny', read_file: 'allow', odd: 'maybe' })
    expect(await map.check('execute_bash')).toBe('ask')
    expect(await map.check('bash')).toBe('ask')
    expect(await map.check('http_request')).toBe('deny')
    expect(await map.check('read_file')).toBe('allow')
    expect(await map.check('odd')).toBe('deny')
    expect(await map.check('anything')).toBe('deny')
    for (const [documented, names] of Object.entries(toolNames)) {
      const one = new PermissionManager({ [documented]: 'allow' })
      for (const name of [documented, ...names]) expect(await one.check(name)).toBe('allow')
    }
    expect(permissionMap({ default: 'ask' })).toEqual({ rules: [], default: 'ask' })
  })

  test('is about what Loom has tools of its own for, where it does not allow', async () => {
    const map = new PermissionManager({ write_file: 'deny', network_request: 'ask', default: 'allow' })
    expect([await map.check('edit'), await map.check('fetch'), await map.check('grep')]).toEqual(['deny', 'ask', 'allow'])
    const allowing = new PermissionManager({ write_file: 'allow', http: 'allow' })
    expect([await allowing.check('edit'), await allowing.check('fetch')]).toEqual(['deny', 'deny'])
  })

  test('may say in brackets what a call asks for, for all names that a name means', () => {
    const { rules } = permissionMap({ 'execute_bash(git log *)': 'allow', 'file(./src/**)': 'ask' })
    expect(rules.map(({ tool, verdict }) => `${tool} ${verdict}`)).toEqual([
      'execute_bash(git log *) allow',
      'bash(git log *) allow',
      'file(./src/**) ask',
      'read_file(./src/**) ask',
      'write_file(./src/**) ask',
      'edit(./src/**) ask',
      'delete_file(./src/**) ask',
    ])
  })

  const bash = tool({ name: 'bash', run: () => 'ran' })
  const runWith = async (permissions: Policy) => {
    const model = scriptedModel([{ calls: [{ tool: 'bash' }] }, 'ok'])
    await agent({ model, tools: [bash], permissions, behaviour: { unattended: 'deny' } }).run('go')
    return JSON.stringify(model.requests[1]?.prompt.at(-1))
  }

  test('is enforced (defect 5: deny was ignored)', async () => {
    expect(await runWith(permissionMap({ execute_bash: 'deny', default: 'allow' }))).toContain('not permitted')
    expect(await runWith(permissionMap({ execute_bash: 'ask' }))).toContain('needs an approval')
    expect(await runWith(permissionMap({ execute_bash: 'allow' }))).toContain('ran')
    expect(await runWith(new PermissionManager({ bash: 'deny' }))).toContain('not permitted')
    expect(await runWith(whitelistPolicy(['execute_bash']))).toContain('ran')
    expect(await runWith(whitelistPolicy(['read_file']))).toContain('not permitted')
    expect(await runWith(blacklistPolicy(['bash']))).toContain('not permitted')
    expect(await runWith(blacklistPolicy(['read_file']))).toContain('ran')
  })
})

describe('the names of errors', () => {
  test('are all reached by a code or by the error type of a result', () => {
    const types = [
      'not-found',
      'unavailable',
      'validation',
      'timeout',
      'permission',
      'rejected',
      'cancelled',
      'failed',
      'hook',
      'skipped',
      'outcome-unknown',
    ]
    const reached = new Set([...Object.keys(errorCodes), ...types, 'anything else'].map(errorNameOf))
    expect([...reached].sort()).toEqual([...errorNames].sort())
  })

  test('fit what real runs say', async () => {
    const strict = tool({ name: 'strict', input: z.object({ n: z.number() }), effect: 'read', run: () => 'x' })
    const off = tool({ name: 'off', available: false, run: () => 'x' })
    const denied = tool({ name: 'denied', permission: 'deny', run: () => 'x' })
    const breaks = tool({ name: 'breaks', effect: 'read', run: () => Promise.reject(new Error('no')) })
    const calls = [{ tool: 'nowhere' }, { tool: 'off' }, { tool: 'strict', input: {} }, { tool: 'denied' }, { tool: 'breaks' }]
    const worker = agent({
      model: scriptedModel([{ calls }, { throws: Object.assign(new Error('x'), { statusCode: 429, isRetryable: false }) }]),
      tools: [strict, off, denied, breaks],
    })
    const result = await worker.run('go', { thread: 't' })
    const ended = [...(await factsOf(worker, 't', 'tool.finished')), ...(await factsOf(worker, 't', 'tool.denied'))]
    const named = ended.toSorted((a, b) => (a.data.call < b.data.call ? -1 : 1)).map(({ data }) => errorNameOf(data.errorType ?? ''))
    expect(named).toEqual(['ToolNotFoundError', 'ToolUnavailableError', 'ToolValidationError', 'PermissionDeniedError', 'ToolException'])
    expect(result.status === 'failed' && errorNameOf(result.error.code)).toBe('LLMRateLimitError')
  })
})

describe('the defaults', () => {
  test('that are in force are the ones of the original Python project', () => {
    const { limits, behaviour } = definitionOf(agent({ model: scriptedModel('x') }))
    expect(limits.turns).toBe(defaults.maxIterations)
    expect(behaviour).toMatchObject({ concurrency: defaults.maxConcurrency, outputLimit: defaults.outputLimit, attempts: defaults.retry.attempts })
    expect(limits.loop).toMatchObject({ stop: defaults.loopWindow })
  })

  test('give a tool 120 seconds, and a child ten turns', async () => {
    const clock = manualClock()
    const hangs = tool({ name: 'hangs', effect: 'read', run: () => new Promise(() => {}) })
    const slow = agent({ model: scriptedModel([{ calls: [{ tool: 'hangs' }] }, 'ok']), tools: [hangs], ports: { clock } })
    const run = slow.run('go', { thread: 't' })
    await clock.advance(defaults.toolTimeout + 10)
    await run
    expect((await factsOf(slow, 't', 'tool.finished'))[0]?.data).toMatchObject({ errorType: 'timeout', ms: defaults.toolTimeout })
    const child = agent({ name: 'child', model: looking(99), tools: [look] })
    const boss = agent({ model: scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'go' } }] }, 'ok']), tools: [child] })
    await boss.run('go', { thread: 't' })
    const thread = (await factsOf(boss, 't', 'child.started'))[0]?.data.child ?? ''
    expect(await factsOf(boss, thread, 'turn.entered')).toHaveLength(defaults.childMaxIterations)
  })
})

describe('steering', () => {
  const gated = () => {
    const open: ((value: string) => void)[] = []
    const gate = tool({ name: 'gate', effect: 'read', run: () => new Promise<string>((resolve) => open.push(resolve)) })
    const model = scriptedModel([{ calls: [{ tool: 'gate' }] }, 'ok', 'ok'])
    const worker = agent({ model, tools: [gate], behaviour: { grace: 5 } })
    return { worker, model, open, run: worker.start('go', { thread: 't' }) }
  }

  test('aborts, and says so', async () => {
    const { worker, open, run } = gated()
    const control = new SteeringControl(worker, run)
    await until(() => open.length === 1)
    expect(await control.isAborted()).toBe(false)
    await control.abort('enough')
    expect(await run.result()).toMatchObject({ status: 'stopped', kind: 'cancelled', reason: 'enough' })
    expect(await control.isAborted()).toBe(true)
  })

  test('pauses at a safe point and resumes', async () => {
    const { worker, open, run } = gated()
    const control = new SteeringControl(worker, run)
    await until(() => open.length === 1)
    await control.pause()
    expect(await control.isPaused()).toBe(true)
    open[0]?.('x')
    expect((await run.result()).status).toBe('waiting')
    expect(await control.resume().result()).toMatchObject({ status: 'done', text: 'ok' })
    expect(await control.isPaused()).toBe(false)
  })

  test('says the most urgent message first', async () => {
    const { worker, model, open, run } = gated()
    const bus = new EventBus(worker, run)
    await until(() => open.length === 1)
    await bus.publish({ type: 'control', action: 'message', text: 'later' })
    await bus.publish({ type: 'control', action: 'message', text: 'first', priority: 9 })
    open[0]?.('x')
    await run.result()
    const prompt = JSON.stringify(model.requests[1]?.prompt)
    expect(prompt.indexOf('first')).toBeGreaterThan(0)
    expect(prompt.indexOf('first')).toBeLessThan(prompt.indexOf('later'))
  })

  test('reaches the listeners of its kind on a bus, until they leave', async () => {
    const { worker, open, run } = gated()
    const bus = new EventBus(worker, run)
    const heard: string[] = []
    const deaf: string[] = []
    const note = ({ type }: RunEvent): void => void heard.push(type)
    bus.subscribe('control', note)
    const leave = bus.subscribe('progress', ({ type }) => void deaf.push(type))
    leave()
    await until(() => open.length === 1)
    await bus.publish({ type: 'control', action: 'pause' })
    open[0]?.('x')
    await run.result()
    await until(() => heard.includes('run.suspended'))
    expect(heard).toContain('run.pause-requested')
    expect(deaf).toEqual([])
    await bus.publish({ type: 'control', action: 'resume' })
    await until(async () => (await worker.resume('t').result()).status === 'done')
  })

  test('answers permission questions over the bus, and aborts', async () => {
    const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
    const asking = (): Agent => agent({ model: scriptedModel([{ calls: [{ tool: 'pay' }] }, 'ok']), tools: [pay] })
    for (const [allow, expected] of [
      [true, 'paid'],
      [false, 'too dear'],
    ] as const) {
      const clerk = asking()
      const run = clerk.start('pay', { thread: 't' })
      const question = (await run.result()).questions[0]?.id ?? ''
      await new EventBus(clerk, run).publish({ type: 'permission', question, allow, reason: 'too dear' })
      expect((await run.result()).status).toBe('done')
      expect(JSON.stringify(await clerk.messages('t'))).toContain(expected)
    }
    const clerk = asking()
    const run = clerk.start('pay')
    await run.result()
    await new EventBus(clerk, run).publish({ type: 'control', action: 'abort', reason: 'never mind' })
    expect(await run.result()).toMatchObject({ status: 'stopped', reason: 'never mind' })
  })

  test('refuses to publish what can only be heard', async () => {
    const { worker, open, run } = gated()
    const progress = { type: 'progress', action: 'none' } as object as SteeringEvent
    await expect(new EventBus(worker, run).publish(progress)).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
    await until(() => open.length === 1)
    await run.stop()
    await run.result()
  })
})

test('the event types are the 29 of the original Python project', () => {
  expect(Object.keys(AgentEventType)).toHaveLength(29)
  for (const [name, value] of Object.entries(AgentEventType)) expect(value).toBe(name.toLowerCase())
})
