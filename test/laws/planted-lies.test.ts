/** The checker of contexts is tested too: every lie that is planted in `context.assembled` is found. */
import { agent, type ContextPlan, type ContextStrategy, memoryJournal, tool } from '@loom-agent/agent'
import { at, type ContextBudget, type Frame, type LoomEvent, readEvents, type Segment } from '@loom-agent/kernel'
import { checkContexts, type ScriptedModel, scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { live, lives } from './context-lives.ts'

const trims = [{ rule: 'long', tools: ['look'], over: 60, head: 20, tail: 12 }]

/** What a long turn shows: an entry of every kind, and two summaries of exactly the events that they stand for. */
const segments: readonly Segment[] = [
  { to: 1, as: 'kept' },
  { to: 3, as: 'summary', summary: 0 },
  { to: 5, as: 'dropped', rule: 'old', reason: 'It is old.' },
  { to: 7, as: 'summary', summary: 1 },
  { to: 9, as: 'summary', text: 'They looked on.' },
  { to: 11, as: 'kept', trims },
]

const summaryOf = ({ history }: Frame, from: number, to: number): NonNullable<ContextPlan['compressed']> => ({
  from: at(history, from)?.seq ?? 0,
  to: at(history, to)?.seq ?? 0,
  summary: `A summary of the entries ${from} to ${to}.`,
})

/** A thread of ten turns whose eighth context is rebased. */
async function lived(budget?: ContextBudget): Promise<{ readonly events: readonly LoomEvent[]; readonly model: ScriptedModel }> {
  const look = tool({
    name: 'look',
    description: 'Looks.',
    effect: 'read',
    run: ({ n }: { n?: number }) => `seen ${n} ${'x y '.repeat(20)} end ${n}`,
  })
  const list = tool({ name: 'list', description: 'Lists.', effect: 'read', run: () => [1, 2] })
  const context: ContextStrategy = {
    name: 'planned',
    assemble({ frame }): ContextPlan {
      if (frame.turn === 6) return { compressed: summaryOf(frame, 1, 2) }
      if (frame.turn === 7) return { compressed: summaryOf(frame, 5, 6) }
      if (frame.turn === 8) return { rebase: { reason: 'too long', segments, ...(budget && { budget }) } }
      const named = { kind: 'reminder', origin: 'test' }
      return frame.turn === 9 ? { items: ['one', 'two'].map((id) => ({ ...named, id, text: `The item ${id}.` })) } : {}
    },
  }
  let spoken = 0
  const model = scriptedModel(() => (++spoken === 10 ? 'ok' : { text: `turn ${spoken}`, calls: [{ tool: 'look', input: { n: spoken } }] }))
  const journal = memoryJournal()
  await agent({
    instructions: 'Be exact.',
    layers: { rules: 'Hurry.', tone: 'Be kind.' },
    model,
    journal,
    tools: [look, list],
    context,
    limits: { loop: false },
  }).run('go', { thread: 't' })
  return { model, events: await Array.fromAsync(readEvents(journal, 't')) }
}

/** An honest budget: what the request has, by a token for four characters. */
async function honest(): Promise<ContextBudget> {
  const { model } = await lived()
  const tokens = (turn: number): number => Math.ceil(JSON.stringify(model.requests[turn - 1]?.prompt).length / 4)
  return { max: 2000, before: tokens(8) + tokens(7), after: tokens(8), window: 4000 }
}

interface LooseSegment {
  [key: string]: unknown
}
interface LooseRebase {
  reason: unknown
  system: unknown
  tools: { name: string; description?: string; schema: object }[]
  segments: LooseSegment[]
  layers: { to: unknown; name: unknown; origin: unknown }[]
  budget: { [K in keyof ContextBudget]-?: unknown }
}
interface LooseData {
  rebase?: LooseRebase
  items?: { [key: string]: unknown }[]
}
type Lie = (data: LooseData) => void

const ofRebase =
  (lie: (rebase: LooseRebase) => void): Lie =>
  ({ rebase }) =>
    rebase && lie(rebase)
const ofSegment = (index: number, changed: LooseSegment): Lie =>
  ofRebase(
    ({ segments: list }) => void list.splice(index, 1, { ...(changed['as'] === undefined ? list[index] : { to: list[index]?.['to'] }), ...changed }),
  )
const ofTrim = (changed: object): Lie => ofSegment(5, { trims: [{ ...trims[0], ...changed }] })
const ofBudget = (changed: object): Lie => ofRebase(({ budget }) => Object.assign(budget, changed))
const ofLayer = (index: number, changed: object): Lie => ofRebase(({ layers }) => Object.assign(layers[index] as object, changed))
const added = (...more: readonly LooseSegment[]): Lie => ofRebase(({ segments: list }) => void list.push(...more))
const why = { as: 'dropped', rule: 'old', reason: 'It is old.' }
const number = (value: unknown): number => Number(value)

const liesAboutRebase: Readonly<Record<string, Lie>> = {
  'a dropped range is said to be kept': ofSegment(2, { as: 'kept' }),
  'the end, which is sent, is said to be dropped': added({ to: 13, ...why }),
  'the input, which is sent, is said to be dropped': ofSegment(0, why),
  'a trimmed range is said to be dropped': ofSegment(5, why),
  'a summarised range is said to be dropped': ofSegment(1, why),
  'a summarised range is said to be kept': ofSegment(1, { as: 'kept' }),
  'a range with a text is said to be dropped': ofSegment(4, why),
  'a range with a text is said to be kept': ofSegment(4, { as: 'kept' }),
  'a dropped range is said to be summarised by a text': ofSegment(2, { as: 'summary', text: 'They looked.' }),
  'a text is another one': ofSegment(4, { text: 'They looked away.' }),
  'one summary is said to be another': ofSegment(3, { summary: 0 }),
  'a summary is not there': ofSegment(3, { summary: 7 }),
  'a summary has a number below zero': ofSegment(3, { summary: -1 }),
  'a range is shorter, and the next one has the rest': ofSegment(2, { to: 4 }),
  'a range is longer, and the next one has less': ofSegment(2, { to: 6 }),
  'an end goes back': ofSegment(3, { to: 4 }),
  'an end is after the history': added({ to: 400, ...why }),
  'an end is no whole number': ofSegment(2, { to: 4.5 }),
  'a segment is of nothing': added({ to: 11, ...why }),
  'a segment is missing': ofRebase(({ segments: list }) => void list.splice(2, 1)),
  'all segments are missing': ofRebase(({ segments: list }) => void list.splice(0)),
  'a segment is of no kind': ofSegment(2, { as: 'forgotten' }),
  'a trim leaves a longer head': ofTrim({ head: 30 }),
  'a trim leaves a shorter tail': ofTrim({ tail: 3 }),
  'a trim cuts nothing': ofTrim({ over: 10_000 }),
  'a trim is for another tool': ofTrim({ tools: ['list'] }),
  'a trim is missing': ofSegment(5, { trims: [] }),
  'a trim has no rule': ofTrim({ rule: '' }),
  'a trim is said of what is sent whole': added({ to: 15, as: 'kept', trims }),
  'a dropped range has no rule': ofSegment(2, { rule: '' }),
  'a dropped range has no reason': ofSegment(2, { reason: '' }),
  'the rebase has no reason': ofRebase((rebase) => Object.assign(rebase, { reason: '' })),
  'the system text is another one': ofRebase((rebase) => Object.assign(rebase, { system: 'Be vague.' })),
  'the system text is missing': ofRebase((rebase) => Object.assign(rebase, { system: '' })),
  'a tool is missing': ofRebase(({ tools }) => void tools.pop()),
  'a tool is said to be there': ofRebase(({ tools }) => void tools.push({ name: 'smell', schema: {} })),
  'a tool has another description': ofRebase(({ tools }) => Object.assign(tools[0] as object, { description: 'Looks away.' })),
  'the tools are in another order': ofRebase(({ tools }) => void tools.reverse()),
  'the tokens are ten times as many': ofRebase(({ budget }) => Object.assign(budget, { after: number(budget.after) * 10 })),
  'the tokens are a tenth': ofRebase(({ budget }) => Object.assign(budget, { after: Math.floor(number(budget.after) / 10) })),
  'the rebase is said to have made it longer': ofBudget({ before: 1 }),
  'all of it is said to be much longer than it is': ofBudget({ before: 1_000_000 }),
  'the budget is larger than the window': ofBudget({ max: 9000 }),
  'the budget is below zero': ofBudget({ max: -5 }),
  'a layer of the system text has no name': ofLayer(1, { name: '' }),
  'a layer has no origin': ofLayer(1, { origin: '' }),
  'two layers have one name': ofLayer(1, { name: 'instructions' }),
  'a layer ends before its last character': ofLayer(0, { to: 5 }),
  'a layer ends in the next one': ofLayer(0, { to: 13 }),
  'the last layer ends before the text does': ofLayer(2, { to: 20 }),
  'the last layer ends after the text': ofLayer(2, { to: 200 }),
  'a layer ends before it starts': ofLayer(1, { to: 3 }),
  'the last layer is missing': ofRebase(({ layers }) => void layers.pop()),
  'there was no rebase': (data) => void delete data.rebase,
}

const liesAboutItems: Readonly<Record<string, Lie>> = {
  'an item has another text': ({ items: [first] = [] }) => Object.assign(first as object, { text: 'Another.' }),
  'an item is missing': ({ items = [] }) => void items.pop(),
  'an item is said to be there': ({ items = [] }) => void items.push({ kind: 'reminder', id: 'three', origin: 'test', text: 'The item three.' }),
  'the items are in another order': ({ items = [] }) => void items.reverse(),
  'an item has no id': ({ items: [first] = [] }) => Object.assign(first as object, { id: '' }),
  'an item has no origin': ({ items: [first] = [] }) => Object.assign(first as object, { origin: '' }),
  'a rebase is said to have dropped what is sent': (data) =>
    Object.assign(data, {
      rebase: {
        reason: 'no room',
        system: 'Be exact.',
        tools: [],
        segments: [{ to: 15, ...why }],
        budget: { max: 1, before: 1, after: 1, window: 1 },
      },
    }),
}

/** The events with the context of one turn changed. */
function planted(events: readonly LoomEvent[], turn: number, lie: Lie): readonly LoomEvent[] {
  return events.map((event) => {
    if (event.type !== 'context.assembled' || event.turn !== turn) return event
    const data = structuredClone(event.data) as object as LooseData
    lie(data)
    return { ...event, data } as object as LoomEvent
  })
}

describe('a lie in context.assembled is found', async () => {
  const { events, model } = await lived(await honest())

  test('and nothing is found where there is none', () => {
    expect(checkContexts(events, model.requests)).toEqual([])
    expect(Object.keys({ ...liesAboutRebase, ...liesAboutItems }).length).toBeGreaterThanOrEqual(30)
  })

  test.each(Object.entries(liesAboutRebase))('%s', (_, lie) => {
    expect(checkContexts(planted(events, 8, lie), model.requests)).not.toEqual([])
  })

  test.each(Object.entries(liesAboutItems))('%s', (_, lie) => {
    expect(checkContexts(planted(events, 9, lie), model.requests)).not.toEqual([])
  })

  test('and so are a request that is not recorded, and one that nobody received', () => {
    expect(checkContexts(events, [...model.requests, { prompt: [] }]).map(({ rule }) => rule)).toEqual(['CONTEXT-9'])
    expect(checkContexts(events, model.requests.slice(1)).map(({ rule }) => rule)).toContain('CONTEXT-9')
  })
})

/** Lies that fit every rebase of every life, unless there is nothing that they could be about. */
const lieTo: readonly ((segment: Segment) => LooseSegment | undefined)[] = [
  ({ to, as }) => (as === 'kept' ? { to, ...why } : undefined),
  ({ to, as }) => (as === 'dropped' ? { to, as: 'kept' } : undefined),
  ({ to, as }) => (as === 'dropped' ? { to, as: 'summary', text: 'Nothing was dropped.' } : undefined),
  (segment) => (segment.as === 'summary' && 'text' in segment && segment.text !== '' ? { ...segment, text: 'Another text.' } : undefined),
  (segment) => (segment.as === 'summary' && 'summary' in segment ? { ...segment, summary: 99 } : undefined),
  ({ to, as, ...rest }) => (as === 'kept' && !('trims' in rest) ? { to: to + 1000, as } : undefined),
]

test('a lie about any segment of any life is found', { timeout: 300_000 }, async () => {
  let planting = 0
  await fc.assert(
    fc.asyncProperty(lives, fc.nat(), async (life, choice) => {
      const [first] = await live({ ...life, hooked: false, deaths: [] })
      if (!first) return
      const { events, model } = first
      for (const event of events) {
        if (event.type !== 'context.assembled') continue
        const list = event.data.rebase?.segments ?? []
        const place = choice % Math.max(1, list.length)
        const segment = list[place]
        if (!segment) continue
        for (const lie of lieTo) {
          const changed = lie(segment)
          const hasFollower = events.some(({ type, seq }) => type === 'model.requested' && seq > event.seq)
          const from = list[place - 1]?.to ?? 0
          if (!changed || !hasFollower || from === segment.to) continue
          planting += 1
          const lied = events.map((other) =>
            other === event
              ? ({ ...event, data: { ...event.data, rebase: { ...event.data.rebase, segments: list.with(place, changed as Segment) } } } as LoomEvent)
              : other,
          )
          expect({ changed, isFound: checkContexts(lied, model.requests).length > 0 }).toEqual({ changed, isFound: true })
        }
      }
    }),
    { numRuns: 40 },
  )
  expect(planting).toBeGreaterThan(20)
})
