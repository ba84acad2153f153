import { agent, approve, type Hook, reject, tool } from '@loom-agent/agent'
import {
  Agent,
  HITLHook,
  InterruptException,
  type LifecycleHook,
  LoggingHook,
  lifecycleHook,
  MetricsHook,
  SkipToolException,
} from '@loom-agent/agent/compat'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { factsOf } from './journals.ts'

const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })
const script = () => scriptedModel([{ text: 'Let me see.', calls: [{ tool: 'add', input: { a: 2, b: 2 } }] }, 'It is 4.'])
const said = (model: ReturnType<typeof script>, request: number): string => JSON.stringify(model.requests[request]?.prompt)

const runWith = (hook: Hook, model = script()) => {
  const math = agent({ model, instructions: 'Be exact.', tools: [add], hooks: [hook] })
  return { math, model, run: math.start('2+2?', { thread: 't' }) }
}

describe('a lifecycle hook', () => {
  test('has the nine methods, a frame first, in order', async () => {
    const passed: string[] = []
    const hook: Required<Omit<LifecycleHook, 'name'>> = {
      beforeIterationStart: (frame) => void passed.push(`1 ${frame.thread}`),
      beforeContextAssembly: (frame) => void passed.push(`2 ${frame.turn}`),
      afterContextAssembly: (_, { instructions, tools }) => void passed.push(`3 ${instructions} ${tools}`),
      beforeLlmCall: (_, messages) => void passed.push(`4 ${messages.length}`),
      afterLlmResponse: (_, response, toolCalls) => void passed.push(`5 ${response} ${toolCalls.map(({ id }) => id)}`),
      beforeToolExecution: (_, { id, name, arguments: input }) => void passed.push(`6 ${id} ${name} ${JSON.stringify(input)}`),
      afterToolExecution: (_, { toolName, content, isError }) => void passed.push(`7 ${toolName} ${content} ${isError}`),
      beforeRecursion: (_, next) => void passed.push(`8 ${next.turn}`),
      afterIterationEnd: (frame) => void passed.push(`9 ${frame.turn}`),
    }
    const { run } = runWith(lifecycleHook(hook))
    await run.result()
    expect(passed.slice(0, 9)).toEqual([
      '1 t',
      '2 1',
      '3 Be exact. add',
      '4 2',
      '5 Let me see. 1.0',
      '6 1.0 add {"a":2,"b":2}',
      '7 add 4 false',
      '8 2',
      '9 1',
    ])
  })

  test('costs nothing at the points it does not use', () => {
    expect(Object.keys(lifecycleHook({ beforeLlmCall: () => undefined }))).toEqual(['name', 'beforeModelCall'])
  })

  const changes: { [name: string]: { hook: LifecycleHook; request: number; expected: string } } = {
    messages: {
      hook: { beforeLlmCall: (_, messages) => [...messages, { role: 'user', content: [{ type: 'text', text: 'PS.' }] }] },
      request: 0,
      expected: 'PS.',
    },
    response: { hook: { afterLlmResponse: (_, response) => ({ response: `${response} Hm.` }) }, request: 1, expected: 'Let me see. Hm.' },
    'tool calls': {
      hook: { afterLlmResponse: (_, __, toolCalls) => ({ toolCalls: toolCalls.map((call) => ({ ...call, arguments: { a: 5, b: 5 } })) }) },
      request: 1,
      expected: '"value":10',
    },
    arguments: { hook: { beforeToolExecution: (_, call) => ({ ...call, arguments: { a: 20, b: 20 } }) }, request: 1, expected: '"value":40' },
    result: { hook: { afterToolExecution: () => ({ content: 'four', isError: false }) }, request: 1, expected: '"four"' },
    instructions: { hook: { afterContextAssembly: () => ({ instructions: 'Be quick.' }) }, request: 0, expected: 'Be quick.' },
  }

  test.each(Object.keys(changes))('may change the %s, and the next request shows it', async (name) => {
    const { hook, request, expected } = changes[name] ?? { hook: {}, request: 0, expected: '' }
    const { model, run } = runWith(lifecycleHook(hook))
    expect((await run.result()).status).toBe('done')
    expect(said(model, request)).toContain(expected)
  })

  test('keeps the pairing of calls and results whatever it does to the calls', async () => {
    const { model, run } = runWith(lifecycleHook({ afterLlmResponse: (frame) => (frame.turn === 1 ? { toolCalls: [] } : undefined) }))
    expect(await run.result()).toMatchObject({ status: 'done', text: 'Let me see.' })
    expect(model.requests).toHaveLength(1)
    const more = runWith(
      lifecycleHook({
        afterLlmResponse: (frame, _, calls) =>
          frame.turn === 1 ? { toolCalls: [...calls, { id: 'new', name: 'add', arguments: { a: 1, b: 1 } }] } : undefined,
      }),
    )
    await more.run.result()
    const last = more.model.requests[1]?.prompt.at(-1)
    expect(last?.role === 'tool' && last.content).toHaveLength(2)
  })

  test('may interrupt the run by an exception; approved, it goes on', async () => {
    const hook = lifecycleHook({
      beforeLlmCall: () => {
        throw new InterruptException('May I?')
      },
    })
    const { run, model } = runWith(hook, scriptedModel('Thanks.'))
    const waiting = await run.result()
    expect(waiting).toMatchObject({ status: 'waiting', questions: [{ prompt: 'May I?' }] })
    await run.answer(waiting.questions[0]?.id ?? '', approve())
    expect(await run.result()).toMatchObject({ status: 'done', text: 'Thanks.' })
    expect(model.requests).toHaveLength(1)
  })

  test('may interrupt before a call; rejected, the call is skipped and the model gets the reason', async () => {
    const hook = lifecycleHook({
      beforeToolExecution: async () => {
        throw new InterruptException('Add?')
      },
    })
    const { run, model } = runWith(hook)
    await run.answer((await run.result()).questions[0]?.id ?? '', reject('no sums today'))
    expect((await run.result()).status).toBe('done')
    expect(said(model, 1)).toContain('no sums today')
  })

  test('that is rejected elsewhere fails the run, which can be resumed', async () => {
    const hook = lifecycleHook({
      beforeIterationStart: () => {
        throw new InterruptException('Begin?')
      },
    })
    const { run } = runWith(hook)
    await run.answer((await run.result()).questions[0]?.id ?? '', reject('not yet'))
    expect(await run.result()).toMatchObject({ status: 'failed', error: { code: 'LOOM_HOOK_FAILED', message: expect.stringContaining('not yet') } })
  })

  test('may skip a call by an exception, and other errors stay errors', async () => {
    const skipping = runWith(
      lifecycleHook({
        beforeToolExecution: () => {
          throw new SkipToolException('not today')
        },
      }),
    )
    await skipping.run.result()
    expect(said(skipping.model, 1)).toContain('Skipped: not today')
    const broken = runWith(
      lifecycleHook({
        beforeToolExecution: () => {
          throw new Error('boom')
        },
      }),
    )
    await broken.run.result()
    expect(said(broken.model, 1)).toContain('boom')
  })

  test('is not needed to interrupt or skip by value', async () => {
    const { run } = runWith({ beforeModelCall: ({ answer }) => (answer ? undefined : new InterruptException('Go?')) })
    expect(await run.result()).toMatchObject({ status: 'waiting', questions: [{ prompt: 'Go?' }] })
    const skips = runWith({ beforeToolExecution: () => new SkipToolException('no') })
    await skips.run.result()
    expect(said(skips.model, 1)).toContain('Skipped: no')
  })
})

describe('the human in the loop', () => {
  const removed: string[] = []
  const remove = tool({ name: 'delete_file', input: z.object({ path: z.string() }), run: ({ path }) => void removed.push(path) })
  const cleaning = () =>
    scriptedModel([
      {
        calls: [
          { tool: 'delete_file', input: { path: '/old' } },
          { tool: 'add', input: { a: 1, b: 1 } },
        ],
      },
      'ok',
    ])

  test('is asked with the name and the arguments, and a promise is waited for (defect 7: an async callback approved everything)', async () => {
    const asked: string[] = []
    const hook = new HITLHook(['delete_file'], async (message) => {
      asked.push(message)
      return false
    })
    const model = cleaning()
    expect(await Agent.create(model, { tools: [remove, add], hooks: [hook] }).run('go')).toBe('ok')
    expect(asked).toEqual(['Allow delete_file with args {"path":"/old"}?'])
    expect(removed).toEqual([])
    expect(said(model, 1)).toContain('The user did not allow it.')
    await Agent.create(cleaning(), { tools: [remove, add], hooks: [new HITLHook(['delete_file'], () => true)] }).run('go')
    expect(removed).toEqual(['/old'])
  })

  test('without a callback is a durable question for anybody', async () => {
    removed.length = 0
    const made = Agent.create(cleaning(), { tools: [remove, add], hooks: [new HITLHook(['delete_file'])] })
    const run = made.loom.start('go', { thread: 't' })
    const waiting = await run.result()
    expect(waiting.questions[0]?.prompt).toMatch(/delete_file.*\n?.*old/s)
    await run.answer(waiting.questions[0]?.id ?? '', approve())
    expect((await run.result()).status).toBe('done')
    expect(removed).toEqual(['/old'])
    expect(await factsOf(made.loom, 't', 'tool.finished')).toHaveLength(2)
  })
})

describe('hooks that only look', () => {
  test('write lines', async () => {
    const lines: string[] = []
    const hook = new LoggingHook({ log: ({ text }) => lines.push(text) })
    await Agent.create(script(), { tools: [add], hooks: [hook], threadId: 't' }).run('2+2?')
    expect(lines.join('\n')).toMatch(/turn 1[\s\S]*tool add[\s\S]*done/)
  })

  test('count', async () => {
    const hook = new MetricsHook()
    await Agent.create(script(), { tools: [add], hooks: [hook] }).run('2+2?')
    expect(hook.getMetrics()).toEqual({ iterations: 2, llmCalls: 2, toolExecutions: 1, errors: 0 })
  })
})
