/** The laws of contexts: what stays, what belongs together, what only grows, and that nothing leaves without a reason. */
import { type ContextStrategy, compress, explain, frameOf, pipeline, reminders, todosOf, window } from '@loom-agent/agent'
import type { LanguageModelV4CallOptions } from '@loom-agent/agent/language-model'
import { at, type Entry, type EventOf, type Frame, type LoomEvent } from '@loom-agent/kernel'
import { assertCachePrefix, assertHistory, checkContexts, checkPairing } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Life, type Lived, live, lives, marksOf, replayLived } from './context-lives.ts'
import { expectSeen } from './expect-seen.ts'

/** `LOOM_LAW_RUNS=400 npx vitest run test/laws/context-laws.test.ts` is the long form. */
const runs = Number(process.env['LOOM_LAW_RUNS'] ?? 60)

const share = fc.constantFrom(0, 0, 0.02, 0.2)

/** Strategies with any budget, of which many are too small for anything but what must stay. */
const strategies: fc.Arbitrary<ContextStrategy> = fc
  .record({
    max: fc.integer({ min: 60, max: 900 }),
    target: fc.constantFrom(0.35, 0.5, 0.75),
    keep: fc.nat(3),
    shares: fc.record(
      { skills: share, memory: share, reminders: share, history: fc.constantFrom(0.05, 0.3, 1) },
      { requiredKeys: ['skills', 'reminders'] },
    ),
    form: fc.constantFrom('compress', 'with reminders', 'after a window'),
  })
  .map(({ max, target, keep, shares, form }) => {
    const compressing = compress({ max, target, trigger: 0.8, warn: 0.5, perSection: 16, ephemeral: { look: keep }, shares })
    if (form === 'compress') return compressing
    return form === 'with reminders' ? pipeline(compressing, reminders({ every: 2 })) : pipeline(window({ turns: 3 }), compressing)
  })

/** Lives with more turns than others, so that contexts are cut several times. */
const longLives: fc.Arbitrary<Life> = fc
  .tuple(lives, strategies, fc.array(fc.integer({ min: 2, max: 12 }), { minLength: 1, maxLength: 3 }))
  .map(([life, context, runs]) => ({ ...life, runs, context, hooked: false }))

const requestsOf = (events: readonly LoomEvent[]): readonly EventOf<'model.requested'>[] =>
  events.flatMap((event) => (event.type === 'model.requested' ? [event as LoomEvent & EventOf<'model.requested'>] : []))

/** A request that a model received, and the thread when it was made. */
interface Sent {
  readonly seq: number
  readonly frame: Frame
  readonly request: LanguageModelV4CallOptions
}

/** The requests of a thread; none where some were lost with their process, because it is not known which. */
async function sentOf({ journal, thread, events, model }: Lived): Promise<readonly Sent[]> {
  const cut = events.findLast(({ type }) => type === 'thread.forked')?.seq ?? 0
  const recorded = requestsOf(events).filter(({ seq }) => seq > cut)
  if (recorded.length !== model.requests.length) return []
  return Promise.all(
    recorded.map(async ({ seq }, index) => ({
      seq,
      frame: await frameOf(journal, `${thread}@${seq}`),
      request: model.requests[index] as LanguageModelV4CallOptions,
    })),
  )
}

const entriesOf = ({ history, context }: Frame): readonly Entry[] =>
  Array.from({ length: context.covered }, (_, index) => at(history, index) as Entry)

/** The entries that every request must have, found without the code that keeps them. */
function mustHave(frame: Frame): readonly number[] {
  const entries = entriesOf(frame)
  const input = entries.findLastIndex(({ origin }) => origin === 'input')
  const replied = entries.findLastIndex(({ origin }) => origin === 'input' || origin === 'reply')
  const pending = entries.findIndex(({ message }, index) => index > replied && message.role === 'tool')
  const steered = entries.findLastIndex(({ origin }) => origin === 'steered')
  const pins = entries.flatMap(({ pin, item }, index) => (pin || item?.pin ? [index] : []))
  return [input, ...pins, ...(steered > input ? [steered] : []), ...(pending < 0 ? [] : [pending - 1, pending])]
}

const seen = { requests: 0, rebases: 0, todos: 0, lists: 0, skills: 0, zones: 0, layers: 0, pins: 0, pending: 0, gone: 0 }
let replays = 0

function checkWhatStays({ frame, request }: Sent): void {
  const text = JSON.stringify(request.prompt)
  for (const index of mustHave(frame)) {
    const entry = at(frame.history, index) as Entry
    // Results may be cut; their calls may not.
    if (entry.message.role === 'tool') {
      seen.pending += 1
      for (const { id } of entry.message.results) expect(text).toContain(`"toolCallId":"${id}`)
    } else for (const mark of marksOf(frame, index)) expect({ index, mark, isThere: text.includes(mark) }).toEqual({ index, mark, isThere: true })
    if (entry.pin) seen.pins += 1
  }
  expect(checkPairing(request.prompt)).toEqual([])
  const list = todosOf(frame)
  for (const task of list && list.entry < frame.context.covered ? list.todos : []) {
    seen.todos += 1
    expect({ task: task.text, isThere: text.includes(task.text) }).toEqual({ task: task.text, isThere: true })
  }
}

/** What was in one request and is not in the next has left by a rebase in between, and its fate says how. */
async function checkWhatLeaves({ journal, thread }: Lived, before: Sent, after: Sent): Promise<void> {
  const [was, is] = await Promise.all([explain(journal, `${thread}@${before.seq}`), explain(journal, `${thread}@${after.seq}`)])
  for (const { entry, fate } of was.parts) {
    if (entry === undefined || fate.as !== 'verbatim') continue
    const now = is.parts.find((part) => part.entry === entry)?.fate
    expect(now).toBeDefined()
    if (!now || now.as === 'verbatim') continue
    seen.gone += 1
    expect(['trimmed', 'summarised', 'dropped']).toContain(now.as)
    if (now.as === 'dropped') expect(now.rule.length * now.reason.length).toBeGreaterThan(0)
    expect(Number(is.rebase?.at.split('@')[1])).toBeGreaterThan(before.seq)
  }
}

describe('over random lives under any budget, with layers, skills, tasks, reminders and shares', () => {
  test('the last question, pins, pending calls and the list of tasks stay; calls have their results; nothing leaves without a reason', {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(longLives, async (life) => {
        for (const lived of await live(life)) {
          const { events, model } = lived
          assertHistory(events)
          expect(checkContexts(events, model.requests)).toEqual([])
          const sent = await sentOf(lived)
          for (const [index, one] of sent.entries()) {
            seen.requests += 1
            checkWhatStays(one)
            const before = sent[index - 1]
            if (before) await checkWhatLeaves(lived, before, one)
          }
          if (sent.length > 0 && lived.thread === 't') assertCachePrefix(model.requests, events)
          const text = JSON.stringify(events)
          seen.rebases += events.filter(({ type, data }) => type === 'context.assembled' && 'rebase' in data).length
          seen.lists += text.split('"kind":"todo"').length - 1
          seen.skills += text.split('"kind":"skill"').length - 1
          seen.zones += text.split('"rule":"zone"').length - 1
          seen.layers += text.split('"reason":"layers"').length - 1
        }
      }),
      { numRuns: runs },
    )
    expectSeen(seen, runs, ['requests', 'rebases'])
  })

  test('a replay by the same code assembles the same contexts', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(longLives, async (life) => {
        const quiet = { ...life, runs: life.runs.slice(0, 1), overflowAt: [], deaths: [], forkAt: undefined }
        const [lived] = await live(quiet)
        if (!lived) return
        const { turns } = await replayLived(quiet, lived)
        replays += turns.length
        expect(turns.filter(({ differs }) => differs).map(({ turn, left, added }) => ({ turn, left, added }))).toEqual([])
      }),
      { numRuns: Number(process.env['LOOM_LAW_RUNS'] ?? 40) },
    )
    expect(replays).toBeGreaterThan(40)
  })
})
