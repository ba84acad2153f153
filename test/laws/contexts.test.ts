/** The law of explanations: for every turn, what is explained is what the model received. */
import {
  agent,
  aggressive,
  assembliesOf,
  type ContextPart,
  type ContextStrategy,
  compress,
  everything,
  explain,
  frameOf,
  type PresenceKind,
  pipeline,
  presenceOf,
  requestAt,
  tool,
  window,
} from '@loom-agent/agent'
import { requestTokens } from '@loom-agent/agent/kit'
import type { LanguageModelV4CallOptions } from '@loom-agent/agent/language-model'
import { type EventOf, type LoomEvent, readEvents } from '@loom-agent/kernel'
import { assertHistory, checkContexts, scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Lived, live, lives, marksOf } from './context-lives.ts'
import { expectSeen } from './expect-seen.ts'

/** `LOOM_LAW_RUNS=1000 npx vitest run test/laws/contexts.test.ts` is the long form. */
const runs = Number(process.env['LOOM_LAW_RUNS'] ?? 40)

const requestsOf = (events: readonly LoomEvent[]): readonly EventOf<'model.requested'>[] =>
  events.flatMap((event) => (event.type === 'model.requested' ? [event as LoomEvent & EventOf<'model.requested'>] : []))

/** The same mark may stand in a call and in its result; so it is looked for in the message that is named, and nowhere else. */
async function compareRequest({ journal, thread }: Lived, seq: number, request: LanguageModelV4CallOptions): Promise<void> {
  const explanation = await explain(journal, `${thread}@${seq}`)
  const frame = await frameOf(journal, `${thread}@${seq}`)
  expect(explanation.messages).toBe(request.prompt.length)
  expect(explanation.tokens.total).toBe(requestTokens(frame, request))
  const shown = new Set<string>()
  for (const { fate, entry } of explanation.parts) {
    if ((fate.as !== 'verbatim' && fate.as !== 'trimmed') || fate.message === undefined) continue
    const words = JSON.stringify(request.prompt[fate.message])
    if (entry === undefined) continue
    for (const mark of marksOf(frame, entry)) {
      if (fate.as === 'verbatim') expect(words).toContain(mark)
      shown.add(mark)
    }
  }
  const all = JSON.stringify(request.prompt)
  for (const { fate, entry } of explanation.parts) {
    if (entry === undefined || fate.as === 'verbatim' || fate.as === 'trimmed' || fate.as === 'not yet') continue
    // A result may have the mark of its call, and the two stay together.
    for (const mark of marksOf(frame, entry).filter((one) => !shown.has(one))) expect(all).not.toContain(mark)
  }
}

const presenceOfFate = ({ fate }: ContextPart): PresenceKind => {
  const kinds = { verbatim: 'in', trimmed: 'trimmed', summarised: 'summary', dropped: 'dropped', 'never eligible': 'absent' } as const
  return kinds[fate.as as keyof typeof kinds]
}

describe('over random lives, with steering, stops, overflows, hooks, forks and deaths', () => {
  test('every explanation is what the model received, and the checker finds nothing', { timeout: 120_000 + runs * 1000 }, async () => {
    const seen = { lives: 0, requests: 0, lost: 0, forks: 0, dropped: 0, summarised: 0, trimmed: 0, overflows: 0, hooked: 0 }
    await fc.assert(
      fc.asyncProperty(lives, async (life) => {
        for (const lived of await live(life)) {
          const { events, model, thread } = lived
          const cut = events.findLast(({ type }) => type === 'thread.forked')?.seq ?? 0
          const requests = requestsOf(events).filter(({ seq }) => seq > cut)
          assertHistory(events)
          expect(checkContexts(events, model.requests)).toEqual([])
          const isWhole = requests.length === model.requests.length
          for (const [index, { seq }] of requests.entries()) {
            const received = isWhole ? model.requests[index] : (await requestAt(lived.journal, `${thread}@${seq}`)).request
            await compareRequest(lived, seq, received as LanguageModelV4CallOptions)
          }
          seen.lives += 1
          seen.requests += requests.length
          seen.lost += requests.length - model.requests.length
          seen.forks += thread === 'f' ? 1 : 0
          const text = JSON.stringify(events)
          for (const kind of ['dropped', 'summary'] as const) if (text.includes(`"as":"${kind}"`)) seen[kind === 'summary' ? 'summarised' : kind] += 1
          if (text.includes('left out ...]') || JSON.stringify(model.requests.map(({ prompt }) => prompt)).includes('are left out ...]'))
            seen.trimmed += 1
          if (text.includes('"reason":"overflow"')) seen.overflows += 1
          if (text.includes('"keep"')) seen.hooked += 1
        }
      }),
      { numRuns: runs },
    )
    expectSeen(seen, runs, ['lives', 'requests'])
  })

  test('the presence of every entry in every turn is what the explanation of that turn says', { timeout: 120_000 + runs * 1000 }, async () => {
    await fc.assert(
      fc.asyncProperty(lives, async (life) => {
        for (const { journal, thread, events } of await live(life)) {
          const { rows } = await presenceOf(journal, thread)
          const turns = [...new Set(events.flatMap(({ type, turn }) => (type === 'context.assembled' ? [turn ?? 0] : [])))]
          for (const turn of turns) {
            const { parts } = await explain(journal, { thread, turn })
            const fates = parts.flatMap((part) =>
              part.entry === undefined || part.fate.as === 'not yet' ? [] : [[part.entry, presenceOfFate(part)]],
            )
            const values = rows.flatMap(({ from, to, turns: ranges }) => {
              const as = ranges.find((range) => range.from <= turn && turn <= range.to)?.as
              return as === undefined ? [] : Array.from({ length: to - from + 1 }, (_, index) => [from + index, as])
            })
            expect({ turn, values }).toEqual({ turn, values: fates })
          }
        }
      }),
      { numRuns: runs },
    )
  })
})

describe('the tokens of an explanation', () => {
  /** Notes what a strategy is told about the request, for turns in which it adds nothing. */
  function noting(strategy: ContextStrategy, counts: Map<number, number>): ContextStrategy {
    return {
      ...strategy,
      async assemble(request) {
        const shown = request.tokens.shown()
        const plan = await strategy.assemble(request)
        if (!plan.rebase && request.rebase === undefined) counts.set(request.frame.turn, shown)
        return plan
      },
    }
  }

  test.each([
    ['everything', everything],
    ['compress', compress({ max: 2500 })],
    ['window', window({ turns: 6 })],
  ] as const)('are those that the strategy saw, calibrated by what the vendor counted: %s', async (_, context) => {
    const counts = new Map<number, number>()
    let calls = 0
    const look = tool({ name: 'look', description: 'Looks.', effect: 'read', run: () => `result ${++calls} ${'stone 石头 { "a": 1 } '.repeat(12)}` })
    const model = scriptedModel(({ prompt }) => {
      // A vendor that counts otherwise than the estimate, and adds something of its own.
      const usage = { input: 40 + Math.ceil(JSON.stringify(prompt).length / 2.9), output: 5 }
      return calls < 25 ? { text: `turn ${calls}`, calls: [{ tool: 'look', input: { n: calls } }], usage } : { text: 'Done.', usage }
    })
    const worker = agent({ instructions: 'Be exact.', model, tools: [look], context: noting(context, counts), limits: { turns: 100, loop: false } })
    await worker.run('Go on, and on.', { thread: 't' })
    expect(counts.size).toBeGreaterThan(10)
    const records = await Array.fromAsync(assembliesOf(worker.journal, 't'))
    for (const [turn, shown] of counts) {
      const { tokens, parts } = await explain(worker.journal, { thread: 't', turn })
      expect({ turn, total: tokens.total }).toEqual({ turn, total: shown })
      expect(parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(shown)
      expect(records.find((record) => record.turn === turn)?.tokens).toBe(shown)
    }
  })
})

describe('with the strategies that come with Loom', () => {
  const strategies: readonly (readonly [string, ContextStrategy])[] = [
    ['everything', everything],
    ['window of turns', window({ turns: 3 })],
    ['window of tokens', window({ tokens: 900 })],
    ['compress', compress({ max: 2500 })],
    ['compress with ephemeral results', compress({ max: 2500, ephemeral: { look: 2 } })],
    ['pipeline', pipeline(window({ turns: 12 }), compress({ ...aggressive, max: 2500 }))],
  ]

  test.each(strategies)('%s: forty turns of tools are explained, and a hint for the first result brings it back', async (name, context) => {
    let calls = 0
    const look = tool({
      name: 'look',
      effect: 'read',
      run: () => `result <c${++calls}x> ${calls === 1 ? 'zebra crossing' : ''} ${'stone river cloud engine '.repeat(12)}`,
    })
    const model = scriptedModel(() => (calls < 40 ? { text: `turn ${calls}`, calls: [{ tool: 'look' }] } : 'Done.'))
    const worker = agent({ instructions: 'Be exact.', model, tools: [look], context, limits: { turns: 100, loop: false } })
    expect((await worker.run('Go on, and on.', { thread: 't' })).status).toBe('done')
    const events = await Array.fromAsync(readEvents(worker.journal, 't'))
    expect(checkContexts(events, model.requests)).toEqual([])
    const turn = Math.max(...events.map((event) => event.turn ?? 0))
    const { asked, hints } = await worker.explain({ thread: 't', turn }, '<c1x>')
    expect(asked?.isShown).toBe(name === 'everything')
    for (const hint of hints.slice(0, 1)) {
      const { turns } = await worker.replay('t', {
        ...(hint.with && { with: hint.with }),
        report: { messages: 1000, total: 10_000_000, characters: 100_000 },
      })
      expect(turns.at(-1)?.added.some((text) => text.includes('<c1x>'))).toBe(true)
    }
    expect(hints.length > 0).toBe(name !== 'everything')
  })
})
