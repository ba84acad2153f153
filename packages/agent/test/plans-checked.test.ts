import { agent, type ContextPlan, type ContextStrategy, compact, compress, defineStrategy, everything, pipeline } from '@loom-agent/agent'
import { checkContexts, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf, factsOf } from '../../../test/support/threads.ts'

const dropped = (more: object): object => ({ rebase: { reason: 'r', segments: [{ to: 2, as: 'dropped', rule: 'x', reason: 'y', ...more }] } })
const kept = (...trims: readonly unknown[]): object => ({ rebase: { reason: 'r', segments: [{ to: 2, as: 'kept', trims }] } })
const summarized = (more: object): object => ({ rebase: { reason: 'r', segments: [{ to: 2, as: 'summary', ...more }] } })
const item = (more: object): object => ({ items: [{ kind: 'memory', id: 'm', origin: 'store', text: 'x', ...more }] })
const summary = (more: object): object => ({ compressed: { from: 1, to: 2, summary: 'They talked.', ...more } })

/** What the message names, of plans that cannot be carried out, or that nobody could read back from the journal. */
const wrong: readonly (readonly [string, unknown])[] = [
  ['plan is null', null],
  ['plan is "drop it"', 'drop it'],
  ['plan.rebase.segments[0].to is "2"', dropped({ to: '2' })],
  ['plan.rebase.segments[0].to is -1', dropped({ to: -1 })],
  ['plan.rebase.segments[0].as is "gone"', dropped({ as: 'gone' })],
  ['plan.rebase.segments[0].rule is " "', dropped({ rule: ' ' })],
  ['plan.rebase.segments[0].reason is undefined', dropped({ reason: undefined })],
  ['plan.rebase.segments[0].trims[1].head is 0.5', kept({ rule: 'r', over: 9, head: 1, tail: 1 }, { rule: 'r', over: 9, head: 0.5, tail: 1 })],
  ['plan.rebase.segments[0].summary is 7', summarized({ summary: 7 })],
  ['plan.rebase.segments[0].summary is undefined', summarized({})],
  ['has no option "summary"', summarized({ summary: 0, text: 'x' })],
  ['plan.items[0].text is "  "', item({ text: '  ' })],
  ['plan.items[0].trust is "trusted"', item({ trust: 'trusted' })],
  ['plan.items[0].priority is NaN', item({ priority: Number.NaN })],
  ['has no option "role"', item({ role: 'system' })],
  ['plan.compressed[0].summary is undefined', summary({ summary: undefined })],
  ['plan.compressed[0].by is "me"', summary({ by: 'me' })],
  ['plan.compressed[0].tokensAfter is -1', summary({ tokensAfter: -1 })],
  ['plan.retrieved.documents[0].text is undefined', { retrieved: { query: 'q', documents: [{ id: 'd' }] } }],
]

const failureOf = async (context: ContextStrategy): Promise<string> => {
  const talker = agent({ model: scriptedModel(() => 'Yes.'), context, ports: { development: false } })
  await talker.run('Hello.', { thread: 't' })
  const result = await talker.run('And now?', { thread: 't' })
  expect(await factsOf(talker, 't', 'context.compressed')).toEqual([])
  return result.status === 'failed' ? `${result.error.code} ${result.error.message}` : result.status
}

describe('a plan fails the run, stores nothing and is named, where', () => {
  test.each(wrong)('%s', async (words, plan) => {
    const own: ContextStrategy = { name: 'own', assemble: ({ frame }) => (frame.turn > 1 ? (plan as ContextPlan) : {}) }
    for (const context of [own, pipeline(everything, own)]) {
      const failure = await failureOf(context)
      expect(failure).toMatch(/^LOOM_OPTION_(?:INVALID|UNKNOWN) The context strategy "/)
      expect(failure).toContain(words)
    }
  })

  test.each([undefined, null, 'drop', true, {}, { drop: 'a', trim: { over: 1, head: 1, tail: 1 } }])('judge returns %j', async (decided) => {
    const context = defineStrategy({ name: 'own', when: ({ frame }) => frame.turn > 1, judge: () => decided as never })
    expect(await failureOf(context)).toMatch(/The context strategy "own": what judge returned is .*Give 'keep', \{ drop: reason \}/)
  })

  test('a count of tokens is below 0', async () => {
    const talker = agent({ model: scriptedModel('Yes.'), context: compress({ max: 100 }), ports: { countTokens: () => -1, development: false } })
    const result = await talker.run('Hello.')
    expect(result.status === 'failed' && result.error.message).toContain('ports.countTokens returned -1, which is no count')
  })
})

test('a strategy is refused when it is made of what is none', () => {
  expect(() => pipeline(everything, 7 as never)).toThrow('pipeline(): strategy 2 is 7. Give a strategy: { name, assemble(request) }.')
  expect(() => compress({ model: 7 as never })).toThrow(expect.objectContaining({ code: 'LOOM_MODEL_INVALID' }))
})

test('a plan that is whole is stored, and found again', async () => {
  const plan = {
    ...item({ trust: 'untrusted', priority: 3, pin: true }),
    ...summary({ to: 7, by: 'extract', drops: ['x'] }),
    ...summarized({ summary: 0 }),
  }
  const own: ContextStrategy = { name: 'own', assemble: ({ frame }) => (frame.turn === 2 ? (plan as ContextPlan) : {}) }
  const model = scriptedModel(() => 'Yes.')
  const talker = agent({ model, context: own })
  for (const input of ['Hello.', 'And now?', 'And then?']) expect((await talker.run(input, { thread: 't' })).status).toBe('done')
  expect(checkContexts(await eventsOf(talker, 't'), model.requests)).toEqual([])
})

test('an agent compacts its own threads, and no other ones', async () => {
  const model = scriptedModel(() => 'Yes.')
  const ann = agent({ name: 'ann', model })
  await ann.run('Hello.', { thread: 't' })
  const bob = agent({ name: 'bob', model, journal: ann.journal })
  await expect(bob.compact('t')).rejects.toMatchObject({ code: 'LOOM_AGENT_OTHER' })
  expect(await factsOf(ann, 't', 'context.compact-requested')).toEqual([])
  await ann.compact('t', { by: 'ops' })
  await compact(ann.journal, 't')
  expect(await factsOf(ann, 't', 'context.compact-requested')).toHaveLength(1)
})
