/** Forks: another way for a thread to go, its past shared by reference, its parent untouched. */

import {
  type AgentOptions,
  agent,
  approve,
  compareMoments,
  diffFrames,
  frameOf,
  jsonSchema,
  memoryJournal,
  searchThread,
  tool,
  turnsOf,
} from '@loom-agent/agent'
import { definitionOf } from '@loom-agent/agent/kit'
import { fold, type Journal } from '@loom-agent/kernel'
import { assertHistory, checkPairing, scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventsOf, factsOf, typesOf } from './journals.ts'

type Script = readonly (string | { readonly calls: readonly { readonly tool: string; readonly input?: unknown }[] })[]

/** Says what its script has for the number of replies in the prompt: the same in any process and in any fork. */
const replying = (script: Script) =>
  scriptedModel(({ prompt }) => script[prompt.filter(({ role }) => role === 'assistant').length] ?? 'Nothing more to say.')
const story: Script = [{ calls: [{ tool: 'look' }] }, { calls: [{ tool: 'pay', input: { sum: 5 } }, { tool: 'look' }] }, 'Paid.']

function setUp(options: Partial<AgentOptions> = {}, script: Script = story) {
  const effects: string[] = []
  const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
  const pay = tool({
    name: 'pay',
    input: jsonSchema<{ sum: number }>({ type: 'object', properties: { sum: { type: 'number' } } }),
    run: ({ sum }, { thread }) => {
      effects.push(`${thread === 't' ? 't' : 'fork'} paid ${sum}`)
      return 'paid'
    },
  })
  const model = replying(script)
  const journal = memoryJournal()
  return { effects, model, journal, teller: agent({ name: 'teller', model, tools: [look, pay], journal, ...options }) }
}

const rawBytes = async (journal: Journal, thread: string): Promise<string> => JSON.stringify(await journal.read(thread, { limit: 100_000 }))
const seqOf = async (journal: Journal, thread: string, type: string, which = 0): Promise<number> =>
  (await eventsOf({ journal }, thread)).filter((event) => event.type === type)[which]?.seq ?? 0

describe('a fork', () => {
  test('at any seq is a thread of its own that ends like its parent, and the parent is not touched', async () => {
    const { teller, journal } = setUp()
    await teller.run('go', { thread: 't' })
    const before = await rawBytes(journal, 't')
    const last = (await eventsOf(teller, 't')).length
    for (let seq = 1; seq <= last; seq += 1) {
      const fork = await teller.fork(`t@${seq}`, { effects: 'live', limits: { tokens: 1_000_000 } })
      expect(fork.from).toBe(`t@${seq}`)
      if ((await frameOf(teller.journal, `t@${seq}`)).run === undefined) continue
      const result = await fork.resume().result()
      expect([seq, result.status, result.text]).toEqual([seq, 'done', 'Paid.'])
      const events = await eventsOf(teller, fork.thread)
      expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1))
      expect(events.every((event) => event.thread === fork.thread)).toBe(true)
      expect(events[seq]?.type).toBe('thread.forked')
    }
    expect(await rawBytes(journal, 't')).toBe(before)
  })

  test('stores its own events and none of its parent', async () => {
    const { teller, journal } = setUp()
    await teller.run('go', { thread: 't' })
    const fork = await teller.fork('t@9', { thread: 'f' })
    const parent = await journal.head('t')
    expect(await journal.head('f')).toMatchObject({ seq: 10, forkOf: { thread: 't', seq: 9, incarnation: parent?.incarnation } })
    expect((await journal.read('f', { from: 10 })).map(({ type, seq }) => [type, seq])).toEqual([['thread.forked', 10]])
    expect(teller.journal).toBe(journal)
    expect(fork.thread).toBe('f')
  })

  test('of a fork reads through both, and one cut in the shared part is a fork of the first', async () => {
    const { teller } = setUp()
    await teller.run('go', { thread: 't' })
    const live = { effects: 'live', limits: { tokens: 1_000_000 } } as const
    const first = await teller.fork('t@8', { ...live, thread: 'f1' })
    await first.resume().result()
    const ended = (await eventsOf(teller, 'f1')).length
    expect((await teller.fork(`f1@${ended - 1}`, { ...live, thread: 'f2' })).from).toBe(`f1@${ended - 1}`)
    expect((await teller.fork('f2@5', { ...live, thread: 'f3' })).from).toBe('t@5')
    const events = await eventsOf(teller, 'f2')
    expect(events.filter(({ type }) => type === 'thread.forked').map(({ seq }) => seq)).toEqual([9, ended])
    expect((await teller.resume('f3').result()).text).toBe('Paid.')
  })

  test('can be gone on with by another process, and folds to the same frame there', async () => {
    const { teller, journal } = setUp()
    await teller.run('go', { thread: 't' })
    await teller.fork('t@8', { thread: 'f', effects: 'live', limits: { tokens: 1_000_000 } })
    const other = agent({ name: 'teller', model: replying(story), tools: definitionOf(setUp().teller).options.tools as never, journal })
    expect((await other.resume('f').result()).status).toBe('done')
    const events = await eventsOf(teller, 'f')
    expect(diffFrames(fold('f', events), await frameOf(other.journal, `f@${events.length}`))).toEqual([])
  })

  test('keeps its parent from being removed, until it is removed itself', async () => {
    const { teller } = setUp()
    await teller.run('go', { thread: 't' })
    await teller.fork('t@8', { thread: 'f' })
    await expect(teller.journal.remove('t')).rejects.toMatchObject({ code: 'LOOM_THREAD_BUSY', context: { fork: 'f' } })
    await teller.journal.remove('f')
    await teller.journal.remove('t')
    expect(await teller.journal.head('t')).toBeUndefined()
  })

  test('spends nothing until a human grants it', async () => {
    const { teller, model } = setUp()
    await teller.run('go', { thread: 't' })
    const requests = model.requests.length
    const fork = await teller.fork(`t@${await seqOf(teller.journal, 't', 'model.requested', 1)}`)
    const waiting = await fork.resume().result()
    expect(waiting).toMatchObject({ status: 'waiting', questions: [{ kind: 'limit' }] })
    expect(model.requests.length).toBe(requests)
  })

  test('decides open calls anew, under ids and keys of its own', async () => {
    const keys: string[] = []
    const pay = tool({
      name: 'pay',
      effect: 'idempotent',
      run: (_, { key }) => {
        keys.push(key)
        return 'paid'
      },
    })
    const { teller } = setUp({ tools: [pay] }, [{ calls: [{ tool: 'pay' }] }, 'Paid.'])
    await teller.run('go', { thread: 't' })
    const fork = await teller.fork(`t@${await seqOf(teller.journal, 't', 'tool.started')}`, { effects: 'live', limits: { tokens: 1_000_000 } })
    expect((await fork.resume().result()).status).toBe('done')
    expect(keys.length).toBe(2)
    expect(new Set(keys).size).toBe(2)
  })
})

describe('effects after the cut', () => {
  const forkBefore = async (effects: 'live' | 'recorded' | 'stub' | 'ask' | undefined) => {
    const made = setUp()
    await made.teller.run('go', { thread: 't' })
    const at = `t@${await seqOf(made.teller.journal, 't', 'model.requested', 1)}`
    const fork = await made.teller.fork(at, { limits: { tokens: 1_000_000 }, ...(effects && { effects }) })
    return { ...made, fork, result: await fork.resume().result() }
  }

  test('run when they are live', async () => {
    const { effects, result } = await forkBefore('live')
    expect([result.status, effects]).toEqual(['done', ['t paid 5', 'fork paid 5']])
  })

  test('are taken from the record of the parent where it has them', async () => {
    const { effects, result, teller, fork } = await forkBefore('recorded')
    expect([result.status, effects]).toEqual(['done', ['t paid 5']])
    const finished = await factsOf(teller, fork.thread, 'tool.finished')
    expect(finished.filter(({ data }) => data.meta?.['recorded'] !== undefined).length).toBe(2)
  })

  test('are left out when they are stubbed, and the model is shown that', async () => {
    const { effects, result, teller, fork } = await forkBefore('stub')
    expect([result.status, effects]).toEqual(['done', ['t paid 5']])
    const [stubbed] = (await factsOf(teller, fork.thread, 'tool.finished')).filter(({ data }) => data.meta?.['stubbed'] === true)
    expect(stubbed?.data).toMatchObject({ status: 'warning', output: { value: expect.stringContaining('was not run') } })
  })

  test.each(['ask', undefined] as const)('are asked about (%s)', async (policy) => {
    const { effects, result, teller, fork } = await forkBefore(policy)
    expect(result).toMatchObject({ status: 'waiting', questions: [{ kind: 'approval', call: { tool: 'pay' } }] })
    const run = teller.resume(fork.thread)
    await run.answer(result.questions[0]?.id ?? '', approve())
    expect((await run.result()).status).toBe('done')
    expect(effects).toEqual(['t paid 5', 'fork paid 5'])
  })
})

describe('an edit', () => {
  const edited = async (edit: Parameters<ReturnType<typeof setUp>['teller']['fork']>[1], at?: number) => {
    const made = setUp()
    await made.teller.run('go', { thread: 't' })
    const last = (await eventsOf(made.teller, 't')).length
    const fork = await made.teller.fork(`t@${at ?? last}`, { effects: 'stub', limits: { tokens: 1_000_000 }, ...edit })
    const result = await fork.resume().result()
    const events = await eventsOf(made.teller, fork.thread)
    for (const { prompt } of made.model.requests) expect(checkPairing(prompt)).toEqual([])
    return { ...made, fork, result, events, last: made.model.requests.at(-1) }
  }

  test('of a result is what the model reads next', async () => {
    const { last, fork, result } = await edited({ edit: { kind: 'result', call: '1.0', result: 'a fire' } })
    expect(result.status).toBe('done')
    expect(JSON.stringify(last?.prompt)).toContain('a fire')
    expect(fork.from).toMatch(/^t@\d+$/)
  })

  test('of a verdict denies what was allowed', async () => {
    const { last, result } = await edited({ edit: { kind: 'deny', call: '2.0', reason: 'Too much.' } })
    expect(result.status).toBe('done')
    expect(JSON.stringify(last?.prompt)).toContain('Too much.')
  })

  test('of the input goes on with other words, wherever the run was', async () => {
    const { last, result, events } = await edited({ edit: { kind: 'input', input: 'Something else.' } }, 12)
    expect(result.status).toBe('done')
    expect(JSON.stringify(last?.prompt)).toContain('Something else.')
    expect(events.filter(({ type }) => type === 'run.stopped').length).toBe(1)
  })

  test('of the instructions holds from the next request on', async () => {
    const { last } = await edited({ edit: { kind: 'instructions', text: 'Be rude.' } }, 12)
    expect(last?.prompt[0]).toMatchObject({ role: 'system', content: 'Be rude.' })
  })

  test('of the instructions of a fork that starts its run anew shows the tools of today', async () => {
    const { teller } = setUp()
    await teller.run('go', { thread: 't' })
    const model = replying(Array.from({ length: 9 }, () => 'Done.'))
    const today = agent({
      name: 'teller',
      instructions: 'Be kind.',
      model,
      journal: teller.journal,
      tools: [tool({ name: 'new', run: () => 'new' })],
    })
    const rude = { kind: 'instructions', text: 'Be rude.' } as const
    const end = (await eventsOf(teller, 't')).length
    const limits = { turns: 9 }
    await (await today.fork(`t@${end}`, { edit: [{ kind: 'input', input: 'Again.' }, rude], limits })).resume().result()
    await (await today.fork(`t@${await seqOf(teller.journal, 't', 'run.started')}`, { edit: rude, limits })).resume().result()
    expect(model.requests.map(({ prompt, tools }) => [prompt[0]?.content, tools?.map(({ name }) => name)])).toEqual([
      ['Be rude.', ['new']],
      ['Be rude.', ['new']],
    ])
  })

  test('of the model asks another one', async () => {
    const other = replying(['Another story.', 'Another story.', 'Another story.'])
    const { result } = await edited({ edit: { kind: 'model', model: other } }, 12)
    expect(result.text).toBe('Another story.')
  })

  test('that removes a turn goes on as if it had not been', async () => {
    const { fork, events, teller } = await edited({ edit: { kind: 'remove-turn', turn: 2 } })
    expect(fork.from).toBe(`t@${(await seqOf(teller.journal, 't', 'turn.entered', 1)) - 1}`)
    expect(events.filter(({ type, turn }) => type === 'turn.entered' && turn === 2).length).toBe(1)
  })

  test('of several things at once cuts before the first of them', async () => {
    const { last, fork, teller } = await edited({
      edit: [
        { kind: 'result', call: '1.0', result: 'a fire' },
        { kind: 'instructions', text: 'Be calm.' },
      ],
    })
    expect(fork.from).toBe(`t@${(await seqOf(teller.journal, 't', 'tool.finished')) - 1}`)
    expect(JSON.stringify(last?.prompt)).toContain('Be calm.')
  })
})

describe('a plan', () => {
  test('says what is reused, what would run, what is unsafe and what it may cost', async () => {
    const { teller, effects } = setUp({ ports: { price: () => 7 } })
    await teller.run('go', { thread: 't' })
    const at = `t@${await seqOf(teller.journal, 't', 'model.requested', 1)}`
    const before = await rawBytes(teller.journal, 't')
    const live = await teller.planFork(at, { effects: 'live' })
    expect(live).toMatchObject({ from: at, reused: { turns: 2, cost: 7 }, estimate: { turns: 1, cost: 14 }, unsafe: [{ tool: 'pay', fate: 'runs' }] })
    expect((await teller.planFork(at, { effects: 'recorded' })).calls.map(({ fate }) => fate)).toEqual(['recorded', 'recorded'])
    expect((await teller.planFork(at, { effects: 'stub' })).calls.map(({ fate }) => fate).toSorted()).toEqual(['runs', 'stubbed'])
    expect((await teller.planFork(at)).unsafe).toEqual([])
    expect(await rawBytes(teller.journal, 't')).toBe(before)
    expect((await teller.journal.threads()).length).toBe(1)
    expect(effects).toEqual(['t paid 5'])
  })
})

describe('what cannot be forked', () => {
  test.each([
    ['no moment', 't', {}, 'LOOM_THREAD_INVALID'],
    ['a seq of nothing', 't@0', {}, 'LOOM_THREAD_INVALID'],
    ['a thread that is not there', 'x@1', {}, 'LOOM_THREAD_NOT_FOUND'],
    ['a moment that is not there yet', 't@999', {}, 'LOOM_OPTION_INVALID'],
    ['a call that never was', 't@9', { edit: { kind: 'result', call: '9.9', result: 1 } }, 'LOOM_OPTION_INVALID'],
    ['a turn that never was', 't@9', { edit: { kind: 'remove-turn', turn: 9 } }, 'LOOM_OPTION_INVALID'],
    ['an edit that is none', 't@9', { edit: { kind: 'wish' } }, 'LOOM_OPTION_INVALID'],
    ['an unknown option', 't@9', { policy: 'live' }, 'LOOM_OPTION_UNKNOWN'],
    ['effects that are none', 't@9', { effects: 'some' }, 'LOOM_OPTION_INVALID'],
    ['an id that is taken', 't@9', { thread: 't' }, 'LOOM_THREAD_INVALID'],
  ])('%s is refused', async (_, at, options, code) => {
    const { teller } = setUp()
    await teller.run('go', { thread: 't' })
    await expect(teller.fork(at, options as never)).rejects.toMatchObject({ code })
    expect((await teller.journal.threads()).length).toBe(1)
  })
})

describe('time travel', () => {
  test('the tokens and the cost of the turns are those of the run, with its failed attempts and its children', async () => {
    const busy = Object.assign(new Error('busy'), { statusCode: 503, isRetryable: true })
    const helper = agent({ name: 'helper', model: scriptedModel(['Helped.']), ports: { price: () => 2 } })
    const model = scriptedModel([{ text: 'half', tornBy: busy }, { calls: [{ tool: 'helper', input: { prompt: 'Help.' } }] }, 'Fine.'])
    const teller = agent({ model, tools: [helper], journal: memoryJournal(), ports: { price: () => 5, random: () => 0 } })
    const { usage, cost } = await teller.run('go', { thread: 't' })
    const turns = await turnsOf(teller.journal, 't')
    expect(turns.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(usage.input + usage.output)
    expect(turns.reduce((sum, turn) => sum + (turn.cost ?? Number.NaN), 0)).toBe(cost)
    expect(cost).toBeGreaterThan(10)
  })

  test('lists turns, finds words, compares moments of one thread and of two', async () => {
    const { teller } = setUp()
    await teller.run('Where is my order?', { thread: 't' })
    expect(
      (await turnsOf(teller.journal, 't')).map(({ turn, text, calls }) => [turn, text, calls.map(({ tool: name, status }) => `${name} ${status}`)]),
    ).toEqual([
      [1, '', ['look success']],
      [2, '', ['pay success', 'look success']],
      [3, 'Paid.', []],
    ])
    const [found] = await searchThread(teller.journal, 't', 'MY ORDER')
    expect(found).toMatchObject({ type: 'run.started', excerpt: expect.stringContaining('Where is my order?') })
    const differences = await compareMoments(teller.journal, 't@3', 't@5')
    expect(differences.map(({ path }) => path)).toContain('seq')
    await teller.fork('t@5', { thread: 'f' })
    expect((await compareMoments(teller.journal, 't@5', 'f@6')).map(({ path }) => path)).toContain('fork')
    await expect(searchThread(teller.journal, 't', ' ')).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
    await expect(turnsOf(teller.journal, 'nobody')).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    await expect(frameOf(teller.journal, 't@99')).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
  })
})

test('whatever is edited wherever, the history breaks no rule and every request is valid', async () => {
  const edits = fc.constantFrom(
    undefined,
    { kind: 'input', input: 'New words.' } as const,
    { kind: 'result', call: '1.0', result: 'other' } as const,
    { kind: 'deny', call: '2.0' } as const,
    { kind: 'remove-turn', turn: 2 } as const,
  )
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 3, max: 24 }), edits, fc.constantFrom('live', 'recorded', 'stub'), async (seq, edit, effects) => {
      const { teller, model } = setUp()
      await teller.run('go', { thread: 't' })
      const last = (await eventsOf(teller, 't')).length
      const fork = await teller
        .fork(`t@${Math.min(seq, last)}`, { effects: effects as 'live', limits: { tokens: 1_000_000 }, ...(edit && { edit }) })
        .catch(() => undefined)
      if (!fork) return
      await fork.resume().result()
      assertHistory(await eventsOf(teller, fork.thread))
      for (const { prompt } of model.requests) expect(checkPairing(prompt)).toEqual([])
      expect((await typesOf(teller, fork.thread)).length).toBeGreaterThan(0)
    }),
    { numRuns: 60 },
  )
})
