import { assertSameRun, RunDivergence } from '@loom-agent/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Fixture } from '../../src/regression/fixture.ts'
import { ofDurableBodies } from './divergences-durable.ts'
import { ofExecution, ofJudgement } from './divergences-judged.ts'
import { ofContext, ofLimits } from './divergences-sent.ts'
import { changesPage } from './planted-page.ts'
import { agentOf, record, type Scenario } from './scenarios.ts'
import { unseen } from './unseen.ts'

const groups = [
  ['What the model is sent', ofContext],
  ['Settings, limits, output', ofLimits],
  ['Permissions and questions', ofJudgement],
  ['Calls, results, hooks', ofExecution],
  ['Durable tools and children', ofDurableBodies],
] as const
const planted = groups.flatMap(([, list]) => list)

const fixtures = new Map<Scenario, Fixture>()

beforeAll(async () => {
  for (const { scenario } of [...planted, ...unseen]) if (!fixtures.has(scenario)) fixtures.set(scenario, await record(scenario))
})

const fixtureOf = (scenario: Scenario): Fixture => fixtures.get(scenario) as Fixture

describe('a change of the agent is reported at its step, with both values', () => {
  test.each(planted)('$what', async ({ scenario, changed, step, recorded, now, options }) => {
    const error: unknown = await assertSameRun(agentOf(scenario, changed), fixtureOf(scenario), options).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RunDivergence)
    expect(error).toMatchObject({ step })
    const { recorded: before, replayed, advice, message } = error as RunDivergence
    expect([before, replayed]).toEqual([recorded, now])
    expect(advice).toMatch(/^[A-Z].*[^.]\.$/)
    expect(message).toContain(step)
  })
})

describe('a recorded test cannot see', () => {
  test.each(unseen)('$what: $why', async ({ scenario, changed }) => {
    await assertSameRun(agentOf(scenario, changed), fixtureOf(scenario))
  })
})

test('the page of recorded tests lists every planted change, seen or not; vitest -u writes it again', async () => {
  expect(planted.length).toBeGreaterThanOrEqual(40)
  expect(new Set([...planted, ...unseen].map(({ what }) => what)).size).toBe(planted.length + unseen.length)
  await expect(changesPage(groups, unseen)).toMatchFileSnapshot('../../../../docs/reference/recorded-tests.md')
})
