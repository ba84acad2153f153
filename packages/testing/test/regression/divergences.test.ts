import { assertSameRun, RunDivergence } from '@loom-agent/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Fixture } from '../../src/regression/fixture.ts'
import { ofDurableBodies } from './divergences-durable.ts'
import { ofExecution, ofJudgement } from './divergences-judged.ts'
import { ofContext, ofLimits } from './divergences-sent.ts'
import { agentOf, record, type Scenario } from './scenarios.ts'

const planted = [...ofContext, ...ofJudgement, ...ofExecution, ...ofDurableBodies, ...ofLimits]

const fixtures = new Map<Scenario, Fixture>()

beforeAll(async () => {
  for (const scenario of new Set(planted.map((plant) => plant.scenario))) fixtures.set(scenario, await record(scenario))
})

const fixtureOf = (scenario: Scenario): Fixture => fixtures.get(scenario) as Fixture

describe('a change of the agent is reported at its step, with both values', () => {
  test.each(planted)('$what', async ({ scenario, changed, step, recorded, now }) => {
    const error: unknown = await assertSameRun(agentOf(scenario, changed), fixtureOf(scenario)).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(RunDivergence)
    expect(error).toMatchObject({ step })
    const { recorded: before, replayed, advice, message } = error as RunDivergence
    expect([before, replayed]).toEqual([recorded, now])
    expect(advice).toMatch(/^[A-Z].*[^.]\.$/)
    expect(message).toContain(step)
  })
})

test('there are enough of them', () => {
  expect(planted.length).toBeGreaterThanOrEqual(50)
})
