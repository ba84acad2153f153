/** Evals in this process: candidates, scorers, replays, budgets, and what becomes of cases that cannot be judged. */
import { readEvents } from '@loom-agent/agent'
import { defineModel } from '@loom-agent/models'
import { scriptedModel } from '@loom-agent/testing'
import { agent, memoryJournal, window } from 'loom-agent'
import { expect, test } from 'vitest'
import { junitOf } from '../../src/eval/render-eval.ts'
import { contains, equals, evaluation, modelScorer, runEvaluation, unchanged } from '../../src/evals.ts'

const echo = (name: string, reply: (text: string) => string) =>
  agent({ name, model: defineModel({ id: `test/${name}`, generate: ({ text }) => ({ text: reply(text), usage: { input: 3, output: 2 } }) }) })
const cases = [
  { name: 'first', input: 'red', expected: 'red' },
  { name: 'second', input: 'blue', expected: 'blue' },
]

test('candidates are compared case by case, and each answer is on a child of the eval', async () => {
  const journal = memoryJournal()
  const candidates = { now: echo('now', (text) => text), new: echo('new', () => 'red') }
  const report = await runEvaluation(
    evaluation({ name: 'colours', cases, candidates, scorers: { contains: contains(), equals: equals() }, journal }),
    {
      thread: 'e',
    },
  )
  expect(report.candidates.map(({ candidate, passed, judged, tokens }) => [candidate, passed, judged, tokens])).toEqual([
    ['now', 2, 2, 10],
    ['new', 1, 2, 10],
  ])
  expect(report.differing).toEqual(['second'])
  const { child = '' } = report.verdicts.find(({ candidate, case: name }) => candidate === 'new' && name === 'second') ?? {}
  const types = []
  for await (const event of readEvents(journal, child)) types.push(event.type)
  expect(types).toContain('model.replied')
})

test('an eval goes on only with what it was started with', async () => {
  const given = { name: 'colours', candidates: { now: echo('now', (text) => text) }, scorers: { contains: contains() }, journal: memoryJournal() }
  const first = await runEvaluation(evaluation({ ...given, cases }), { thread: 'e' })
  expect(await runEvaluation(evaluation({ ...given, cases }), { thread: 'e' })).toMatchObject({ verdicts: first.verdicts })
  await expect(runEvaluation(evaluation({ ...given, cases: cases.slice(1) }), { thread: 'e' })).rejects.toMatchObject({ code: 'LOOM_RUN_EXISTS' })
})

test('a model that judges is asked once for each answer, and what it says of no score is an error of the scorer', async () => {
  const judge = scriptedModel(({ prompt }) =>
    JSON.stringify(prompt).includes('blue') ? '{"score": 0.25, "reason": "It is blue."}' : '{"score": 1, "reason": "It is red."}',
  )
  const given = { name: 'judged', cases, candidates: { now: echo('now', (text) => text) }, journal: memoryJournal() }
  const scorers = { rule: modelScorer({ model: judge, rule: 'It is red.' }), broken: () => 7 }
  const report = await runEvaluation(evaluation({ ...given, scorers, pass: 0.5 }), { thread: 'e' })
  expect(judge.requests).toHaveLength(2)
  expect(report.judging).toBeGreaterThan(0)
  expect(report.verdicts.map(({ scores }) => scores)).toEqual([
    { rule: { score: 1, reason: 'It is red.' }, broken: { score: 0, error: 'A score is a number from 0 to 1, and not 7.' } },
    { rule: { score: 0.25, reason: 'It is blue.' }, broken: { score: 0, error: 'A score is a number from 0 to 1, and not 7.' } },
  ])
  expect(report.candidates[0]).toMatchObject({ passed: 1, errors: 2, scores: { rule: 0.625 } })
})

test('threads are replayed under other strategies without a model, and asked again where they are', async () => {
  const journal = memoryJournal()
  const model = scriptedModel(() => 'Yes.')
  const guide = agent({ name: 'guide', model, journal })
  for (let turn = 0; turn < 4; turn += 1) await guide.run(`Is ${turn} a number?`, { thread: 't' })
  const candidates = { now: guide, short: guide.with({ context: window({ turns: 1 }) }) }
  const replayed = await runEvaluation(
    evaluation({ name: 'replayed', mode: 'replay', cases: [{ thread: 't' }], candidates, scorers: { unchanged: unchanged() }, journal }),
    { thread: 'replay' },
  )
  expect(replayed.candidates.map(({ candidate, passed }) => [candidate, passed])).toEqual([
    ['now', 1],
    ['short', 0],
  ])
  expect(replayed.verdicts[1]?.replay).toMatchObject({ turns: 4, differing: expect.any(Number) })
  expect(model.requests).toHaveLength(4)
  const asked = await runEvaluation(
    evaluation({ name: 'asked', cases: [{ thread: 't' }], candidates: { now: guide }, scorers: { equals: equals() }, journal }),
    { thread: 'live' },
  )
  expect([asked.candidates[0]?.passed, model.requests.length]).toEqual([1, 5])
})

test('a budget holds for the whole eval: what it does not reach is no verdict on the answer', async () => {
  const many = Array.from({ length: 30 }, (_, index) => ({ input: `case ${index}`, expected: 'case' }))
  const report = await runEvaluation(
    evaluation({
      name: 'budget',
      cases: many,
      candidates: { now: echo('now', (text) => text) },
      scorers: { contains: contains() },
      journal: memoryJournal(),
    }),
    { thread: 'e', limits: { tokens: 100 } },
  )
  const { judged = 0, passed, tokens = 0 } = report.candidates[0] ?? {}
  expect(judged).toBeGreaterThan(0)
  expect(judged).toBeLessThan(30)
  expect([passed, report.missing]).toEqual([judged, 30 - judged])
  expect(tokens).toBeLessThanOrEqual(100)
})

test('JUnit says what failed in characters that XML has', async () => {
  const report = await runEvaluation(
    evaluation({
      name: 'x',
      cases: [{ name: '<1>', input: 'a', expected: '"&"' }, ...cases],
      candidates: { now: echo('now', (text) => `${text}\u0000]]>`) },
      scorers: { contains: contains() },
      journal: memoryJournal(),
    }),
    { thread: 'e' },
  )
  const xml = junitOf(report, 'x')
  expect(xml).toContain('<testsuite name="now" tests="3" failures="1" errors="0" skipped="0" time="0">')
  expect(xml).toContain('name="&lt;1&gt;"')
  expect(xml).toContain('a\ufffd]]&gt;</failure>')
  expect(xml).not.toContain('\u0000')
})

test.each([
  [{ candidates: {} }, 'candidates'],
  [{ scorers: {} }, 'scorers'],
  [{ threshold: 90 }, 'threshold'],
  [{ parallel: 0 }, 'parallel'],
  [{ name: 'a/b' }, 'names'],
])('an eval with %j is refused', (wrong, option) => {
  const right = { name: 'x', cases, candidates: { now: echo('now', (text) => text) }, scorers: { contains: contains() } }
  expect(() => evaluation({ ...right, ...wrong })).toThrow(
    expect.objectContaining({ code: 'LOOM_OPTION_INVALID', context: expect.objectContaining({ option }) }),
  )
})
