import {
  agent,
  type CompressOptions,
  type ContextStrategy,
  compact,
  compress,
  explain,
  memoryJournal,
  pipeline,
  skills,
  todo,
  tool,
} from '@loom-agent/agent'
import type { ContextItem, Segment } from '@loom-agent/kernel'
import { assertCachePrefix, checkContexts, checkPairing, type ScriptedModel, type ScriptedReply, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf, factsOf } from '../../../test/support/threads.ts'

const limits = { turns: 1000, loop: false } as const
/** Four characters are taken for a token. */
const ports = { countTokens: (text: string): number => text.length / 4 }
const look = tool({ name: 'look', effect: 'read', run: ({ n }: { n?: number }) => `<look ${n}> ${'x y '.repeat(300)} end of <look ${n}>` })
const list = tool({ name: 'list', effect: 'read', run: ({ n }: { n?: number }) => `<list ${n}> ${'a b '.repeat(50)}` })

const wordsOf = (model: ScriptedModel, request = -1): string => JSON.stringify(model.requests.at(request)?.prompt)

/** A model that counts as the agent does. */
function counting(reply: (number: number) => ScriptedReply | string): ScriptedModel {
  return scriptedModel((request, number) => {
    const made = reply(number)
    const usage = { input: Math.ceil(JSON.stringify([request.prompt, request.tools]).length / 4), output: 10 }
    return typeof made === 'string' ? { text: made, usage } : { ...made, usage }
  })
}

const playing = (script: readonly (ScriptedReply | string)[]): ScriptedModel => counting((number) => script[number - 1] ?? 'Done.')

type Worker = ReturnType<typeof agent>

const rebasesOf = async (worker: Worker): Promise<readonly (readonly Segment[])[]> =>
  (await factsOf(worker, 't', 'context.assembled')).flatMap(({ data }) => (data.rebase ? [data.rebase.segments ?? []] : []))

const droppedBy = (rule: string, segments: readonly Segment[]): number =>
  segments.filter((segment) => segment.as === 'dropped' && segment.rule === rule).length

describe('zones', () => {
  /** Adds a memory in every turn. */
  const remembering = (of: Partial<ContextItem> = {}): ContextStrategy => ({
    name: 'remembering',
    assemble: ({ frame: { turn } }) => ({
      items: [{ kind: 'memory', id: `m${turn}`, origin: 'store', text: `<memory ${turn}> ${'m n '.repeat(50)}`, ...of }],
    }),
  })

  interface Told {
    readonly worker: Worker
    readonly model: ScriptedModel
  }

  async function tell(options: CompressOptions, { turns = 60, of = {} as Partial<ContextItem> } = {}): Promise<Told> {
    let calls = 0
    const model = counting(() => (calls < turns ? { calls: [{ tool: 'look', input: { n: ++calls } }] } : 'Done.'))
    const context = pipeline(compress({ max: 6000, ...options }), remembering(of))
    // Shares are of the budget: without the tool that `compress` lists, so that the sizes are those of the conversation.
    const worker = agent({ behaviour: { readMore: false }, model, ports, tools: [look], context, limits, instructions: 'Be exact.' })
    await worker.run('Go.', { thread: 't' })
    const events = await eventsOf(worker, 't')
    expect(checkContexts(events, model.requests)).toEqual([])
    assertCachePrefix(model.requests, events)
    return { worker, model }
  }

  /** Memories in the first request after each rebase, without the one that was added with it. */
  async function memoriesAfterRebases({ worker, model }: Told): Promise<readonly number[]> {
    const turns = (await factsOf(worker, 't', 'context.assembled')).flatMap(({ data, turn }) =>
      data.rebase?.reason === 'compress' ? [turn ?? 0] : [],
    )
    return turns.map((turn) => new Set(wordsOf(model, turn - 1).match(/"text":"<memory \d+>/g)).size - 1)
  }

  test('over their share are cut at a rebase, the latest entries stay, and the explanation says by what rule and what took the room', async () => {
    const free = await tell({})
    expect(Math.max(...(await memoriesAfterRebases(free)))).toBeGreaterThan(3)
    // A memory has more than 60 tokens.
    const told = await tell({ shares: { memory: 0.02 } })
    const after = await memoriesAfterRebases(told)
    expect(after.length).toBeGreaterThan(2)
    expect(new Set(after)).toEqual(new Set([1]))
    const rebases = await rebasesOf(told.worker)
    expect(rebases.some((segments) => droppedBy('zone', segments) > 0)).toBe(true)
    const [turn] = (await factsOf(told.worker, 't', 'context.assembled')).flatMap(({ data, turn: at }) =>
      data.rebase?.reason === 'compress' ? [at ?? 0] : [],
    )
    const { asked } = await explain(told.worker.journal, { thread: 't', turn: turn ?? 0 }, { item: `m${(turn ?? 0) - 3}` })
    const [found] = asked?.found ?? []
    expect(found?.fate).toMatchObject({
      as: 'dropped',
      rule: 'zone',
      reason: 'The zone memory may have 120 tokens, and this with what came later has more.',
      budget: { max: 6000 },
      took: [{ kind: expect.any(String), tokens: expect.any(Number) }, {}, {}, {}, {}],
    })
    const { words } = await explain(told.worker.journal, { thread: 't', turn: turn ?? 0 }, { item: `m${(turn ?? 0) - 3}` })
    expect(words).toContain('It was dropped by the rule "zone": The zone memory may have 120 tokens')
  })

  test('that are cut leave more room to the conversation', async () => {
    const entriesIn = (text: string): number => new Set(text.match(/<look \d+>/g)).size
    const turnOf = async ({ worker }: Told): Promise<number> =>
      (await factsOf(worker, 't', 'context.assembled')).find(({ data }) => data.rebase?.reason === 'compress')?.turn ?? 0
    const free = await tell({})
    const cut = await tell({ shares: { memory: 0 } })
    expect(entriesIn(wordsOf(cut.model, (await turnOf(cut)) - 1))).toBeGreaterThan(entriesIn(wordsOf(free.model, (await turnOf(free)) - 1)))
  })

  test('never lose a pin, the last input or the latest calls, whatever their share', async () => {
    const told = await tell({ shares: { memory: 0, history: 0.05, skills: 0, reminders: 0 } }, { of: { pin: true }, turns: 12 })
    for (const [index, { prompt }] of told.model.requests.entries()) {
      const text = JSON.stringify(prompt)
      expect(checkPairing(prompt)).toEqual([])
      expect(text).toContain('Go.')
      if (index > 0) expect(text).toContain(`<look ${index}>`)
      for (let turn = 1; turn <= index; turn += 1) expect(text).toContain(`<memory ${turn}>`)
    }
  })

  test('of the conversation keep the end short', async () => {
    const sizes = async (shares: CompressOptions['shares']): Promise<number> => {
      const { worker } = await tell({ ...(shares && { shares }) })
      const [rebase] = (await factsOf(worker, 't', 'context.assembled')).flatMap(({ data }) =>
        data.rebase?.reason === 'compress' ? [data.rebase] : [],
      )
      return rebase?.budget?.after ?? 0
    }
    const free = await sizes(undefined)
    const cut = await sizes({ history: 0.2 })
    expect(cut).toBeLessThan(0.6 * free)
    expect(cut).toBeGreaterThan(300)
  })

  test('are cut along with a rebase that another cause has, however much room there is', async () => {
    const journal = memoryJournal()
    const context = pipeline(compress({ max: 100_000, shares: { memory: 0.001 } }), remembering())
    const model = counting(() => 'Yes.')
    for (let n = 1; n <= 5; n += 1) await agent({ model, ports, context, journal, instructions: 'Be exact.' }).run(`Question ${n}`, { thread: 't' })
    expect(wordsOf(model).match(/<memory \d>/g)).toHaveLength(5)
    const changed = agent({ model, ports, context, journal, instructions: 'Be kind.' })
    await changed.run('Question 6', { thread: 't' })
    expect(wordsOf(model).match(/<memory \d>/g)).toEqual(['<memory 5>', '<memory 6>'])
    expect(wordsOf(model).match(/Question \d/g)).toHaveLength(6)
    const [last] = (await factsOf(changed, 't', 'context.assembled')).slice(-1)
    expect(last?.data.rebase).toMatchObject({ reason: 'instructions', budget: { max: 100_000 } })
    expect(checkContexts(await eventsOf(changed, 't'), model.requests)).toEqual([])
  })

  test('hold skills that were opened, and one that was cut can be opened again', async () => {
    const house = skills(
      ['one', 'two', 'three'].map((name) => ({ name, description: `About ${name}.`, body: `<body ${name}> ${'s t '.repeat(100)}` })),
    )
    const opening = (name: string): ScriptedReply => ({ calls: [{ tool: 'open_skill', input: { name } }] })
    const model = playing([opening('one'), opening('two'), opening('three'), 'Done.', 'Yes.', opening('one')])
    // A skill has about 110 tokens.
    const worker = agent({
      model,
      ports,
      tools: [house],
      context: compress({ max: 3000, shares: { skills: 0.1 } }),
      limits,
      instructions: 'Be exact.',
    })
    await worker.run('Go.', { thread: 't' })
    expect(wordsOf(model).match(/<body \w+>/g)).toHaveLength(3)
    const changed = worker.with({ instructions: 'Be kind.' })
    await changed.run('And now?', { thread: 't' })
    expect(wordsOf(model).match(/<body \w+>/g)).toEqual(['<body two>', '<body three>'])
    await changed.run('Once more.', { thread: 't' })
    expect(wordsOf(model).match(/<body \w+>/g)).toEqual(['<body two>', '<body three>', '<body one>'])
    expect(checkContexts(await eventsOf(worker, 't'), model.requests)).toEqual([])
  })

  test('have shares from 0 to 1, and names', () => {
    expect(() => compress({ shares: { memory: 2 } })).toThrow(/shares.memory is 2. Give a number from 0 to 1/)
    expect(() => compress({ shares: { memories: 0.5 } as never })).toThrow(
      /has no option "memories". Options of compress\(\).shares: skills, memory, reminders, history/,
    )
  })
})

describe('a list of tasks that a later one took the place of', () => {
  test('is left out of the end of the conversation by name', async () => {
    const setting = (text: string): ScriptedReply => ({ calls: [{ tool: 'todo', input: { todos: [{ text, status: 'pending' }] } }] })
    const cutting: ContextStrategy = {
      name: 'cutting',
      assemble: ({ frame }) =>
        frame.turn === 3 ? { rebase: { reason: 'cut', segments: [{ to: 3, as: 'dropped', rule: 'old', reason: 'It is old.' }] } } : {},
    }
    const longer = compress({ max: 3000, target: 0.9, ephemeral: { look: 1 } })
    const context: ContextStrategy = { name: 'both', assemble: (request) => (request.frame.turn < 4 ? cutting : longer).assemble(request) }
    const looking = Array.from({ length: 12 }, (_, n): ScriptedReply => ({ calls: [{ tool: 'look', input: { n } }] }))
    const model = playing([setting('<first>'), ...looking.slice(0, 1), setting('<second>'), ...looking])
    const worker = agent({ model, ports, tools: [todo(), look], context, limits })
    await worker.run('Go.', { thread: 't' })
    expect(wordsOf(model, 2)).toContain('[ ] <first>')
    const rebases = await rebasesOf(worker)
    expect(rebases.some((segments) => droppedBy('todo', segments) > 0)).toBe(true)
    expect(wordsOf(model)).not.toContain('[ ] <first>')
    expect(wordsOf(model)).toContain('<second>')
  })
})

describe('ephemeral results', () => {
  const limitsOf = { ...limits }
  const cutCalls = (text: string): readonly string[] => [
    ...new Set([...text.matchAll(/result of call ([\d.]+) are left out/g)].map(([, call = '']) => call)),
  ]

  async function tell(
    script: readonly ScriptedReply[],
    options: CompressOptions,
  ): Promise<{ readonly worker: Worker; readonly model: ScriptedModel }> {
    const model = playing([...script])
    const worker = agent({ model, ports, tools: [look, list], context: compress(options), limits: limitsOf })
    await worker.run('Go.', { thread: 't' })
    const events = await eventsOf(worker, 't')
    expect(checkContexts(events, model.requests)).toEqual([])
    assertCachePrefix(model.requests, events)
    return { worker, model }
  }

  const looking = (count: number, at = 0): readonly ScriptedReply[] =>
    Array.from({ length: count }, (_, index) => ({ calls: [{ tool: 'look', input: { n: at + index + 1 } }] }))

  test('are cut but for the latest at every rebase, and never in between', async () => {
    const { worker, model } = await tell(looking(120), { max: 8000, ephemeral: { look: 2 } })
    const turns = (await factsOf(worker, 't', 'context.assembled')).flatMap(({ data, turn }) =>
      data.rebase?.reason === 'compress' ? [turn ?? 0] : [],
    )
    expect(turns.length).toBeGreaterThan(3)
    for (const turn of turns) {
      const whole = new Set(wordsOf(model, turn - 1).match(/end of <look \d+>/g))
      expect(whole).toEqual(new Set([turn - 2, turn - 1].map((n) => `end of <look ${n}>`)))
    }
  })

  test('of one turn stay together, so that the latest are never fewer than asked for', async () => {
    const pairs = Array.from(
      { length: 60 },
      (_, n): ScriptedReply => ({
        calls: [
          { tool: 'look', input: { n: 2 * n } },
          { tool: 'look', input: { n: 2 * n + 1 } },
        ],
      }),
    )
    for (const keep of [1, 2, 3]) {
      const { worker, model } = await tell(pairs, { max: 8000, ephemeral: { look: keep } })
      const turns = (await factsOf(worker, 't', 'context.assembled')).flatMap(({ data, turn }) =>
        data.rebase?.reason === 'compress' ? [turn ?? 0] : [],
      )
      expect(turns.length).toBeGreaterThan(1)
      for (const turn of turns) {
        const whole = new Set(wordsOf(model, turn - 1).match(/end of <look \d+>/g))
        expect(whole.size).toBe(keep <= 2 ? 2 : 4)
        expect(whole).toContain(`end of <look ${2 * (turn - 1) - 1}>`)
      }
    }
  })

  test('that the model has not read are not cut, though none are asked for and somebody spoke meanwhile', async () => {
    const { worker, model } = await tell(looking(40), { max: 6000, ephemeral: { look: 0 } })
    for (let turn = 2; turn <= 41; turn += 1) expect(wordsOf(model, turn - 1)).toContain(`end of <look ${turn - 1}>`)
    const rules = (await rebasesOf(worker)).flatMap((segments) =>
      segments.flatMap((one) => (one.as === 'kept' ? (one.trims ?? []).map(({ rule }) => rule) : [])),
    )
    expect(new Set(rules)).toEqual(new Set(['ephemeral']))
  })

  test('of one tool leave those of others whole, also in one turn, and the explanation names the rule', async () => {
    const both = Array.from(
      { length: 30 },
      (_, n): ScriptedReply => ({
        calls: [
          { tool: 'look', input: { n } },
          { tool: 'list', input: { n } },
        ],
      }),
    )
    const { worker, model } = await tell(both, { max: 8000, ephemeral: { look: 1 } })
    const [turn = 0] = (await factsOf(worker, 't', 'context.assembled')).flatMap(({ data, turn: at }) =>
      data.rebase?.reason === 'compress' ? [at ?? 0] : [],
    )
    const cut = cutCalls(wordsOf(model, turn - 1))
    expect(cut.length).toBeGreaterThan(1)
    for (const call of cut) {
      expect(call).toMatch(/\.0$/)
      const { asked } = await explain(worker.journal, { thread: 't', turn }, { call })
      const result = asked?.found.find(({ where }) => where === 'result')
      expect(result?.fate).toMatchObject({ as: 'trimmed', cuts: [{ tool: 'look', rule: 'ephemeral', left: 0 }] })
    }
  })

  test('leave pins whole', async () => {
    const model = playing(['Yes.', ...looking(40)])
    const worker = agent({ model, ports, tools: [look], context: compress({ max: 6000, ephemeral: { look: 1 } }), limits })
    await worker.run('My allergy is peanuts.', { thread: 't', pin: true })
    await worker.run('Go.', { thread: 't' })
    await compact(worker.journal, 't')
    for (const { prompt } of model.requests) expect(JSON.stringify(prompt)).toContain('My allergy is peanuts.')
  })

  test('are numbers by tools', () => {
    expect(() => compress({ ephemeral: { look: -1 } })).toThrow(/ephemeral is \{look\}. Give numbers of results by the names of tools/)
    expect(() => compress({ ephemeral: { look: '2' } as never })).toThrow(/ephemeral/)
  })
})
