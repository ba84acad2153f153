/** Another strategy over recorded threads: what it would keep, lose and save, and a gate that says whether it may take over. */
import {
  type AgentOptions,
  agent,
  type ContextStrategy,
  compress,
  everything,
  judgeStrategy,
  memoryJournal,
  type ReplayedThread,
  renderReplay,
  renderReplays,
  summarizeReplays,
  tool,
  window,
} from '@loom-agent/agent'
import type { Usage } from '@loom-agent/kernel'
import { assertStrategy, type ScriptedModel, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

const read = tool({ name: 'read', effect: 'read', run: ({ n }: { n?: number }) => `page ${n} ${'stone river cloud engine '.repeat(12)}` })
const failing = (): ScriptedModel => scriptedModel(() => ({ throws: new Error('A replay asked a model.') }))
const writer = (): ScriptedModel => scriptedModel((_, number) => `## key_decisions\n- decided ${number}`)

/** Usage as a vendor counts it: about a token for four characters. */
const usageOf = (prompt: unknown): Usage => ({ input: Math.ceil(JSON.stringify(prompt).length / 4), output: 10 })

interface Recorded {
  readonly context?: ContextStrategy
  readonly turns?: number
  readonly threads?: readonly string[]
  readonly options?: Partial<AgentOptions>
}

/** Threads of one pinned input and one long run. */
async function recorded({ context = everything, turns = 12, threads = ['t'], options = {} }: Recorded) {
  const model = scriptedModel(({ prompt }) => {
    const results = prompt.filter(({ role }) => role === 'tool').length
    const isAsked = JSON.stringify(prompt.findLast(({ role }) => role === 'user')).includes('Read')
    const usage = usageOf(prompt)
    return isAsked && results < turns
      ? { text: `Turn ${results}.`, calls: [{ tool: 'read', input: { n: results } }], usage }
      : { text: 'Done.', usage }
  })
  const worker = agent({
    name: 'reader',
    instructions: 'Read.',
    model,
    tools: [read],
    context,
    journal: memoryJournal(),
    limits: { loop: false },
    ...options,
  })
  for (const thread of threads) {
    await worker.run('The code is 4711.', { thread, pin: true })
    await worker.run('Read all pages.', { thread })
  }
  return worker
}

/** Keeps the end of the history, by a rule of its own. */
const ending = (last: number): ContextStrategy => ({
  name: 'ending',
  assemble: ({ frame: { history, turn } }) =>
    turn % 4 === 0
      ? { rebase: { reason: 'long', segments: [{ to: history.length - last, as: 'dropped', rule: 'old pages', reason: 'They are old.' }] } }
      : {},
})

describe('a replay never asks a model (REPLAY-8)', () => {
  test('a summary that a model wrote of the same events is taken from the record', async () => {
    const worker = await recorded({ context: compress({ max: 900, perSection: 32, model: writer() }) })
    const report = await worker.replay('t', { with: { context: compress({ max: 900, perSection: 32, model: failing() }) } })
    expect(report.divergence).toBeUndefined()
    expect(report.totals.summaries).toMatchObject({ estimated: 0 })
    expect(report.totals.summaries.recorded).toBeGreaterThan(0)
    expect(report.totals.summaries.replayed).toBe(report.totals.summaries.recorded)
  })

  test('of other events the extracted one stands in, and the report says so', async () => {
    const worker = await recorded({})
    const model = failing()
    const report = await worker.replay('t', { with: { context: compress({ max: 900, perSection: 32, model }) } })
    expect(model.requests).toEqual([])
    const { replayed, estimated } = report.totals.summaries
    expect([replayed > 0, estimated]).toEqual([true, replayed])
    expect(report.turns.filter((turn) => turn.replayed.estimated).length).toBe(replayed)
    expect(report.turns.some((turn) => turn.added.some((text) => text.includes('by extraction')))).toBe(true)
    expect(renderReplay(report)).toMatch(/summar(y|ies) of \d+ estimated: a model would have written another text/)
  })

  test('a summary without a model is made again, and is no estimate', async () => {
    const worker = await recorded({})
    const { totals } = await worker.replay('t', { with: { context: compress({ max: 900, perSection: 32 }) } })
    expect([totals.summaries.replayed > 0, totals.summaries.estimated]).toEqual([true, 0])
  })

  test('a strategy of your own that asks for a model is refused', async () => {
    const worker = await recorded({})
    const asking: ContextStrategy = {
      name: 'asking',
      async assemble({ resolveModel }) {
        await resolveModel(failing())
        return {}
      },
    }
    const refused = worker.replay('t', { with: { context: asking } })
    await expect(refused).rejects.toMatchObject({
      code: 'LOOM_MODEL_UNRESOLVED',
      message: expect.stringContaining('"asking" asks for a model in a replay or a preview'),
    })
  })
})

describe('what a strategy would keep and lose', () => {
  test('names the entries that it would lose, by which rule, from which turn on, and in how many turns', async () => {
    const worker = await recorded({})
    const { lost, kept, essentials, totals } = await worker.replay('t', { with: { context: ending(6) } })
    expect(kept.entries).toBe(0)
    expect(lost.by.map(({ as, rule }) => [as, rule])).toEqual([['dropped', 'old pages']])
    expect(lost.entries).toBe(lost.listed.length)
    expect(lost.listed[0]).toMatchObject({ origin: 'reply', text: 'Done.', as: 'dropped', rule: 'old pages', turn: 8, turns: 7 })
    expect(lost.tokens).toBe(lost.listed.reduce((sum, { tokens }) => sum + tokens, 0))
    expect(lost.listed.some(({ text }) => text.includes('4711') || text.includes('Read all'))).toBe(false)
    expect(essentials).toEqual([])
    expect(totals.saved.tokens).toBe(totals.tokens.recorded - totals.tokens.replayed)
    expect(totals.saved.tokens).toBeGreaterThan(0)
  })

  test('names what it would keep that the record had dropped, and an item that only one of them adds', async () => {
    const worker = await recorded({ context: ending(6) })
    const item = { kind: 'reminder', id: 'note', origin: 'test', text: 'Mind the gap.' }
    const noting: ContextStrategy = { name: 'noting', assemble: ({ frame }) => (frame.turn === 3 ? { items: [item] } : {}) }
    const { lost, kept, totals } = await worker.replay('t', { with: { context: noting } })
    expect(lost.entries).toBe(0)
    expect(kept.by.map(({ as, rule }) => [as, rule])).toEqual([
      ['absent', 'not added'],
      ['dropped', 'old pages'],
    ])
    expect(kept.listed[0]).toMatchObject({ origin: 'item', text: 'Mind the gap.', turn: 3, turns: totals.turns - 2 })
  })

  test('a cut result is lost in part, and a summary keeps more than nothing', async () => {
    const worker = await recorded({ context: ending(6) })
    const trims = [{ rule: 'long pages', over: 50, head: 10, tail: 10 }]
    const cutting: ContextStrategy = {
      name: 'cutting',
      assemble: ({ frame: { turn, history } }) =>
        turn === 8 ? { rebase: { reason: 'long', segments: [{ to: history.length, as: 'kept', trims }] } } : {},
    }
    const { lost, kept } = await worker.replay('t', { with: { context: cutting } })
    expect(lost.by).toMatchObject([{ as: 'trimmed', rule: 'long pages' }])
    expect(kept.by).toMatchObject([{ as: 'dropped', rule: 'old pages' }])
  })
})

describe('what a strategy would save', () => {
  const ports = { price: (_: string, { input, output, cacheRead = 0 }: Usage) => (input - cacheRead) * 10 + cacheRead + output * 50 }

  test('is priced by the model, in the proportion of the requests', async () => {
    const worker = await recorded({ options: { ports } })
    const { totals, turns } = await worker.replay('t', { with: { context: ending(6) } })
    const last = turns.at(-1)
    const paid = (last?.cost ?? 0) - 10 * 50
    const share = (last?.saved.tokens ?? 0) / (last?.recorded.tokens ?? 1)
    expect((last?.saved.cost ?? 0) / paid).toBeCloseTo(share, 2)
    expect(turns.filter(({ differs }) => !differs).every(({ saved }) => saved.tokens === 0 && saved.cost === 0)).toBe(true)
    expect(totals.saved.cost).toBe(turns.reduce((sum, { saved }) => sum + (saved.cost ?? 0), 0))
    expect(totals.saved.cost).toBeGreaterThan(0)
  })

  test('is not known without a price, and never 0 (COST-1)', async () => {
    const worker = await recorded({ threads: ['t', 'u'] })
    const { totals } = await worker.replay('t', { with: { context: ending(6) } })
    expect([totals.saved.cost, totals.cost]).toEqual([undefined, undefined])
    const summary = await summarizeReplays(worker.replayAll(['t', 'u'], { with: { context: ending(6) } }))
    expect(summary.totals.saved.tokens).toBeGreaterThan(totals.saved.tokens)
    expect(summary.totals.saved.cost).toBeUndefined()
    expect((await worker.replay('t')).totals.saved).toEqual({ tokens: 0, cost: 0 })
  })

  test('counts that a rebase makes the cache worthless', async () => {
    let before = 0
    const model = scriptedModel(({ prompt }) => {
      const results = prompt.filter(({ role }) => role === 'tool').length
      const { input } = usageOf(prompt)
      const usage = { input, output: 10, cacheRead: Math.min(before, input) }
      before = input
      return results < 11 ? { calls: [{ tool: 'read', input: { n: results } }], usage } : { text: 'Done.', usage }
    })
    const worker = agent({ model, tools: [read], ports, limits: { loop: false } })
    await worker.run('Read all pages.', { thread: 't' })
    const again: ContextStrategy = {
      name: 'again',
      assemble: ({ frame: { turn } }) => (turn === 6 ? { rebase: { reason: 'again', lead: 'Nothing is left out.' } } : {}),
    }
    const { turns } = await worker.replay('t', { with: { context: again } })
    const [, , , , fifth, sixth, seventh] = turns
    expect(fifth?.saved).toEqual({ tokens: 0, cost: 0 })
    // It has a few tokens more, and pays ten times as much for those that were cached.
    expect(sixth?.saved.cost).toBeLessThan(-(sixth?.recorded.tokens ?? 0) * 5)
    expect(seventh?.saved.cost).toBeGreaterThan(-(sixth?.recorded.tokens ?? 0))
  })
})

describe('many threads', () => {
  const threads = ['a', 'b', 'c']

  test('are summarized thread by thread and in all, with those that failed', async () => {
    const worker = await recorded({ threads })
    const summary = await summarizeReplays(worker.replayAll([...threads, 'gone'], { with: { context: ending(6) } }))
    expect(summary.threads.map(({ thread, status }) => [thread, status])).toEqual([
      ['a', 'replayed'],
      ['b', 'replayed'],
      ['c', 'replayed'],
      ['gone', 'failed'],
    ])
    const { lost } = await worker.replay('a', { with: { context: ending(6) } })
    expect(summary.lost).toMatchObject({ entries: 3 * lost.entries, tokens: 3 * lost.tokens })
    expect(summary.lost.by).toEqual([{ as: 'dropped', rule: 'old pages', entries: 3 * lost.entries, tokens: 3 * lost.tokens }])
    expect(summary.failed).toBe(1)
    expect(JSON.parse(JSON.stringify(summary))).toMatchObject({ totals: { turns: 42 } })
  })

  test('are rendered as a table, as text and as Markdown', async () => {
    const wild = 'a|b `c` *d*'
    const worker = await recorded({ threads: [wild, 'b'] })
    const summary = await summarizeReplays(worker.replayAll([wild, 'b', 'gone'], { with: { context: ending(6) } }))
    const text = renderReplays(summary)
    expect(text).toMatch(/^Replays of 3 threads, 1 failed\n {2}thread +turns +differ +recorded +replayed +saved +saved cost +kept +lost +estimated\n/)
    expect(text).toMatch(/\n {2}in all +28 +\d+ +[\d,]+ +[\d,]+ +[\d,]+ +unknown +0 +\d+ +0\n/)
    expect(text).toContain('Would be lost\n  ')
    expect(text).toMatch(/Failed\n {2}gone: .*gone/)
    const markdown = renderReplays(summary, { format: 'markdown' })
    const rows = markdown.split('\n').filter((line) => line.startsWith('|'))
    expect(rows.map((row) => row.split(/(?<!\\)\|/).length)).toEqual(Array(5).fill(12))
    expect(markdown).toContain('| ``a\\|b `c` *d*`` |')
    expect(() => renderReplays(summarizeReplays([]) as never)).toThrow(/Await it first/)
  })
})

describe('the gate', () => {
  const replays = async (context: ContextStrategy, options: Recorded = {}): Promise<readonly ReplayedThread[]> =>
    Array.fromAsync((await recorded(options)).replayAll(['t'], { with: { context } }))

  test('lets a strategy pass that keeps to the rules', async () => {
    const summary = await assertStrategy(await replays(window({ turns: 4 })), { tokens: 0 })
    expect(judgeStrategy(summary)).toEqual({ isPassed: true, violations: [] })
  })

  test('names every violation: entries lost, tokens, cost that is not known, and summaries that are estimated', async () => {
    const bloated: ContextStrategy = {
      name: 'bloated',
      assemble: ({ frame: { turn } }) => (turn === 2 ? { items: [{ kind: 'note', id: 'n', origin: 'test', text: 'word '.repeat(3000) }] } : {}),
    }
    const judged = async (context: ContextStrategy, rules: object): Promise<readonly string[]> =>
      judgeStrategy(await summarizeReplays(await replays(context)), rules).violations.map(({ rule }) => rule)
    expect(await judged(bloated, { tokens: 10 })).toEqual(['tokens'])
    expect(await judged(bloated, { cost: 10 })).toEqual(['tokens', 'cost'])
    expect(await judged(ending(6), { lost: 2 })).toEqual(['lost'])
    expect(await judged(compress({ max: 900, model: failing() }), { estimated: false })).toEqual(['estimated'])
    expect(judgeStrategy(await summarizeReplays([])).violations.map(({ rule }) => rule)).toEqual(['empty'])
    const thrown = assertStrategy(await replays(ending(6)), { lost: 2, cost: 1 })
    await expect(thrown).rejects.toThrow(
      /^The strategy breaks rules \(2\):\n {2}cost \(t\): .*not known.*\n {2}lost \(t, turn 8\): It loses \d+ entries \(\d+ by "old pages"\), and may lose 2\.$/,
    )
  })

  test('finds a pinned entry or a last question that is gone, in reports in which they are planted', async () => {
    const [found] = await replays(ending(6))
    if (found?.status !== 'replayed') throw new Error('no report')
    const lost = { seq: 2, text: 'The code is 4711.', as: 'dropped', rule: 'bad', turn: 4 } as const
    const planted = (kind: 'pin' | 'question') => ({ ...found, report: { ...found.report, essentials: [{ kind, ...lost }] } })
    for (const kind of ['pin', 'question'] as const) {
      const { violations } = judgeStrategy(await summarizeReplays([planted(kind)]))
      expect(violations).toMatchObject([{ rule: kind, thread: 't', turn: 4, message: expect.stringContaining('4711') }])
    }
    const failed = { status: 'failed', thread: 'x', error: new Error('gone') } as const
    expect(judgeStrategy(await summarizeReplays([failed])).violations).toEqual([
      { rule: 'failed', thread: 'x', message: 'It could not be replayed: gone' },
    ])
  })

  test('judges costs that are known', async () => {
    const ports = { price: (_: string, { input }: Usage) => input * 10 }
    const priced = { options: { ports } }
    const report = await summarizeReplays(await replays(ending(6), priced))
    expect(judgeStrategy(report, { cost: 0 }).isPassed).toBe(true)
    const dearer = await summarizeReplays(await replays(everything, { ...priced, context: ending(6) }))
    expect(judgeStrategy(dearer, { tokens: 1000, cost: 5 }).violations).toMatchObject([
      { rule: 'cost', message: expect.stringMatching(/instead of \d+/) },
    ])
  })
})
