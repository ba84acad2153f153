import { agent, approve, type Hook, type HookPoint, hookPoints, reject, skip, suspend, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { factsOf, typesOf } from './journals.ts'

const add = tool({ name: 'add', input: z.object({ a: z.number(), b: z.number() }), effect: 'pure', run: ({ a, b }) => a + b })
const script = () => scriptedModel([{ text: 'Let me see.', calls: [{ tool: 'add', input: { a: 2, b: 2 } }] }, 'It is 4.', 'Again.'])
const runWith = async (hook: Hook, model = script()) => {
  const math = agent({ model, instructions: 'Be exact.', tools: [add], hooks: [hook] })
  return { math, model, run: math.start('2+2?', { thread: 't' }) }
}
const said = (model: ReturnType<typeof script>, request: number): string => JSON.stringify(model.requests[request]?.prompt)

describe('the nine points', () => {
  test('are passed in order, every turn', async () => {
    const passed: string[] = []
    const hook = Object.fromEntries(hookPoints.map((point) => [point, (ctx: { turn: number }) => void passed.push(`${point} ${ctx.turn}`)])) as Hook
    const { run } = await runWith(hook)
    await run.result()
    expect(passed).toEqual([
      'beforeIterationStart 1',
      'beforeContextAssembly 1',
      'afterContextAssembly 1',
      'beforeModelCall 1',
      'afterModelReply 1',
      'beforeToolExecution 1',
      'afterToolExecution 1',
      'beforeRecursion 1',
      'afterIterationEnd 1',
      'beforeIterationStart 2',
      'beforeContextAssembly 2',
      'afterContextAssembly 2',
      'beforeModelCall 2',
      'afterModelReply 2',
      'afterIterationEnd 2',
    ])
  })

  const changes: { [P in HookPoint]: { hook: Hook; seen: (model: ReturnType<typeof script>) => string; expected: string } } = {
    beforeIterationStart: {
      hook: { beforeIterationStart: ({ turn }) => (turn === 1 ? { say: 'Hurry.' } : undefined) },
      seen: (m) => said(m, 0),
      expected: 'Hurry.',
    },
    beforeContextAssembly: {
      hook: { beforeContextAssembly: ({ turn }) => (turn === 1 ? { say: 'Note well.' } : undefined) },
      seen: (m) => said(m, 0),
      expected: 'Note well.',
    },
    afterContextAssembly: {
      hook: { afterContextAssembly: (_, { instructions }) => (instructions === 'Be exact.' ? { instructions: 'Be quick.' } : undefined) },
      seen: (m) => said(m, 0),
      expected: 'Be quick.',
    },
    beforeModelCall: {
      hook: {
        beforeModelCall: (_, { messages }) => ({
          messages: [...messages, { role: 'user', content: [{ type: 'text', text: 'PS.' }] }],
          settings: { temperature: 0.5 },
        }),
      },
      seen: (m) => said(m, 0) + JSON.stringify(m.requests[0]?.temperature),
      expected: 'PS."}]}]0.5',
    },
    afterModelReply: {
      hook: {
        afterModelReply: (_, { parts }) => ({ parts: parts.map((part) => (part.type === 'text' ? { ...part, text: 'Censored.' } : part)) }),
      },
      seen: (m) => said(m, 1),
      expected: 'Censored.',
    },
    beforeToolExecution: {
      hook: { beforeToolExecution: () => ({ input: { a: 20, b: 20 } }) },
      seen: (m) => said(m, 1),
      expected: '"value":40',
    },
    afterToolExecution: {
      hook: { afterToolExecution: () => ({ output: { type: 'text', value: 'four' } }) },
      seen: (m) => said(m, 1),
      expected: '"four"',
    },
    beforeRecursion: {
      hook: { beforeRecursion: (_, { turn }) => ({ say: `On to ${turn}.` }) },
      seen: (m) => said(m, 1),
      expected: 'On to 2.',
    },
    afterIterationEnd: {
      hook: { afterIterationEnd: ({ turn }) => (turn === 1 ? { settings: { seed: 9 } } : undefined) },
      seen: (m) => JSON.stringify(m.requests[1]),
      expected: '"seed":9',
    },
  }

  test.each(hookPoints)('%s changes what it says it changes, and the next request shows it (defect 10)', async (point) => {
    const { hook, seen, expected } = changes[point]
    const { math, model, run } = await runWith(hook)
    expect((await run.result()).status).toBe('done')
    expect(seen(model)).toContain(expected)
    expect((await factsOf(math, 't', 'hook.applied')).map(({ data }) => data.point)).toContain(point)
  })

  test.each(hookPoints)(
    '%s may suspend the run, and is called once more with the answer (defect 10: an interrupt elsewhere crashed)',
    async (point) => {
      const answers: unknown[] = []
      const hook = {
        [point]: (ctx: { answer?: { kind: string } | undefined; turn: number }) => {
          if (ctx.turn > 1) return undefined
          answers.push(ctx.answer?.kind)
          return ctx.answer ? undefined : suspend('May I go on?')
        },
      } as Hook
      const { math, model, run } = await runWith(hook)
      const waiting = await run.result()
      expect(waiting).toMatchObject({ status: 'waiting', questions: [{ kind: 'hook', prompt: 'May I go on?' }] })
      await run.answer(waiting.questions[0]?.id ?? '', approve())
      expect(await run.result()).toMatchObject({ status: 'done', text: 'It is 4.' })
      expect(answers).toEqual([undefined, 'approve'])
      expect(model.requests).toHaveLength(2)
      expect(await factsOf(math, 't', 'tool.finished')).toHaveLength(1)
    },
  )

  test.each(hookPoints)('a throw at %s is an error result at a tool point, a resumable failure elsewhere', async (point) => {
    let throws = true
    const hook = {
      [point]: () => {
        if (throws) throw new Error('boom')
      },
    } as Hook
    const { math, model, run } = await runWith(hook)
    const result = await run.result()
    if (point === 'beforeToolExecution' || point === 'afterToolExecution') {
      expect(result.status).toBe('done')
      expect(said(model, 1)).toContain('boom')
      return
    }
    expect(result).toMatchObject({ status: 'failed', error: { code: 'LOOM_HOOK_FAILED' } })
    throws = false
    expect(await math.resume('t').result()).toMatchObject({ status: 'done', text: 'It is 4.' })
    expect(await factsOf(math, 't', 'tool.finished')).toHaveLength(1)
  })
})

describe('hooks', () => {
  test('chain in list order, each seeing what the one before made', async () => {
    const model = script()
    const hooks: Hook[] = [
      { beforeToolExecution: (_, { input }) => ({ input: { ...(input as object), a: 5 } }) },
      { beforeToolExecution: (_, { input }) => ({ input: { ...(input as object), b: (input as { a: number }).a } }) },
    ]
    await agent({ model, tools: [add], hooks }).run('go')
    expect(said(model, 1)).toContain('"value":10')
  })

  test('may skip a call: the model sees why, and the call has its one result (defect 8: skip left a call unpaired)', async () => {
    const { math, model, run } = await runWith({ beforeToolExecution: () => skip('not today') })
    expect((await run.result()).status).toBe('done')
    expect(model.requests[1]?.prompt.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ output: { type: 'error-text', value: 'Skipped: not today. Go on without it.' } }],
    })
    expect(await typesOf(math, 't')).not.toContain('tool.started')
  })

  test('cannot smuggle in arguments that do not fit or are not permitted', async () => {
    const { model, run } = await runWith({ beforeToolExecution: () => ({ input: { a: 'x', b: 1 } }) })
    await run.result()
    expect(said(model, 1)).toContain('do not fit')
    const strict = script()
    const permissions = { rules: [{ tool: 'add', verdict: 'deny', input: { a: 13 } }], default: 'allow' } as const
    await agent({ model: strict, tools: [add], permissions, hooks: [{ beforeToolExecution: () => ({ input: { a: 13, b: 0 } }) }] }).run('go')
    expect(said(strict, 1)).toContain('not permitted')
  })

  test('that add a message at the end cause another turn', async () => {
    let once = true
    const { run } = await runWith({
      afterIterationEnd: ({ turn }) => {
        if (turn !== 2 || !once) return undefined
        once = false
        return { say: 'Are you sure?' }
      },
    })
    expect(await run.result()).toMatchObject({ status: 'done', text: 'Again.', turns: 3 })
  })

  test('are asked again after a refusal only with the refusal', async () => {
    const { run } = await runWith({
      beforeToolExecution: ({ answer }) => (answer === undefined ? suspend('ok?') : answer.kind === 'reject' ? skip('a human said no') : undefined),
    })
    await run.answer((await run.result()).questions[0]?.id ?? '', reject('no'))
    expect((await run.result()).status).toBe('done')
  })

  test('can raise and lower limits', async () => {
    const model = scriptedModel((_, number) => ({ calls: [{ tool: 'add', input: { a: number, b: 1 } }] }))
    const math = agent({
      model,
      tools: [add],
      limits: { turns: 2 },
      hooks: [{ afterIterationEnd: ({ turn }) => (turn === 1 ? { limits: { turns: 4 } } : undefined) }],
    })
    expect(await math.run('go')).toMatchObject({ status: 'stopped', kind: 'limit', turns: 4 })
  })
})
