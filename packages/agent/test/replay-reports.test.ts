/** What a replay reports: differences of tools by name, bounded in size, for people to read, and found in steps that do not grow with the thread. */
import { type Agent, agent, type ContextStrategy, type Model, memoryJournal, renderReplay, tool } from '@loom-agent/agent'
import type { Journal, LoomEvent, Part } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const look = tool({ name: 'look', description: 'Looks.', effect: 'read', input: z.object({ at: z.string() }), run: () => 'seen' })
const ring = tool({ name: 'ring', run: () => 'rang' })

/** Calls a tool for so many turns, then answers. */
const busy = (turns: number): Model =>
  scriptedModel(({ prompt }) => {
    const asked = prompt.findLastIndex(({ role }) => role === 'user')
    return prompt.length - asked - 1 < turns * 2
      ? { calls: [{ tool: 'look', input: { at: `place ${prompt.length}` } }] }
      : `Done after ${prompt.length}.`
  })

/** A thread of several inputs, with so many turns each. */
async function recorded({
  inputs = 1,
  turns = 3,
  journal = memoryJournal(),
}: {
  inputs?: number
  turns?: number
  journal?: Journal
} = {}): Promise<Agent> {
  const limits = { turns: turns + 2, loop: false } as const
  const worker = agent({ name: 'worker', instructions: 'Look.', model: busy(turns - 1), tools: [look, ring], journal, limits })
  for (let n = 0; n < inputs; n += 1) await worker.run(`Where is cat ${n}?`, { thread: 't' })
  return worker
}

/** Shows the model the last entries only. */
const last = (entries: number): ContextStrategy => ({
  name: 'window',
  assemble: ({ frame }) => ({ rebase: { reason: 'window', keepFrom: frame.history.length - entries } }),
})

describe('tools-only changes are named', () => {
  test('which tools were added, removed and changed, and how, in the turn, the divergence and the report', async () => {
    const worker = await recorded()
    const other = tool({ name: 'look', description: 'Looks twice.', effect: 'read', input: z.object({ at: z.number() }), run: () => 'seen' })
    const report = await worker.replay('t', { with: { tools: [other, tool({ name: 'more', run: () => 1 })] } })
    const names = { added: ['more'], removed: ['ring'], changed: ['look'], isReordered: false, more: 0 }
    expect(report.turns[0]).toMatchObject({ differs: true, left: [], added: [], tools: names })
    expect(report.divergence).toMatchObject({ turn: 1, message: undefined, recorded: undefined, replayed: undefined, tools: names })
    expect(report.tools).toEqual([
      { kind: 'removed', name: 'ring' },
      { kind: 'added', name: 'more' },
      {
        kind: 'changed',
        name: 'look',
        description: { recorded: 'Looks.', replayed: 'Looks twice.' },
        schema: [{ path: 'properties.at.type', before: 'string', after: 'number' }],
      },
    ])
    expect(renderReplay(report)).toContain('look changed: properties.at.type "string" became "number"')
  })

  test('tools in another order are said to be that', async () => {
    const worker = await recorded()
    const report = await worker.replay('t', { with: { tools: [ring, look] } })
    expect(report.turns[0]?.tools).toEqual({ added: [], removed: [], changed: [], isReordered: true, more: 0 })
    expect(report.tools).toEqual([{ kind: 'reordered', name: 'look, ring' }])
  })

  test('of many tools a turn names twenty of a kind and says how many more there are', async () => {
    const worker = await recorded()
    const many = Array.from({ length: 90 }, (_, index) => tool({ name: `tool_${index}`, run: () => 1 }))
    const report = await worker.replay('t', { with: { tools: [look, ring, ...many] } })
    expect([report.turns[0]?.tools?.added.length, report.turns[0]?.tools?.more]).toEqual([20, 70])
    expect([report.tools.length, report.omitted.tools]).toEqual([50, 40])
  })
})

describe("a report's size is bounded (REPORT-1)", () => {
  test('a window strategy on 500 turns: lists are cut, what is left out is counted, and the sums are over all turns', async () => {
    const worker = await recorded({ inputs: 100, turns: 5 })
    const report = await worker.replay('t', { with: { context: last(8) } })
    expect(report.totals).toMatchObject({ turns: 500, differing: 495 })
    expect(report.totals.tokens.replayed).toBeLessThan(report.totals.tokens.recorded / 10)
    expect(report.turns.length).toBe(500)
    const turn = report.turns.at(-1)
    expect(turn?.left.length).toBeLessThanOrEqual(10)
    expect(turn?.omitted?.left).toBe((turn?.recorded.messages ?? 0) - (turn?.replayed.messages ?? 0) - (turn?.left.length ?? 0))
    expect(report.omitted.messages).toBe(report.turns.reduce((sum, { omitted }) => sum + (omitted ? omitted.left + omitted.added : 0), 0))
    expect(JSON.stringify(report).length).toBeLessThan(500_000)
  })

  test('turns around the first that differs are listed, the others counted', async () => {
    const worker = await recorded({ inputs: 20, turns: 5 })
    const late: ContextStrategy = { name: 'late', assemble: ({ frame }) => (frame.turn === 61 ? { rebase: { reason: 'tidy', lead: 'Short.' } } : {}) }
    const report = await worker.replay('t', { with: { context: late }, report: { turns: 10 } })
    expect(report.turns.map(({ turn }) => turn)).toEqual([56, 57, 58, 59, 60, 61, 62, 63, 64, 65])
    expect([report.totals.turns, report.totals.differing, report.omitted.turns]).toEqual([100, 40, 90])
    expect((await worker.replay('t', { report: { turns: 10 } })).turns.map(({ turn }) => turn)).toEqual([91, 92, 93, 94, 95, 96, 97, 98, 99, 100])
  })

  test('a message is cut, and so is the first difference, whose excerpt shows the characters that differ', async () => {
    const worker = await recorded()
    const before = `Look. ${'x'.repeat(5000)}`
    const other = worker.with({ instructions: `${before} now` })
    await other.run('Where?', { thread: 'u' })
    const report = await other.replay('u', { with: { instructions: `${before} then` }, report: { characters: 100 } })
    expect(report.turns[0]?.left[0]).toMatch(/^system: Look\. x+… \(\d+ more characters\)$/)
    expect(report.divergence?.recorded).toMatchObject({ content: expect.stringMatching(/^Look\. x+… \(\d+ more characters\)$/) })
    expect(report.divergence?.excerpt?.recorded).toMatch(/^…x+ now$/)
    expect(report.divergence?.excerpt?.replayed).toMatch(/^…x+ then$/)
  })

  test.each([
    [{ turns: 0 }, 'LOOM_OPTION_INVALID'],
    [{ lines: 3 }, 'LOOM_OPTION_UNKNOWN'],
  ])('refuses %j', async (limits, code) => {
    const worker = await recorded()
    await expect(worker.replay('t', { report: limits as never })).rejects.toMatchObject({ code })
  })
})

describe('a report is rendered', () => {
  test('as text: sums, the first difference, tools, and the turns that differ', async () => {
    const worker = await recorded()
    const text = renderReplay(await worker.replay('t', { with: { instructions: 'Look twice.', tools: [look] } }), { turns: 1 })
    expect(text.split('\n')).toEqual([
      'Replay of t',
      '  3 turns replayed (continue-recorded), 3 of them differ',
      expect.stringMatching(/^ {2}tokens sent, estimated: \d+ recorded, \d+ replayed$/),
      '  cost of the recorded calls: unknown, because a price is not known',
      expect.stringMatching(/^ {2}saved, estimated: \d+ tokens, cost unknown$/),
      '',
      'First difference',
      '  turn 1, at t@4, message 0',
      '  recorded: system: Look.',
      '  replayed: system: Look twice.',
      '  tools: removed ring',
      '',
      'Tools',
      '  ring removed',
      '',
      'Turns that differ',
      expect.stringMatching(
        /^ {2}turn 1, at t@4: 2 messages, \d+ tokens \(rebase: start\); now 2 messages, \d+ tokens \(rebase: start\); tools: removed ring$/,
      ),
      '    - system: Look.',
      '    + system: Look twice.',
      '  and 2 turns more',
      '',
    ])
  })

  test('as Markdown, in which words of a prompt cannot break out of their code', async () => {
    const worker = (await recorded()).with({ instructions: 'Use `code`\n# and more' })
    await worker.run('Where?', { thread: 'u' })
    const text = renderReplay(await worker.replay('u', { with: { instructions: 'Look.' } }), { format: 'markdown' })
    expect(text).toContain('## First difference\n\n- turn 1, at `u@4`, message 0\n- recorded: ``system: Use `code` ⏎ # and more``\n')
    expect(text.match(/^#/gm)?.length).toBe(3)
  })

  test('of a replay in which nothing differs', async () => {
    const worker = await recorded()
    expect(renderReplay(await worker.replay('t'))).toContain('3 turns replayed (continue-recorded), 0 of them differ')
    expect(() => renderReplay({} as never, { format: 'html' } as never)).toThrow(expect.objectContaining({ code: 'LOOM_OPTION_INVALID' }))
  })
})

/** A journal whose replies count how often they are looked at. */
function countingReads(journal: Journal): { readonly journal: Journal; visits(): number } {
  let visits = 0
  const counted = (event: LoomEvent): LoomEvent => {
    if (event.type !== 'model.replied') return event
    const get = (part: Part, key: string | symbol): unknown => {
      if (key === 'type') visits += 1
      return Reflect.get(part, key)
    }
    const parts = event.data.parts.map((part) => new Proxy(part, { get }))
    return { ...event, data: { ...event.data, parts } }
  }
  const read: Journal['read'] = async (...range) => (await journal.read(...range)).map(counted)
  return { journal: { ...journal, read }, visits: () => visits }
}

/** Everything, said to be a rebase with every turn. */
const again: ContextStrategy = { name: 'again', assemble: () => ({ rebase: { reason: 'again' } }) }

describe('replay is linear in the length of the thread (REPLAY-2)', () => {
  test.each([
    ['nothing changed', {}, 1],
    ['other instructions', { instructions: 'Look twice.' }, 1],
    ['other tools', { tools: [look] }, 1],
    ['a window that moves with every turn', { context: last(6) }, 10],
    ['a window that one long run does not let move', { context: last(6) }, 1],
    ['rebases that change nothing', { context: again }, 1],
  ] as const)('with %s, twice the turns make at most twice the visits of messages', async (_, changes, turnsOfRun) => {
    const visitsOf = async (turns: number): Promise<number> => {
      const store = memoryJournal()
      const runs = turnsOfRun === 1 ? 1 : turns / turnsOfRun
      const worker = await recorded({ inputs: runs, turns: turns / runs, journal: store })
      const counting = countingReads(store)
      const report = await worker.with({ journal: counting.journal }).replay('t', { with: changes })
      expect(report.totals.turns).toBe(turns)
      return counting.visits()
    }
    const [some, twice] = [await visitsOf(100), await visitsOf(200)]
    expect(some).toBeGreaterThan(0)
    expect(twice).toBeLessThanOrEqual(some * 2 + 100)
  })
})
