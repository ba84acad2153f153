/** Code of others that throws where nobody expects it, names that every object has, and many at once. */
import { type AgentOptions, agent, approve, content, memoryJournal, reject, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { assertHistory, mortalJournal, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { idle, until } from '../../../test/support/event-loop.ts'
import { eventsOf, factsOf, typesOf } from './journals.ts'

const boom = (): never => {
  throw new Error('boom')
}
const calling = (...names: readonly string[]) => scriptedModel([{ calls: names.map((name) => ({ tool: name })) }, 'ok'])

describe('a tool whose own code throws', () => {
  const tools = {
    'when it is asked whether it is available': tool({ name: 'act', available: boom, run: () => 1 }),
    'when it answers neither yes nor no whether it is available': tool({ name: 'act', available: () => 'boom' as never, run: () => 1 }),
    'when it is asked for its lock': tool({ name: 'act', schedule: { lock: boom }, run: () => 1 }),
    'when it is asked for its permission': tool({ name: 'act', permission: boom, run: () => 1 }),
    'when its arguments are checked': tool({
      name: 'act',
      input: { '~standard': { version: 1, vendor: 'x', validate: boom, jsonSchema: { input: () => ({}), output: () => ({}) } } } as never,
      run: () => 1,
    }),
    'when it runs': tool({ name: 'act', run: boom }),
    'in a getter of what it returns': tool({
      name: 'act',
      run: () => ({
        get value() {
          return boom()
        },
      }),
    }),
    'in a part of what it returns': tool({
      name: 'act',
      run: () =>
        content([
          {
            get type() {
              return boom()
            },
          } as never,
        ]),
    }),
    'when it is looked at whether it is a promise': tool({
      name: 'act',
      run: () => Object.defineProperty({}, 'then', { get: boom }),
    }),
  }

  test.each(Object.entries(tools))('%s: the model reads it, its siblings run, and the run goes on', async (_, broken) => {
    const fine = tool({ name: 'fine', effect: 'read', run: () => 'fine' })
    const worker = agent({ model: calling('act', 'fine'), tools: [broken, fine] })
    expect(await worker.run('go', { thread: 't' })).toMatchObject({ status: 'done', text: 'ok' })
    const events = await eventsOf(worker, 't')
    expect(events.filter(({ type }) => type === 'tool.finished' || type === 'tool.denied')).toHaveLength(2)
    expect(JSON.stringify(events)).toContain('boom')
    assertHistory(events)
  })
})

describe('a program whose own code throws', () => {
  const options: Record<string, AgentOptions> = {
    'in its instructions': { instructions: boom },
    'in its tools': { tools: boom },
    'in its dependencies': { deps: boom },
    'in its context strategy': { context: { name: 'x', assemble: boom } },
    'in a hook': { hooks: [{ beforeIterationStart: boom }] },
  }

  test.each(Object.entries(options))('%s fails the run, which can be resumed by code that does not', async (_, broken) => {
    const worker = agent({ model: scriptedModel('never'), ...broken })
    expect(await worker.run('go', { thread: 't' })).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('boom') } })
    const mended = agent({ model: scriptedModel('ok'), journal: worker.journal })
    expect(await mended.resume('t').result()).toMatchObject({ status: 'done', text: 'ok' })
  })

  test('in an observer changes nothing', async () => {
    expect((await agent({ model: scriptedModel('ok'), observers: [boom] }).run('go')).status).toBe('done')
  })

  test('in work that a message in between woke again leaves no unhandled rejection', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    try {
      let asked = 0
      const steered = Promise.withResolvers<void>()
      const deps = async (): Promise<never> => {
        asked += 1
        await steered.promise
        return boom()
      }
      const run = agent({ model: scriptedModel('never'), deps }).start('go', { thread: 't' })
      await until(() => asked > 0)
      await run.steer('still there?')
      steered.resolve()
      expect((await run.result()).status).toBe('failed')
      await idle()
      expect(unhandled).toEqual([])
    } finally {
      process.off('unhandledRejection', note)
    }
  })
})

describe('names that every object has', () => {
  const names = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty']

  test.each(names)('a call of %s is a call of a tool that does not exist', async (name) => {
    const worker = agent({ model: calling(name), tools: [tool({ name: 'act', run: () => 1 })], permissions: { act: 'allow', [name]: 'allow' } })
    expect((await worker.run('go', { thread: 't' })).status).toBe('done')
    expect((await factsOf(worker, 't', 'tool.finished'))[0]?.data.errorType).toBe('not-found')
  })

  test.each(names)('a thread called %s is a thread', async (name) => {
    const worker = agent({ model: scriptedModel(() => 'ok') })
    expect((await worker.run('go', { thread: name })).thread).toBe(name)
    expect((await worker.run('again', { thread: name })).run).toBe('r2')
    expect((await worker.messages(name)).length).toBe(4)
  })

  test.each(names)('a question called %s was never asked', async (name) => {
    const ask = tool({ name: 'act', permission: 'ask', run: () => 1 })
    const worker = agent({ model: calling('act'), tools: [ask] })
    const run = worker.start('go', { thread: 't' })
    await run.result()
    for (const answer of [approve(), reject('no'), approve({ by: 'ann' })]) {
      await expect(run.answer(`t#${name}`, answer)).rejects.toMatchObject({ code: 'LOOM_QUESTION_NOT_FOUND' })
    }
    expect(await typesOf(worker, 't')).not.toContain('question.answered')
  })

  test('arguments and metadata of such names are data', async () => {
    const seen: unknown[] = []
    const act = tool({ name: 'act', run: (input) => seen.push(Object.keys(input)) && 'ok' })
    const model = scriptedModel([{ calls: [{ tool: 'act', input: '{"__proto__":{"polluted":true},"toString":1}' }] }, 'ok'])
    const worker = agent({ model, tools: [act], permissions: { rules: [{ tool: 'act', verdict: 'allow', input: { toString: 1 as never } }] } })
    await worker.run('go', { thread: 't', metadata: JSON.parse('{"__proto__":{"polluted":true}}') })
    expect(seen).toEqual([['__proto__', 'toString']])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('nesting', () => {
  const nested = (depth: number, innermost: AgentOptions): ReturnType<typeof agent> => {
    let current = agent({ name: `level${depth}`, ...innermost })
    for (let level = depth - 1; level >= 0; level -= 1) {
      const model = scriptedModel([{ calls: [{ tool: current.name, input: { prompt: 'go' } }] }, `up ${level}`])
      current = agent({ name: `level${level}`, model, tools: [current] })
    }
    return current
  }

  test('the limit of the root holds for the whole tree', async () => {
    let reached = false
    const innermost = scriptedModel(() => {
      reached = true
      return 'bottom'
    })
    expect((await nested(3, { model: innermost }).run('go', { limits: { depth: 1 } })).status).toBe('done')
    expect(reached).toBe(false)
  })

  test('five levels are allowed, six are not, by default', async () => {
    for (const [depth, expected] of [
      [5, true],
      [6, false],
    ] as const) {
      let reached = false
      const innermost = scriptedModel(() => {
        reached = true
        return 'bottom'
      })
      expect((await nested(depth, { model: innermost }).run('go')).status).toBe('done')
      expect(reached).toBe(expected)
    }
  })
})

describe('what comes late', () => {
  test('is not taken: a call that timed out has one result, and its value is thrown away', async () => {
    let release: (value: string) => void = () => {}
    const released = Promise.withResolvers<void>()
    const slow = tool({ name: 'act', effect: 'read', schedule: { timeout: 5 }, run: () => new Promise((resolve) => (release = resolve)) })
    const model = scriptedModel([{ calls: [{ tool: 'act' }] }, { text: 'ok', until: released.promise }])
    const worker = agent({ model, tools: [slow] })
    const run = worker.start('go', { thread: 't' })
    await until(() => model.requests.length === 2)
    release('too late')
    await idle()
    released.resolve()
    expect((await run.result()).status).toBe('done')
    await idle()
    const results = await factsOf(worker, 't', 'tool.finished')
    expect(results.map(({ data }) => data.errorType)).toEqual(['timeout'])
    expect(JSON.stringify(await eventsOf(worker, 't'))).not.toContain('too late')
  })

  test('a stop that was durable before the process died holds in the next one: no new work starts', async () => {
    const journal = memoryJournal()
    const mortal = mortalJournal(journal)
    let entered = 0
    const act = tool({
      name: 'act',
      effect: 'idempotent',
      run: () => {
        entered += 1
        return new Promise(() => {})
      },
    })
    const first = agent({ model: calling('act'), tools: [act], journal: mortal.journal })
    const dying = first.start('go', { thread: 't' })
    await until(() => entered > 0)
    mortal.kill()
    void dying.result().catch(() => {})
    const second = agent({ model: scriptedModel('never'), tools: [act], journal: mortalJournal(journal).journal })
    const head = await journal.head('t')
    await journal.append('t', {
      id: 'contributor',
      incarnation: head?.incarnation ?? 't',
      expected: head?.seq ?? 0,
      time: 0,
      run: 'r1',
      turn: 1,
      events: [{ type: 'run.stop-requested', data: { reason: 'enough' } }],
      summary: { status: 'running' },
    })
    expect(await second.resume('t').result()).toMatchObject({ status: 'stopped', reason: 'enough' })
    expect(entered).toBe(1)
    assertHistory(await eventsOf(second, 't'))
  })
})

describe('many at once', () => {
  test('twenty agent objects that start on one thread: each input has one run, one after another', async () => {
    const journal = memoryJournal()
    let active = 0
    let most = 0
    const turn = async (): Promise<void> => {
      active += 1
      most = Math.max(most, active)
      await idle(1)
      active -= 1
    }
    const model = () => scriptedModel(() => ({ text: 'ok', until: turn() }))
    const results = await Promise.all(Array.from({ length: 20 }, (_, n) => agent({ model: model(), journal }).run(`input ${n}`, { thread: 't' })))
    expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'done'))
    expect(new Set(results.map(({ run }) => run)).size).toBe(20)
    expect(most).toBe(1)
    const events = await eventsOf({ journal }, 't')
    assertHistory(events)
    expect(events.filter(({ type }) => type === 'run.finished')).toHaveLength(20)
  })

  test('two hundred messages in between: each is sent once, in order', async () => {
    let release: (value: string) => void = () => {}
    const act = tool({ name: 'act', effect: 'read', run: () => new Promise((resolve) => (release = resolve)) })
    const model = calling('act')
    const run = agent({ model, tools: [act] }).start('go', { thread: 't' })
    await until(() => model.requests.length > 0)
    await Promise.all(Array.from({ length: 200 }, (_, n) => run.steer(`word ${n};`)))
    release('x')
    await run.result()
    const sent = JSON.stringify(model.requests[1]?.prompt).match(/word \d+;/g) ?? []
    expect(sent.length).toBe(200)
    expect(new Set(sent).size).toBe(200)
  })

  test('three hundred calls in a turn: each has its one result, in call order', async () => {
    const act = tool({ name: 'act', input: z.object({ n: z.number() }), effect: 'read', run: ({ n }) => idle(n % 3).then(() => n) })
    const calls = Array.from({ length: 300 }, (_, n) => ({ tool: 'act', input: { n } }))
    const model = scriptedModel([{ calls }, 'ok'])
    expect((await agent({ model, tools: [act] }).run('go')).status).toBe('done')
    const last = model.requests[1]?.prompt.at(-1)
    expect(
      last?.role === 'tool' && last.content.map((part) => part.type === 'tool-result' && part.output.type === 'json' && part.output.value),
    ).toEqual(calls.map(({ input }) => input.n))
  })
})

describe('a journal that fails', () => {
  const failing = (nth: number): { journal: Journal; repair: () => object } => {
    const journal = memoryJournal()
    const state = { appends: 0, broken: true }
    const append: Journal['append'] = (thread, batch) => {
      state.appends += 1
      return state.broken && state.appends === nth ? Promise.reject(new Error('disk full')) : journal.append(thread, batch)
    }
    return { journal: { ...journal, append }, repair: () => Object.assign(state, { broken: false }) }
  }

  test.each([1, 2, 3])('at append %i ends the result with its error; a later resumption finds the thread as it is', async (nth) => {
    const { journal, repair } = failing(nth)
    let acted = 0
    const act = tool({ name: 'act', run: () => `acted ${++acted}` })
    const worker = agent({ model: calling('act'), tools: [act], journal })
    await expect(worker.run('go', { thread: 't' })).rejects.toThrow('disk full')
    repair()
    await idle()
    const head = await journal.head('t')
    if (head) await journal.release('t', head)
    const again = agent({
      model: scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'ok' : { calls: [{ tool: 'act' }] })),
      tools: [act],
      journal,
    })
    const run = head ? again.resume('t') : again.start('go', { thread: 't' })
    const result = await run.result()
    if (result.status === 'waiting') await run.answer(result.questions[0]?.id ?? '', reject('it may have happened'))
    expect((await run.result()).status).toBe('done')
    expect(acted).toBe(1)
    assertHistory(await eventsOf(again, 't'))
  })
})
