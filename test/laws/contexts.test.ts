/** The law of explanations: for every turn, what is explained is what the model received. */
import {
  agent,
  aggressive,
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
  test('every explanation is what the model received, and the checker finds nothing', { timeout: 300_000 }, async () => {
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
      { numRuns: 60 },
    )
    console.log(JSON.stringify(seen))
    for (const [what, count] of Object.entries(seen)) expect({ what, isSeen: count > 0 }).toEqual({ what, isSeen: true })
  })

  test('the presence of every entry in every turn is what the explanation of that turn says', { timeout: 300_000 }, async () => {
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
      { numRuns: 40 },
    )
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
