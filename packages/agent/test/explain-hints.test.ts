/** Hints: a change that would have kept something brings it back when it is replayed. */
import { agent, type ContextStrategy, compress, explain, keepMore, tool, window } from '@loom-agent/agent'
import type { ContextItem, Segment } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyStrategy, live, lives, marksIn } from '../../../test/laws/context-lives.ts'

const read = tool({ name: 'read', effect: 'read', run: ({ n }: { n?: number }) => `page ${n} says word-${n} ${'lorem ipsum '.repeat(30)}` })
const list = tool({ name: 'list', effect: 'read', run: () => 'a list' })

/** A thread of eight turns, each with a page, and every third with a list. */
async function reading(context: ContextStrategy) {
  let spoken = 0
  const call = (): string => (spoken % 3 === 0 ? 'list' : 'read')
  const model = scriptedModel(() => (++spoken === 8 ? 'Done.' : { text: `Page ${spoken}.`, calls: [{ tool: call(), input: { n: spoken } }] }))
  const worker = agent({ model, tools: [read, list], context, limits: { loop: false } })
  await worker.run('Read.', { thread: 't' })
  return worker
}

const old = { as: 'dropped', rule: 'window', reason: 'It is old.' } as const

/** Keeps the last so many entries, and rebases in two turns. */
const windowed = (last: number): ContextStrategy => ({
  name: 'windowed',
  assemble: ({ frame }) => {
    if (frame.turn !== 5 && frame.turn !== 7) return {}
    return { rebase: { reason: 'too long', segments: [{ to: frame.history.length - last, ...old }] } }
  },
})

describe('a hint', () => {
  test('is sorted by what it costs, and says it in words and as data', async () => {
    const worker = await reading(windowed(3))
    const { hints, asked } = await worker.explain({ thread: 't', turn: 8 }, 'word-1')
    expect(asked?.isShown).toBe(false)
    expect(hints.map(({ tokens }) => tokens)).toEqual(hints.map(({ tokens }) => tokens).toSorted((one, other) => one - other))
    expect(new Set(hints.map(({ change }) => change.kind))).toEqual(new Set(['pin', 'results', 'tokens', 'turns']))
    expect(hints[0]).toMatchObject({ change: { kind: 'pin', entries: [{ origin: 'results', number: 0 }] } })
    expect(hints[0]?.words).toMatch(/^Pin the entry of event \d+: \d+ tokens more\.$/)
    const { hints: without } = await explain(worker.journal, { thread: 't', turn: 8 }, 'word-1')
    expect(without).toEqual(hints.map(({ change, tokens, words }) => ({ change, tokens, words })))
  })

  test.each(['pin', 'results', 'tokens', 'turns'] as const)('of kind %s brings it back when it is replayed', async (kind) => {
    const worker = await reading(windowed(3))
    const { hints } = await worker.explain({ thread: 't', turn: 8 }, 'word-1')
    const hint = hints.find(({ change }) => change.kind === kind)
    const { turns } = await worker.replay('t', { ...(hint?.with && { with: hint.with }) })
    expect(turns.map(({ added }) => added.some((text) => text.includes('word-1 ')))).toEqual([false, false, false, false, true, true, true, true])
    expect((turns.at(-1)?.replayed.tokens ?? 0) - (turns.at(-1)?.recorded.tokens ?? 0)).toBeGreaterThan(0)
  })

  test('shows whole what was trimmed, and costs only the rest of it', async () => {
    const trims = [{ rule: 'long', over: 50, head: 10, tail: 10 }]
    const segments = (to: number): readonly Segment[] => [{ to, as: 'kept', trims }]
    const trimming: ContextStrategy = {
      name: 'trimming',
      assemble: ({ frame }) => (frame.turn === 6 ? { rebase: { reason: 'full', segments: segments(5) } } : {}),
    }
    const worker = await reading(trimming)
    const { hints, parts } = await worker.explain({ thread: 't', turn: 8 }, 'word-1')
    const part = parts.find(({ entry }) => entry === 2)
    expect(part?.fate.as).toBe('trimmed')
    expect(hints[0]?.tokens).toBe((part?.size ?? 0) - (part?.tokens ?? 0))
    const { turns } = await worker.replay('t', { ...(hints[0]?.with && { with: hints[0].with }) })
    expect(turns.at(-1)?.added.some((text) => text.includes('word-1 '))).toBe(true)
  })

  test('of tokens brings an entry back past cuts that are longer than what they leave out', async () => {
    const trims = [{ rule: 'long', over: 1, head: 1, tail: 0 }]
    const cutting: ContextStrategy = {
      name: 'cutting',
      assemble({ frame: { turn, history } }) {
        const segments: readonly Segment[] = [
          { to: 2, ...old },
          { to: history.length - 3, as: 'kept', trims },
          { to: history.length - 1, ...old },
        ]
        return turn === 6 ? { rebase: { reason: 'full', segments } } : {}
      },
    }
    const model = scriptedModel(['One.', ...[1, 2].map(() => ({ calls: [{ tool: 'list' }] })), 'Two.', 'Three.', 'Four.'])
    const worker = agent({ model, tools: [list], context: cutting, limits: { loop: false } })
    for (const input of ['say one', 'say two', 'say three', 'say four']) await worker.run(input, { thread: 't' })
    const { hints, parts } = await worker.explain({ thread: 't', turn: 6 }, 'say one')
    expect(parts.filter(({ fate, size, tokens }) => fate.as === 'trimmed' && size < tokens).length).toBe(2)
    const hint = hints.find(({ change }) => change.kind === 'tokens')
    const { turns } = await worker.replay('t', { ...(hint?.with && { with: hint.with }) })
    expect(turns.at(-1)?.added.some((text) => text.includes('say one'))).toBe(true)
  })

  test('finds an item by its id, and keepMore takes any strategy', async () => {
    const item: ContextItem = { kind: 'reminder', id: 'note', origin: 'test', text: 'Mind the gap.' }
    const noting: ContextStrategy = {
      name: 'noting',
      assemble: (request) => (request.frame.turn === 2 ? { items: [item] } : windowed(3).assemble(request)),
    }
    const worker = await reading(noting)
    const { hints } = await explain(worker.journal, { thread: 't', turn: 8 }, { item: 'note' })
    const [hint] = hints
    expect(hint?.change).toEqual({ kind: 'pin', entries: [{ item: 'note' }] })
    const { turns } = await worker.replay('t', { with: { context: keepMore(noting, hint?.change ?? { kind: 'tokens', more: 0 }) } })
    expect(turns.at(-1)?.added.some((text) => text.includes('Mind the gap.'))).toBe(true)
  })

  test('is not given for what is there, nor for what no strategy can show', async () => {
    const worker = await reading(windowed(3))
    expect((await worker.explain({ thread: 't', turn: 8 }, 'word-7')).hints).toEqual([])
    expect((await worker.explain({ thread: 't', turn: 3 }, 'word-7')).hints).toEqual([])
    expect((await worker.explain({ thread: 't', turn: 8 }, 'never said')).hints).toEqual([])
  })
})

describe.each([
  ['compress', () => compress({ max: 4000 })],
  ['the last turns', () => window({ turns: 5 })],
  ['the last tokens', () => window({ tokens: 2500 })],
] as const)('a hint for %s, which cuts again and again', (_, context) => {
  test('brings it back when it is replayed, of whatever kind it is', async () => {
    let spoken = 0
    const page = tool({ name: 'read', effect: 'read', run: () => `${spoken === 2 ? 'The zebra has the code 9911.' : 'dull text here. '.repeat(60)}` })
    const model = scriptedModel(() => (++spoken < 30 ? { calls: [{ tool: 'read' }] } : 'Done.'))
    const worker = agent({ model, tools: [page], context: context(), limits: { turns: 50, loop: false } })
    await worker.run('Count the birds.', { thread: 't' })
    const { hints } = await worker.explain({ thread: 't', turn: 30 }, '9911')
    expect(hints.map(({ change }) => change.kind).toSorted()).toEqual(['pin', 'results', 'tokens', 'turns'])
    for (const hint of hints) {
      const { turns } = await worker.replay('t', { report: { messages: 1000, total: 10_000_000 }, ...(hint.with && { with: hint.with }) })
      const isBack = turns.at(-1)?.added.some((text) => text.includes('9911'))
      expect({ kind: hint.change.kind, isBack }).toEqual({ kind: hint.change.kind, isBack: true })
    }
  })
})

/** `LOOM_LAW_RUNS=3000 npx vitest run packages/agent/test/explain-hints.test.ts` is the long form. */
const runs = Number(process.env['LOOM_LAW_RUNS'] ?? 30)

test('every hint for every entry of random lives brings the entry back', { timeout: 60_000 + runs * 500 }, async () => {
  const seen = { entries: 0, hints: 0 }
  await fc.assert(
    fc.asyncProperty(lives, async (life) => {
      const [lived] = await live({ ...life, hooked: false, deaths: [], overflowAt: [], todoAt: [], skillAt: [], forkAt: undefined })
      if (!lived) return
      const { journal, thread } = lived
      const worker = agent({
        name: 'lived',
        instructions: 'Be exact.',
        journal,
        model: scriptedModel(() => 'ok'),
        tools: [],
        context: anyStrategy(life.seed),
      })
      const turn = Math.max(...lived.events.map((event) => event.turn ?? 0))
      const { parts } = await explain(journal, { thread, turn })
      const hidden = parts.filter(({ fate, entry }) => entry !== undefined && (fate.as === 'dropped' || fate.as === 'summarised'))
      for (const { text } of [...hidden.slice(0, 1), ...hidden.slice(-1)]) {
        const [mark] = marksIn(text)
        if (mark === undefined) continue
        const { hints, asked } = await worker.explain({ thread, turn }, mark)
        if (asked?.isShown) continue
        seen.entries += 1
        expect(hints.length).toBeGreaterThan(1)
        for (const hint of hints) {
          seen.hints += 1
          const { turns } = await worker.replay(thread, { report: { messages: 1000, total: 10_000_000 }, ...(hint.with && { with: hint.with }) })
          const isBack = turns.find((one) => one.turn === turn)?.added.some((added) => added.includes(mark))
          expect({ mark, change: hint.change, isBack }).toEqual({ mark, change: hint.change, isBack: true })
        }
      }
    }),
    { numRuns: runs },
  )
  expect(seen.entries).toBeGreaterThan(5)
})
