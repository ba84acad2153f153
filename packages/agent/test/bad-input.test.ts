import { agent, content, jsonSchema, tool } from '@loom-agent/agent'
import type { LoomError } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { factsOf, typesOf } from './journals.ts'

const echo = tool({ name: 'echo', input: z.object({ text: z.string() }), effect: 'pure', run: ({ text }) => text })
const failing = (code: string) => expect.objectContaining({ code }) as LoomError

/** Runs one call and gives back what became of it. */
async function outcomeOf(run: () => unknown, effect: 'pure' | 'unsafe' = 'pure') {
  const odd = tool({ name: 'odd', effect, schedule: { timeout: 50 }, run })
  const worker = agent({ model: scriptedModel([{ calls: [{ tool: 'odd' }] }, 'ok']), tools: [odd] })
  const result = await worker.run('go', { thread: 't' })
  const finished = await factsOf(worker, 't', 'tool.finished')
  expect(result.status).toBe('done')
  expect(finished).toHaveLength(1)
  return finished[0]?.data
}

describe('what a model may send', () => {
  const calls: [string, { tool: string; input?: unknown }, string, string][] = [
    ['a tool that does not exist', { tool: 'ecko', input: {} }, 'not-found', 'Did you mean echo?'],
    ['a tool without a name', { tool: '', input: {} }, 'not-found', 'The tools are: echo.'],
    ['a name of ten thousand letters', { tool: 'x'.repeat(10_000), input: {} }, 'not-found', '...'],
    ['arguments that are not JSON', { tool: 'echo', input: '{"text": "x' }, 'validation', 'not JSON'],
    ['arguments that are no object', { tool: 'echo', input: '[1,2]' }, 'validation', 'do not fit'],
    ['arguments of the wrong type', { tool: 'echo', input: { text: 7 } }, 'validation', 'text: '],
    ['arguments that are missing', { tool: 'echo', input: '' }, 'validation', 'text: '],
    ['arguments nested ten thousand deep', { tool: 'echo', input: `{"text":${'['.repeat(10_000)}${']'.repeat(10_000)}}` }, 'validation', 'deep'],
    ['arguments of five megabytes', { tool: 'echo', input: { text: 'x'.repeat(5_000_000) } }, 'validation', 'Send less'],
  ]

  test.each(calls)('%s is an error the model can read and repair', async (_, call, errorType, advice) => {
    const model = scriptedModel([{ calls: [call] }, { calls: [{ tool: 'echo', input: { text: 'right' } }] }, 'ok'])
    const worker = agent({ model, tools: [echo] })
    expect((await worker.run('go', { thread: 't' })).status).toBe('done')
    const [wrong, right] = await factsOf(worker, 't', 'tool.finished')
    expect(wrong?.data).toMatchObject({ status: 'error', errorType })
    expect(JSON.stringify(wrong?.data.output)).toContain(advice)
    expect(right?.data).toMatchObject({ status: 'success', output: { value: 'right' } })
  })

  test('__proto__ in arguments pollutes nothing', async () => {
    const model = scriptedModel([{ calls: [{ tool: 'keep', input: '{"__proto__":{"polluted":true},"constructor":1}' }] }, 'ok'])
    const seen: unknown[] = []
    const keep = tool({ name: 'keep', effect: 'pure', run: (input) => seen.push(input) })
    await agent({ model, tools: [keep] }).run('go')
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    expect(seen).toHaveLength(1)
  })

  test('nothing at all is an empty answer, not a crash', async () => {
    expect(await agent({ model: scriptedModel({ text: '' }) }).run('go')).toMatchObject({ status: 'done', text: '' })
  })

  test('ten megabytes of text are an answer', async () => {
    const text = 'x'.repeat(10_000_000)
    expect((await agent({ model: scriptedModel({ deltas: [text] }) }).run('go')).text.length).toBe(text.length)
  })

  test('a call cut off by the output limit is not executed', async () => {
    const model = scriptedModel([{ calls: [{ tool: 'echo', input: '{"text":"cut' }], finish: 'length' }, 'ok'])
    const worker = agent({ model, tools: [echo] })
    await worker.run('go', { thread: 't' })
    expect(await typesOf(worker, 't')).not.toContain('tool.started')
  })
})

describe('what a tool may return', () => {
  const cyclic: { self?: unknown; n: number } = { n: 1 }
  cyclic.self = cyclic
  const deep = Array.from({ length: 10_000 }).reduce<unknown>((inner) => [inner], 'bottom')
  const hostile = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no looking')
      },
    },
  )
  const values: [string, unknown, object][] = [
    ['undefined', undefined, { status: 'warning', meta: { empty: true } }],
    ['null', null, { status: 'warning', meta: { empty: true } }],
    ['blanks', '  \n ', { status: 'warning', meta: { empty: true } }],
    ['a number', 7, { output: { type: 'json', value: 7 } }],
    ['not a number', Number.NaN, { output: { type: 'json', value: 'NaN' } }],
    ['a big integer', 2n ** 64n, { output: { type: 'json', value: '18446744073709551616' } }],
    ['a date', new Date(0), { output: { value: '1970-01-01T00:00:00.000Z' } }],
    ['a map', new Map([['a', 1]]), { output: { value: { a: 1 } } }],
    ['a set', new Set([1, 2]), { output: { value: [1, 2] } }],
    ['bytes', new Uint8Array(3), { output: { value: '[3 bytes]' } }],
    ['a symbol', Symbol('s'), { output: { value: 'Symbol(s)' } }],
    ['a function', function named() {}, { output: { value: '[function named]' } }],
    ['an error', new Error('oh'), { status: 'error', errorType: 'failed' }],
    ['a thousand nested lists', deep, { status: 'success' }],
    ['a cycle', cyclic, { output: { value: { n: 1, self: '[circular]' } } }],
    ['a hostile proxy', hostile, { output: { value: '[unreadable value: no looking]' } }],
    ['half an emoji', 'a\ud83d', { output: { type: 'text', value: 'a\ufffd' } }],
    [
      'text and pictures',
      content([
        { type: 'text', text: 'see' },
        { type: 'image', image: 'AQID', mediaType: 'image/png' },
      ]),
      { output: { type: 'parts' } },
    ],
  ]

  test.each(values)('%s', async (_, value, expected) => {
    expect(await outcomeOf(() => value)).toMatchObject(expected)
  })

  test('a hundred thousand characters reach the model cut, head and tail, and say so', async () => {
    const outcome = await outcomeOf(() => `head${'x'.repeat(100_000)}tail`)
    expect(outcome).toMatchObject({ status: 'success', meta: { cut: 100_008 } })
    const text = outcome?.output.type === 'text' ? outcome.output.value : ''
    expect(text.length).toBeLessThan(10_200)
    expect(text).toMatch(/^head.*characters left out.*tail$/s)
  })

  test('a cut never halves a character', async () => {
    const outcome = await outcomeOf(() => '🙂'.repeat(20_000))
    expect(outcome?.output.type === 'text' && outcome.output.value.isWellFormed()).toBe(true)
  })

  test('what it was given, changed: nobody else sees the change', async () => {
    const model = scriptedModel([{ calls: [{ tool: 'spoil', input: { list: [1] } }] }, 'ok'])
    const spoil = tool({
      name: 'spoil',
      input: jsonSchema<{ list: number[] }>({ type: 'object' }),
      run: ({ list }) => `spoiled ${list.push(2)}`,
    })
    await agent({ model, tools: [spoil] }).run('go')
    expect(JSON.stringify(model.requests[1]?.prompt)).toContain('{"list":[1]}')
  })
})

describe('what a tool may do', () => {
  const thrown: [string, unknown, string][] = [
    ['an error', new Error('no disk'), 'no disk'],
    ['a text', 'plain', 'plain'],
    ['nothing', undefined, 'failed'],
    ['a frozen object', Object.freeze({ message: 'cold' }), 'cold'],
    [
      'an error whose message throws',
      Object.defineProperty(new Error('x'), 'message', {
        get: () => {
          throw new Error('y')
        },
      }),
      'cannot be read',
    ],
  ]

  test.each(thrown)('throw %s: the model reads it, the run goes on', async (_, error, text) => {
    const sync = await outcomeOf(() => {
      throw error
    })
    const async = await outcomeOf(() => Promise.reject(error))
    for (const outcome of [sync, async]) {
      expect(outcome).toMatchObject({ status: 'error', errorType: 'failed' })
      expect(JSON.stringify(outcome?.output)).toContain(text)
    }
  })

  test('hang: time ends it', async () => {
    expect(await outcomeOf(() => new Promise(() => {}))).toMatchObject({ status: 'error', errorType: 'timeout' })
    expect(await outcomeOf(() => new Promise(() => {}), 'unsafe')).toMatchObject({ errorType: 'outcome-unknown' })
  })

  test('be unavailable for good: the model is not shown it, and a call of it is refused', async () => {
    const shut = tool({ name: 'shut', available: false, run: () => 'x' })
    const open = tool({ name: 'open', available: true, run: () => 'x' })
    const model = scriptedModel([{ calls: [{ tool: 'shut' }] }, 'ok'])
    const worker = agent({ model, tools: [shut, open] })
    await worker.run('go', { thread: 't' })
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['open'])
    expect((await factsOf(worker, 't', 'tool.finished'))[0]?.data.errorType).toBe('unavailable')
  })

  test('be unavailable', async () => {
    const shut = tool({ name: 'shut', available: () => false, run: () => 'x' })
    const worker = agent({ model: scriptedModel([{ calls: [{ tool: 'shut' }] }, 'ok']), tools: [shut] })
    await worker.run('go', { thread: 't' })
    expect((await factsOf(worker, 't', 'tool.finished'))[0]?.data.errorType).toBe('unavailable')
  })
})

describe('what a program may get wrong', () => {
  const model = scriptedModel(() => 'ok')
  const noJson: StandardSchemaV1 = { '~standard': { version: 1, vendor: 'plain', validate: (value) => ({ value }) } }
  const wrong: [string, () => unknown, string][] = [
    ['an option that does not exist', () => agent({ model, instruction: 'x' } as object), 'LOOM_OPTION_UNKNOWN'],
    ['a tool option that does not exist', () => tool({ name: 'x', execute: () => 1, run: () => 1 } as never), 'LOOM_OPTION_UNKNOWN'],
    ['a behaviour that does not exist', () => agent({ model, behaviour: { retries: 1 } as object }), 'LOOM_OPTION_UNKNOWN'],
    ['a limit that is negative', () => agent({ model, limits: { turns: -1 } }), 'LOOM_OPTION_INVALID'],
    ['a limit that is no number', () => agent({ model, limits: { tokens: Number.NaN } }), 'LOOM_OPTION_INVALID'],
    ['two tools of one name', () => agent({ model, tools: [echo, echo] }), 'LOOM_TOOL_DUPLICATE'],
    ['a tool name with blanks', () => tool({ name: 'my tool', run: () => 1 }), 'LOOM_TOOL_NAME_INVALID'],
    ['a refused tool name', () => agent({ model, tools: { constructor: () => 1 } }), 'LOOM_TOOL_NAME_INVALID'],
    ['a tool without a name in a list', () => agent({ model, tools: [tool({ run: () => 1 })] }), 'LOOM_TOOL_NAME_INVALID'],
    ['something that is no tool', () => agent({ model, tools: { x: 7 as never } }), 'LOOM_TOOL_INVALID'],
    ['a tool without a body', () => tool({ name: 'x' } as never), 'LOOM_TOOL_INVALID'],
    ['a reconcilable tool without a check', () => tool({ name: 'x', effect: 'reconcilable', run: () => 1 }), 'LOOM_TOOL_INVALID'],
    ['an effect that does not exist', () => tool({ name: 'x', effect: 'safe' as never, run: () => 1 }), 'LOOM_TOOL_INVALID'],
    ['an input that is no schema', () => tool({ name: 'x', input: { type: 'object' } as never, run: () => 1 }), 'LOOM_TOOL_INVALID'],
    ['a schema without JSON Schema', () => agent({ model, tools: [tool({ name: 'x', input: noJson, run: () => 1 })] }), 'LOOM_SCHEMA_UNSUPPORTED'],
    [
      'a schema of what JSON has not',
      () => agent({ model, tools: [tool({ name: 'x', input: z.object({ at: z.date() }), run: () => 1 })] }),
      'LOOM_SCHEMA_UNSUPPORTED',
    ],
    ['a verdict that does not exist', () => agent({ model, permissions: { echo: 'maybe' as never } }), 'LOOM_OPTION_INVALID'],
    ['something that is no model', () => agent({ model: {} as never }), 'LOOM_MODEL_INVALID'],
    ['an output that is no schema', () => agent({ model, output: {} as never }), 'LOOM_OPTION_INVALID'],
    ['an empty prompt', () => agent({ model }).start('  '), 'LOOM_INPUT_EMPTY'],
    ['an empty list', () => agent({ model }).start([]), 'LOOM_INPUT_EMPTY'],
    ['a list of nonsense', () => agent({ model }).start([1, 2] as never), 'LOOM_INPUT_INVALID'],
    ['a role that does not exist', () => agent({ model }).start([{ role: 'robot', content: 'x' }] as never), 'LOOM_INPUT_INVALID'],
    ['an input that is neither', () => agent({ model }).start(7 as never), 'LOOM_INPUT_INVALID'],
    ['a run option that does not exist', () => agent({ model }).start('x', { threadId: 't' } as object), 'LOOM_OPTION_UNKNOWN'],
    ['a thread id with a separator', () => agent({ model }).start('x', { thread: 'a#b' }), 'LOOM_THREAD_INVALID'],
    ['a thread id of a megabyte', () => agent({ model }).start('x', { thread: 'x'.repeat(1_000_000) }), 'LOOM_THREAD_INVALID'],
  ]

  test.each(wrong)('%s', (_, act, code) => {
    expect(act).toThrowError(failing(code))
  })

  test('unknown options name the nearest known one', () => {
    expect(() => agent({ model, instuctions: 'x' } as object)).toThrowError(/Did you mean "instructions"/)
  })

  test('options of the wrong kind are refused when they are given, not when they are used', () => {
    const refused = (options: unknown): unknown => {
      try {
        return agent(options as object)
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(refused(null)).toContain('agent() takes an object of options, not null')
    expect(refused({ context: {} })).toContain('context is {}. Give a strategy: { name, assemble(request) }')
    expect(refused({ behaviour: { whenBusy: 'wait' } })).toContain('Give one of queue, steer, reject')
    expect(refused({ hooks: [{ beforeToolExec: () => {} }] })).toContain('beforeToolExec')
    expect(refused({ journal: {} })).toContain('an object without append()')
  })

  test('a run on a busy thread in a way that does not exist, or on the thread of a child', async () => {
    const child = agent({ name: 'child', model: scriptedModel('Done.') })
    const parent = agent({ name: 'parent', model: scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'go' } }] }, 'ok']), tools: [child] })
    expect(() => parent.start('x', { whenBusy: 'wait' as never })).toThrowError(/whenBusy is "wait"/)
    await parent.run('x', { thread: 't' })
    const [started] = (await parent.journal.read('t')).flatMap((event) => (event.type === 'child.started' ? [event.data.child] : []))
    await expect(parent.run('y', { thread: started ?? '' })).rejects.toMatchObject({ code: 'LOOM_THREAD_IS_CHILD', context: { parent: 't' } })
  })

  test('no model, or an id that nothing resolves, fails the run and says what to do', async () => {
    expect(await agent({}).run('x')).toMatchObject({ status: 'failed', error: { code: 'LOOM_MODEL_MISSING' } })
    expect(await agent({ model: 'anthropic/claude' }).run('x')).toMatchObject({
      status: 'failed',
      error: { code: 'LOOM_MODEL_UNRESOLVED' },
    })
  })

  test('resuming what does not exist, or without the dependencies it was given', async () => {
    const clerk = agent({ model: scriptedModel([{ calls: [{ tool: 'x' }] }]), tools: { x: tool({ permission: 'ask', run: () => 1 }) } })
    await expect(clerk.resume('nowhere').result()).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    await expect(clerk.messages('nowhere')).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    await clerk.run('x', { thread: 't', deps: { db: 1 } })
    const other = agent({ model: scriptedModel('ok'), journal: clerk.journal })
    await expect(other.resume('t').result()).rejects.toMatchObject({ code: 'LOOM_DEPS_MISSING' })
  })

  test('resuming a finished run does not run it again (defect 1)', async () => {
    const once = scriptedModel(['done'])
    const worker = agent({ model: once })
    await worker.run('x', { thread: 't' })
    const before = await typesOf(worker, 't')
    expect(await worker.resume('t').result()).toMatchObject({ status: 'done', text: 'done' })
    expect(once.requests).toHaveLength(1)
    expect(await typesOf(worker, 't')).toEqual(before)
  })
})
