/** What a fork may spend, what its plan says, and what becomes of the decisions that humans made in its parent. */
import {
  type AgentOptions,
  agent,
  approve,
  edit,
  frameOf,
  memoryJournal,
  type Question,
  type Result,
  reject,
  respond,
  type SignedAnswer,
  tool,
} from '@loom-agent/agent'
import { assertHistory, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf, factsOf } from './journals.ts'

type Reply = string | { readonly calls: readonly { readonly tool: string; readonly input?: unknown }[] }

/** A teller whose model says what its script has for the number of replies in the prompt. */
function setUp(script: readonly Reply[], options: Partial<AgentOptions> = {}) {
  const paid: unknown[] = []
  const model = scriptedModel(({ prompt }) => script[prompt.filter(({ role }) => role === 'assistant').length] ?? 'Nothing more to say.')
  const pay = tool({ name: 'pay', run: (input) => paid.push(input) && 'paid' })
  return { paid, model, teller: agent({ name: 'teller', model, tools: [pay], journal: memoryJournal(), ...options }) }
}
const paying: readonly Reply[] = [{ calls: [{ tool: 'pay', input: { sum: 5 } }] }, 'Paid.']

const seqOf = async (from: Parameters<typeof eventsOf>[0], type: string, which = 0): Promise<number> =>
  (await eventsOf(from, 't')).filter((event) => event.type === type)[which]?.seq ?? 0

describe('a fork without limits', () => {
  /** Forked before anything was spent, it waits with its first question. */
  const asking = async (options: Partial<AgentOptions> = {}) => {
    const made = setUp(paying, options)
    await made.teller.run('go', { thread: 't' })
    const fork = await made.teller.fork(`t@${await seqOf(made.teller, 'run.started')}`, { thread: 'f', effects: 'live' })
    const { questions } = await fork.resume().result()
    return { ...made, fork, question: questions[0] }
  }
  const answered = async (answer: SignedAnswer, options?: Partial<AgentOptions>) => {
    const { teller, question } = await asking(options)
    await teller.answer(question?.id ?? '', answer)
    const result = await teller.resume('f').result()
    assertHistory(await eventsOf(teller, 'f'))
    return { result, limits: (await frameOf(teller.journal, `f@${(await eventsOf(teller, 'f')).length}`)).run?.limits, teller }
  }

  test('asks once, and its question says what to grant', async () => {
    const { question } = await asking()
    expect(question).toMatchObject({ kind: 'limit', prompt: expect.stringContaining('approve({ limits: { tokens: 100000 } })') })
    expect(question?.prompt).toContain('approve() alone grants the limits that its run had')
  })

  test('goes on with the tokens that an approval grants, whatever a price would say', async () => {
    const { result, limits } = await answered(approve({ limits: { tokens: 50_000 } }))
    expect([result.status, limits?.tokens, limits?.cost]).toEqual(['done', 50_000, undefined])
  })

  test('goes on with what its run had after an approval without limits', async () => {
    expect((await answered(approve())).result.status).toBe('done')
    const { result, limits } = await answered(approve(), { limits: { tokens: 90_000 } })
    expect([result.status, limits?.tokens]).toEqual(['done', 90_000])
  })

  test('stops when no budget is granted', async () => {
    expect((await answered(reject('too dear'))).result).toMatchObject({ status: 'stopped', kind: 'budget' })
  })

  test('asks nothing when it is resumed with limits', async () => {
    const { teller } = setUp(paying)
    await teller.run('go', { thread: 't' })
    const fork = await teller.fork(`t@${await seqOf(teller, 'run.started')}`, { effects: 'live' })
    expect((await fork.resume({ limits: { tokens: 50_000 } }).result()).status).toBe('done')
  })
})

describe('a fork of a run that failed', () => {
  const two: readonly Reply[] = [{ calls: [1, 2].map((sum) => ({ tool: 'pay', input: { sum } })) }, 'Paid.']
  /** One of two approvals is given in a process that cannot go on. */
  const failed = async () => {
    const { teller, paid } = setUp(two, { permissions: { pay: 'ask' } })
    const { questions } = await teller.run('go', { thread: 't' })
    const tools = () => {
      throw new Error('The tools are down.')
    }
    const broken = agent({ name: 'teller', model: scriptedModel('no'), tools, journal: teller.journal })
    await broken.answer(questions[0]?.id ?? '', approve())
    expect(await broken.resume('t').result()).toMatchObject({ status: 'failed' })
    return { teller, paid, at: `t@${await seqOf(teller, 'run.failed', 0)}` }
  }

  test('decides its open calls anew: both are asked about again, and it ends (EVOLVE-1)', async () => {
    const { teller, paid, at } = await failed()
    const run = (await teller.fork(at, { thread: 'f', limits: {} })).resume()
    const { questions } = await run.result()
    expect(questions.map(({ call }) => call?.id)).toEqual(['1.0', '1.1'])
    for (const { id } of questions) await run.answer(id, approve())
    expect(await run.result()).toMatchObject({ status: 'done', text: 'Paid.' })
    expect(paid).toEqual([{ sum: 1 }, { sum: 2 }])
    assertHistory(await eventsOf(teller, 'f'))
  })

  test('is failed until it is resumed, and spends nothing without a budget', async () => {
    const { teller, at } = await failed()
    const fork = await teller.fork(at, { thread: 'f' })
    expect((await teller.journal.head('f'))?.summary.status).toBe('failed')
    const run = fork.resume()
    for (const { id } of (await run.result()).questions) await run.answer(id, approve())
    expect(await run.result()).toMatchObject({ status: 'waiting', questions: [{ kind: 'limit' }] })
  })

  test('goes on with another input, and every call that was open has its result', async () => {
    const { teller, at } = await failed()
    const fork = await teller.fork(at, { thread: 'f', limits: {}, edit: { kind: 'input', input: 'Never mind.' } })
    expect(await fork.resume().result()).toMatchObject({ status: 'done' })
    expect(await factsOf(teller, 'f', 'tool.finished')).toMatchObject([{ data: { errorType: 'cancelled' } }, { data: { errorType: 'cancelled' } }])
    assertHistory(await eventsOf(teller, 'f'))
  })
})

test('another input leaves an open durable call with a note of the steps that were completed', async () => {
  const order = tool({
    name: 'order',
    durable: true,
    run: async (_: unknown, ctx) => {
      await ctx.step('reserve', () => 'reserved')
      return ctx.ask('Ship it?')
    },
  })
  const { teller } = setUp([{ calls: [{ tool: 'order' }] }, 'Ordered.'], { tools: [order] })
  await teller.run('go', { thread: 't' })
  const fork = await teller.fork(`t@${await seqOf(teller, 'question.asked')}`, { thread: 'f', limits: {}, edit: { kind: 'input', input: 'Stop.' } })
  expect(await fork.resume().result()).toMatchObject({ status: 'done' })
  const [finished] = await factsOf(teller, 'f', 'tool.finished')
  expect(JSON.stringify(finished?.data)).toMatch(/Cancelled: The thread was forked here.*completed before: step reserve #1/)
  assertHistory(await eventsOf(teller, 'f'))
})

test('a fork of a moment at which a model is called again does not fail for the attempt before', async () => {
  const busy = Object.assign(new Error('busy'), { statusCode: 503, isRetryable: true })
  const model = scriptedModel((_, number) => (number === 1 ? { text: 'half', tornBy: busy } : 'Fine.'))
  const teller = agent({ name: 'teller', model, journal: memoryJournal(), ports: { random: () => 0 } })
  await teller.run('go', { thread: 't' })
  const fork = await teller.fork(`t@${await seqOf(teller, 'model.requested', 1)}`, { thread: 'f', limits: {} })
  expect(await fork.resume().result()).toMatchObject({ status: 'done', text: 'Fine.' })
})

describe('a plan', () => {
  test('says no cost of what is reused where a price is unknown', async () => {
    const { teller } = setUp(paying)
    await teller.run('go', { thread: 't' })
    const { reused } = await teller.planFork(`t@${await seqOf(teller, 'tool.started')}`)
    expect(reused).toMatchObject({ turns: 1, cost: undefined })
    expect(reused.tokens).toBeGreaterThan(0)
  })

  test('has a call that runs at the cut among the unsafe ones', async () => {
    const { teller } = setUp(paying)
    await teller.run('go', { thread: 't' })
    const { unsafe, reopened } = await teller.planFork(`t@${await seqOf(teller, 'tool.started')}`, { effects: 'live' })
    expect(unsafe).toEqual([{ call: '1.0', tool: 'pay', effect: 'unsafe', fate: 'runs' }])
    expect(reopened).toEqual(['1.0'])
  })

  test('does not count later runs of the parent, which a fork does not repeat', async () => {
    const { teller } = setUp([...paying, ...paying])
    await teller.run('go', { thread: 't' })
    const before = await teller.planFork(`t@${await seqOf(teller, 'run.started')}`)
    await teller.run('again', { thread: 't' })
    expect(await teller.planFork(`t@${await seqOf(teller, 'run.started')}`)).toEqual(before)
    const ended = `t@${await seqOf(teller, 'run.finished')}`
    expect(await teller.planFork(ended)).toMatchObject({ calls: [], estimate: { turns: 0, tokens: 0 } })
    expect(await teller.planFork(ended, { edit: { kind: 'input', input: 'again' } })).toMatchObject({
      calls: [{ tool: 'pay' }],
      estimate: { turns: 2 },
    })
  })

  test('has a durable call once, however often its body was entered', async () => {
    const wait = tool({ name: 'wait', durable: true, run: async (_, ctx) => String((await ctx.ask('Go on?')).kind) })
    const { teller } = setUp([{ calls: [{ tool: 'wait' }] }, 'Done.'], { tools: [wait] })
    await teller.run('go', { thread: 't', onQuestion: () => approve() })
    expect((await factsOf(teller, 't', 'tool.started')).length).toBeGreaterThan(1)
    expect((await teller.planFork(`t@${await seqOf(teller, 'run.started')}`)).calls.map(({ call }) => call)).toEqual(['1.0'])
  })
})

describe('a fork with recorded effects', () => {
  test.each([
    ['an edit', edit({ sum: 1 }), [{ sum: 1 }], 'success'],
    ['a rejection', reject('Not today.'), [], 'error'],
    ['a response', respond('paid by hand'), [], 'success'],
    ['an approval', approve(), [{ sum: 5 }], 'success'],
  ] as const)('keeps %s of the parent and asks nobody again', async (_, answer, done, status) => {
    const { teller, paid } = setUp(paying, { permissions: { pay: 'ask' } })
    await teller.run('go', { thread: 't', onQuestion: () => answer })
    const fork = await teller.fork(`t@${await seqOf(teller, 'run.started')}`, { thread: 'f', effects: 'recorded', limits: { tokens: 100_000 } })
    expect((await fork.resume().result()).status).toBe('done')
    const [recorded] = await factsOf(teller, 'f', 'tool.finished')
    expect(recorded?.data).toMatchObject({ status, meta: { recorded: expect.stringMatching(/^t@/) } })
    expect(await factsOf(teller, 'f', 'question.asked')).toEqual([])
    expect(paid).toEqual(done)
    assertHistory(await eventsOf(teller, 'f'))
  })

  const read = (numbers: () => number) => tool({ name: 'read', effect: 'read', run: () => `value ${numbers()}` })
  const reading = { calls: [{ tool: 'read' }] }
  /** Agents that share a journal and a tool whose every run returns another value. */
  function readers(journal = memoryJournal()) {
    let runs = 0
    const pay = tool({ name: 'pay', run: () => 'paid' })
    const tools = [read(() => ++runs), pay]
    const reader = (script: readonly Reply[]) => agent({ name: 'reader', journal, tools, model: scriptedModel(script) })
    const values = async (thread: string) =>
      (await factsOf({ journal }, thread, 'tool.finished')).map(({ data: { output, meta } }) => [output.value, meta?.['recorded']])
    return { reader, values, runs: () => runs, entered: async () => seqOf({ journal }, 'turn.entered') }
  }

  test('hands out no outcome twice, whatever driver goes on (STANDIN-1)', async () => {
    const { reader, values, entered, runs } = readers()
    await reader([reading, ...paying.slice(0, 1), reading, 'Done.']).run('go', { thread: 't' })
    const other = reader([reading, { calls: [{ tool: 'pay', input: { sum: 6 } }] }, reading, 'Done.'])
    const fork = await other.fork(`t@${await entered()}`, { thread: 'f', effects: 'recorded', limits: { turns: 9 } })
    const { questions } = await fork.resume().result()
    const again = other.resume('f')
    await again.answer(questions[0]?.id ?? '', approve())
    expect((await again.result()).status).toBe('done')
    const [first, second] = (await factsOf(other, 't', 'tool.finished')).filter(({ data }) => data.output.value !== 'paid')
    expect(await values('f')).toEqual([
      ['value 1', `t@${first?.seq}`],
      ['paid', undefined],
      ['value 2', `t@${second?.seq}`],
    ])
    expect(runs()).toBe(2)
  })

  test('gives identical calls of one turn one outcome each', async () => {
    const { reader, values, entered, runs } = readers()
    const both: Reply = { calls: [...reading.calls, ...reading.calls] }
    await reader([both, 'Done.']).run('go', { thread: 't' })
    const fork = await reader([both, 'Done.']).fork(`t@${await entered()}`, { thread: 'f', effects: 'recorded', limits: { turns: 9 } })
    await fork.resume().result()
    expect((await values('f')).map(([value]) => value)).toEqual(['value 1', 'value 2'])
    expect(runs()).toBe(2)
  })

  test('gives outcomes again, in their order, when a contributor was faster and the results were dropped (STANDIN-1)', async () => {
    const inner = memoryJournal()
    let isFirst = true
    const append: typeof inner.append = async (thread, batch) => {
      const head = isFirst && thread === 'f' && batch.events.some(({ type }) => type === 'tool.finished') ? await inner.head(thread) : undefined
      if (head) {
        isFirst = false
        const message = { role: 'user', parts: [{ type: 'text', text: 'Hurry.' }] } as const
        const { epoch: _, forkOf: __, ...steered } = { ...batch, id: 'steered', events: [{ type: 'message.steered', data: { message } }] as const }
        await inner.append(thread, { ...steered, summary: head.summary })
      }
      return inner.append(thread, batch)
    }
    const { reader, values, entered, runs } = readers({ ...inner, append })
    const both: Reply = { calls: [...reading.calls, ...reading.calls] }
    await reader([both, 'Done.']).run('go', { thread: 't' })
    const fork = await reader([both, 'Done.', 'Hurried.']).fork(`t@${await entered()}`, { thread: 'f', effects: 'recorded', limits: { turns: 9 } })
    expect((await fork.resume().result()).status).toBe('done')
    expect(isFirst).toBe(false)
    expect((await values('f')).map(([value]) => value)).toEqual(['value 1', 'value 2'])
    expect(runs()).toBe(2)
  })

  test('takes the record of the thread that was asked for, also where the cut is in what that thread shares with its parent', async () => {
    const { reader, values, entered, runs } = readers()
    await reader([reading, 'Done.']).run('go', { thread: 't' })
    const at = await entered()
    await (await reader([reading, 'Done.']).fork(`t@${at}`, { thread: 'f', effects: 'live', limits: { turns: 9 } })).resume().result()
    const fork = await reader([reading, 'Done.']).fork(`f@${at}`, { thread: 'g', effects: 'recorded', limits: { turns: 9 } })
    expect(fork).toMatchObject({ from: `f@${at}`, plan: { from: `f@${at}`, calls: [{ call: '1.0', fate: 'recorded' }] } })
    await fork.resume().result()
    expect(await values('g')).toEqual([['value 2', expect.stringMatching(/^f@/)]])
    expect(runs()).toBe(2)
  })
})

describe('a call whose arguments were changed in the parent', () => {
  const sums = { calls: [1, 2, 3].map((sum) => ({ tool: 'pay', input: { sum } })) }
  const callsOf = ({ steps }: Result) => steps[0]?.calls.map(({ input, status, output }) => ({ input, status, output }))

  test.each([
    ['a human', { permissions: { rules: [{ tool: 'pay', verdict: 'ask' }] } }],
    ['a hook', { hooks: [{ beforeToolExecution: (_: unknown, { input }: { input: unknown }) => doubled(input) }] }],
  ] as const)('by %s shows the arguments that counted in a fork with recorded effects, and in a fork of that', async (by, options) => {
    const { teller, paid } = setUp([sums, 'Paid.'], options as Partial<AgentOptions>)
    const asked = new Set<unknown>()
    const onQuestion = ({ call }: Question): SignedAnswer => {
      const isSecond = asked.has(call?.id)
      asked.add(call?.id)
      return isSecond || (call?.input as { sum: number } | undefined)?.sum !== 2 ? approve() : edit({ sum: 20 })
    }
    const parent = await teller.run('go', { thread: 't', onQuestion })
    const inputs = by === 'a human' ? [{ sum: 1 }, { sum: 20 }, { sum: 3 }] : [{ sum: 2 }, { sum: 4 }, { sum: 6 }]
    expect(callsOf(parent)?.map(({ input }) => input)).toEqual(inputs)
    paid.length = 0
    const cut = await seqOf(teller, 'run.started')
    for (const [from, thread] of [
      ['t', 'f'],
      ['f', 'g'],
    ] as const) {
      const fork = await teller.fork(`${from}@${cut}`, { thread, effects: 'recorded', limits: { tokens: 10_000 } })
      const result = await fork.resume().result()
      expect(callsOf(result)).toEqual(callsOf(parent))
      assertHistory(await eventsOf(teller, thread))
    }
    expect(paid).toEqual([])
  })
})

const doubled = (input: unknown) => ({ input: { sum: 2 * (input as { sum: number }).sum } })
