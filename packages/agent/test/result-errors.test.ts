/** done(), and what a result says about errors, limits, waits and aborts (THROWN-1). */
import { agent, approve, type ChildResult, done, hookPoints, memoryJournal, type Result, tool } from '@loom-agent/agent'
import { isLoomError, LoomError } from '@loom-agent/kernel'
import { manualClock, scriptedModel } from '@loom-agent/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { callsOnce } from '../../../test/support/calling-model.ts'
import { eventsOf } from './journals.ts'

const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
const endless = () => scriptedModel((_, number) => ({ text: `turn ${number}`, calls: [{ tool: 'look', input: { number } }] }))
const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })

const thrownBy = (act: () => unknown): LoomError => {
  try {
    act()
  } catch (error) {
    if (isLoomError(error)) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('done(result)', () => {
  test('returns a result that is done', async () => {
    const result = await agent({ model: scriptedModel('4') }).run('2+2?')
    expect(done(result)).toBe(result)
    expect(done(result).text).toBe('4')
  })

  test('throws what failed: a missing key prints no empty line', async () => {
    const missing = new LoomError('LOOM_MODEL_MISSING', 'No key is set. Set ANTHROPIC_API_KEY.')
    const result = await agent({ model: scriptedModel({ throws: missing }) }).run('Hi', { thread: 't' })
    const error = thrownBy(() => done(result))
    expect(error).toMatchObject({ code: 'LOOM_MODEL_MISSING', message: 'No key is set. Set ANTHROPIC_API_KEY.', cause: missing })
    expect(error.context).toMatchObject({ thread: 't', run: 'r1' })
    const passing = await agent({ model: scriptedModel({ throws: new Error('offline') }), behaviour: { attempts: 1 } }).run('Hi', { thread: 'u' })
    expect(thrownBy(() => done(passing))).toMatchObject({ code: 'LOOM_MODEL_FAILED', message: expect.stringMatching(/offline\./) })
  })

  test('names the questions of a run that waits, and how to answer them', async () => {
    const result = await agent({ model: callsOnce('pay'), tools: [pay] }).run('Pay', { thread: 't' })
    const [question] = result.questions
    const error = thrownBy(() => done(result))
    expect(error).toMatchObject({ code: 'LOOM_RUN_NOT_DONE', context: { status: 'waiting', reason: 'question', questions: [question?.id] } })
    expect(error.message).toContain(`The run r1 of the thread t waits for an answer: pay asks "${question?.prompt}" (${question?.id}).`)
    expect(error.message).toContain('agent.answer(id, approve())')
  })

  test('says why onQuestion gave no answer', async () => {
    const onQuestion = (): never => {
      throw new Error('the office is closed')
    }
    const result = await agent({ model: callsOnce('pay'), tools: [pay], onQuestion }).run('Pay')
    expect(() => done(result)).toThrow(/onQuestion gave no answer: .*the office is closed/)
  })

  test('says what else a run waits for: a signal, a time, a caller', async () => {
    const parcel = tool({ name: 'parcel', durable: true, effect: 'idempotent', run: async (_, ctx) => (await ctx.waitFor('sent')).status })
    const signal = await agent({ model: callsOnce('parcel'), tools: [parcel] }).run('go', { thread: 't' })
    expect(() => done(signal)).toThrow('waits for the signal sent (thread t). Send one with agent.signal(thread, name, value).')
    const nap = tool({ name: 'nap', durable: true, effect: 'pure', run: (_, ctx) => ctx.sleep(3_600_000) })
    const clock = manualClock(0)
    const time = await agent({ model: callsOnce('nap'), tools: [nap], ports: { clock } }).run('go', { thread: 't' })
    expect(() => done(time)).toThrow('sleeps until 1970-01-01T01:00:00.000Z. agent.resume("t") continues it then')
    const run = agent({ model: scriptedModel('x') }).start('go', { thread: 't' })
    await run.pause()
    const paused = await run.result()
    expect(() => done(paused)).toThrow('is paused. agent.resume("t") continues it.')
  })

  test('names the limit that stopped a run', async () => {
    const result = await agent({ model: endless(), tools: [look], limits: { turns: 1 } }).run('go')
    const error = thrownBy(() => done(result))
    expect(error).toMatchObject({ code: 'LOOM_RUN_NOT_DONE', context: { status: 'stopped', kind: 'limit' } })
    expect(error.message).toMatch(/was stopped before it was done \(limit\): The limit of 1 turn is reached/)
  })

  test('takes the result of a child', async () => {
    const seen: ChildResult[] = []
    const child = agent({ name: 'child', model: scriptedModel(['fine', { text: 'half', finish: 'length' }]) })
    const ask = tool({
      name: 'ask',
      durable: true,
      effect: 'idempotent',
      async run(_, ctx) {
        const first = done(await ctx.run(child, 'one', { name: 'one' }))
        const second = await ctx.run(child, 'two', { name: 'two' })
        seen.push(first, second)
        return done(second).text
      },
    })
    const result = await agent({ model: callsOnce('ask'), tools: [ask] }).run('go')
    expect(seen).toMatchObject([
      { status: 'done', text: 'fine' },
      { status: 'stopped', kind: 'length' },
    ])
    expect(result.steps[0]?.calls[0]?.output).toMatch(/The child was stopped before it was done \(length\)/)
  })

  test('refuses what is no result, and says to await one', () => {
    expect(() => done(agent({ model: scriptedModel('x') }).run('go') as never)).toThrow(/Await it first: done\(await agent\.run/)
    expect(() => done(undefined as never)).toThrow(/needs the result of a run, and got undefined/)
  })
})

describe('stack and cause of an error', () => {
  afterEach(() => vi.restoreAllMocks())

  const broken = tool({
    name: 'broken',
    effect: 'pure',
    run() {
      throw new TypeError('x is not a function', { cause: 'a typing mistake' })
    },
  })
  const errorIn = (result: Result): unknown => {
    const call = result.steps[0]?.calls[0]
    return call?.status === 'error' ? call.cause : undefined
  }

  test('of a tool are in the result of the process that ran it, and nowhere else', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const journal = memoryJournal()
    const model = callsOnce('broken')
    const worker = agent({ model, tools: [broken], journal })
    const result = await worker.run('go', { thread: 't' })
    const cause = errorIn(result)
    expect(cause).toBeInstanceOf(TypeError)
    expect(cause).toMatchObject({ cause: 'a typing mistake', stack: expect.stringContaining('result-errors.test.ts') })
    const shown = [JSON.stringify(await eventsOf(worker, 't')), JSON.stringify(model.requests), JSON.stringify(result)].join('\n')
    expect(shown).toContain('x is not a function')
    expect(shown).not.toMatch(/result-errors\.test|a typing mistake/)
    const other = await agent({ name: 'agent', model: scriptedModel('x'), tools: [broken], journal: { ...journal } })
      .resume('t')
      .result()
    expect(other).toEqual(result)
    expect(errorIn(other)).toBeUndefined()
  })

  test('of a step of a durable tool are those of the call (THROWN-3)', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const fault = new Error('the disk is full')
    const steps = tool({
      name: 'steps',
      durable: true,
      run: (_, ctx) =>
        ctx.step('write', () => {
          throw fault
        }),
    })
    const result = await agent({ model: callsOnce('steps'), tools: [steps] }).run('go')
    expect(errorIn(result)).toBe(fault)
  })

  test.each(['beforeToolExecution', 'afterToolExecution'] as const)('of a hook at %s are those of the call', async (point) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const fault = new RangeError('hook fault')
    const hook = {
      name: 'h',
      [point]() {
        throw fault
      },
    }
    const result = await agent({ model: callsOnce('look'), tools: [look], hooks: [hook] }).run('go')
    expect(errorIn(result)).toBe(fault)
  })

  const fault = new RangeError('fault', { cause: 'a typing mistake' })
  const fails = (): Promise<never> => Promise.reject(fault)
  test.each([
    ...hookPoints
      .filter((point) => !point.includes('Tool'))
      .map((point) => [`a hook at ${point}`, { hooks: [{ name: 'h', [point]: fails }] }, 'LOOM_HOOK_FAILED'] as const),
    ['instructions', { instructions: fails }, 'LOOM_RUN_FAILED'],
    ['tools', { tools: fails }, 'LOOM_RUN_FAILED'],
    ['deps', { deps: fails }, 'LOOM_RUN_FAILED'],
    ['a context strategy', { context: { name: 'c', assemble: fails } }, 'LOOM_RUN_FAILED'],
    ['a model', { model: scriptedModel({ throws: fault }), behaviour: { attempts: 1 } }, 'LOOM_MODEL_FAILED'],
    [
      'a part of a stream',
      { model: scriptedModel({ text: 'a b c', errorAfter: { parts: 2, error: fault } }), behaviour: { attempts: 1 } },
      'LOOM_MODEL_FAILED',
    ],
    [
      'the first part of a stream',
      { model: scriptedModel({ errorAfter: { parts: 0, error: fault } }), behaviour: { attempts: 1 } },
      'LOOM_MODEL_FAILED',
    ],
  ] as const)('of %s are in the failed result, in what done() throws and in what text() throws (THROWN-3)', async (_, options, code) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const worker = agent({ model: callsOnce('look'), tools: [look], ...(options as object) })
    const run = worker.start('go', { thread: 't' })
    const text = await Array.fromAsync(run.text()).catch((error: unknown) => error)
    const result = await run.result()
    expect(result).toMatchObject({ status: 'failed', error: { code } })
    expect(result.status === 'failed' && result.cause).toBe(fault)
    expect(Object.keys(result)).not.toContain('cause')
    expect(text).toMatchObject({ code: 'LOOM_RUN_FAILED', cause: fault, context: { code } })
    const error = thrownBy(() => done(result))
    expect(error).toMatchObject({ code, cause: fault })
    const message = result.status === 'failed' ? result.error.message : ''
    expect(error.message.startsWith(message)).toBe(true)
    expect(error.message.slice(message.length)).toMatch(/^\.?(?: When its cause is gone, agent\.resume\("t"\) goes on from there\.)?$/)
  })

  test.each([undefined, null])('of a tool that throws %s are logged too, and the model reads that', async (thrown) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const throws = tool({ name: 'throws', effect: 'pure', run: () => Promise.reject(thrown) })
    const worker = agent({ model: callsOnce('throws'), tools: [throws], ports: { development: true } })
    const result = await worker.run('go', { thread: 't' })
    expect(result.steps[0]?.calls[0]?.output).toMatch(`throws failed: ${thrown} was thrown.`)
    expect(log.mock.calls).toEqual([['Loom: The tool throws failed in call 1.0 of the thread t:', `${thrown} was thrown`]])
  })

  test('are logged in development, and only there', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const hooks = [{ name: 'h', afterToolExecution: () => Promise.reject(new Error('hook fault')) }]
    const options = { tools: [broken, look], hooks }
    await agent({ model: callsOnce('broken'), ...options, ports: { development: false } }).run('go')
    expect(log).not.toHaveBeenCalled()
    await agent({ model: callsOnce('broken'), ...options, ports: { development: true } }).run('go', { thread: 't' })
    expect(log.mock.calls).toEqual([
      ['Loom: The tool broken failed in call 1.0 of the thread t:', expect.stringMatching(/^TypeError: .+\n {4}at /)],
      [
        'Loom: A hook failed after call 1.0 of the thread t:',
        expect.stringMatching(/^LoomError: [\s\S]+ \(LOOM_HOOK_FAILED\)\nCaused by: Error: hook fault\n {4}at /),
      ],
    ])
  })
})

describe('an expiring question', () => {
  test('reaches result() as waiting at once, however soon it expires', async () => {
    const clock = manualClock(0)
    const permissions = { rules: [{ tool: 'look', verdict: 'ask', expires: 5000 }] } as const
    const clerk = agent({ model: callsOnce('look'), tools: [look], permissions, ports: { clock } })
    const run = clerk.start('go', { thread: 't' })
    const result = await run.result()
    expect(result).toMatchObject({ status: 'waiting', reason: 'question', until: 5000, questions: [{ expires: 5000 }] })
    await run.answer(result.questions[0]?.id ?? '', approve())
    expect(await run.result()).toMatchObject({ status: 'done' })
  })

  test('of a child reaches the result of its parent at once', async () => {
    const clock = manualClock(0)
    const permissions = { rules: [{ tool: 'look', verdict: 'ask', expires: 5000 }] } as const
    const child = agent({ name: 'child', model: callsOnce('look'), tools: [look], permissions, ports: { clock } })
    const parent = agent({ model: callsOnce('child', { prompt: 'go' }), tools: [child], ports: { clock } })
    expect(await parent.run('go')).toMatchObject({ status: 'waiting', questions: [{ expires: 5000 }] })
  })
})

describe('a reached limit', () => {
  test.each([
    ['turns', { turns: 1 }, 'The limit of 1 turn is reached (1 turn used).'],
    ['seconds', { time: 90_000 }, 'The limit of 90 seconds is reached (90 seconds used) while look was under way.'],
    ['minutes', { time: 120_000 }, 'The limit of 2 minutes is reached (2 minutes used) while look was under way.'],
    ['hours', { time: 3_600_000 }, 'The limit of 1 hour is reached (1 hour used) while look was under way.'],
    ['money', { cost: 250_000, onReached: 'stop' }, 'The limit of 0.25 money units is reached (1 money unit used).'],
  ] as const)('says in words how much: %s', async (name, limits, reason) => {
    const clock = manualClock(0)
    const slow = tool({
      name: 'look',
      effect: 'read',
      schedule: { timeout: 86_400_000 },
      async run() {
        await clock.advance(name === 'hours' ? 3_720_500 : 120_500)
        return 'seen'
      },
    })
    const worker = agent({ model: endless(), tools: [slow], limits, ports: { clock, price: () => 1_000_000 } })
    const result = await worker.run('go')
    expect(result.status === 'stopped' && result.reason).toContain(reason)
  })

  test('names what is pending: results, messages, the input', async () => {
    const reasonOf = (result: Result): string | false => result.status === 'stopped' && result.reason
    const stopped = await agent({ model: endless(), tools: [look], limits: { turns: 1 } }).run('go')
    expect(reasonOf(stopped)).toMatch(/Pending: the model has not read the results of look\.$/)
    const none = await agent({ model: endless(), tools: [look], limits: { turns: 0 } }).run('go')
    expect(reasonOf(none)).toMatch(/Pending: the model has not read the input\.$/)
    const { promise: until, resolve: reply } = Promise.withResolvers<void>()
    const run = agent({ model: scriptedModel({ text: 'x', until }), limits: { turns: 1 } }).start('go')
    await run.steer('and this')
    reply()
    expect(reasonOf(await run.result())).toMatch(/Pending: the model has not read 1 message\.$/)
  })
})

describe('the reason of an aborted signal', () => {
  test.each([
    ['a text', 'The user has left.', 'The user has left.'],
    ['an error', new Error('budget of the tenant'), 'budget of the tenant'],
    ['nothing', undefined, 'The signal was aborted.'],
  ])('is kept in the result: %s', async (_, reason, text) => {
    const controller = new AbortController()
    const journal = memoryJournal()
    const waits = tool({
      name: 'waits',
      effect: 'read',
      run: (__, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
    })
    const worker = agent({ name: 'w', model: callsOnce('waits'), tools: [waits], journal })
    const run = worker.start('go', { thread: 't', signal: controller.signal })
    for await (const event of run.events()) if (event.type === 'tool.started') controller.abort(reason)
    const result = await run.result()
    expect(result).toMatchObject({ status: 'stopped', kind: 'cancelled', reason: text })
    expect(result.status === 'stopped' && result.cause).toBe(controller.signal.reason)
    expect(Object.keys(result)).not.toContain('cause')
    const other = agent({ name: 'w', model: scriptedModel('x'), tools: [waits], journal: { ...journal } })
    expect(await other.resume('t').result()).toEqual(result)
  })

  test('is kept of a run that is queued too; one that was aborted before the call is the cause of its rejection', async () => {
    const worker = agent({ model: callsOnce('pay'), tools: [pay] })
    await worker.run('go', { thread: 't' })
    const leaving = new AbortController()
    const queued = worker.run('go', { thread: 't', signal: leaving.signal })
    leaving.abort('too late')
    expect(await queued).toMatchObject({ status: 'stopped', reason: 'too late', cause: 'too late' })
    const late = worker.run('go', { thread: 't', signal: AbortSignal.abort('too late') })
    await expect(late).rejects.toMatchObject({ code: 'LOOM_ABORTED', cause: 'too late' })
  })
})
