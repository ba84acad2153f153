import { assertSameRun, RunDivergence } from '@loom-agent/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Fixture } from '../../src/regression/fixture.ts'
import { steered } from './divergences-durable.ts'
import { judged, made } from './divergences-judged.ts'
import { limited, told } from './divergences-told.ts'
import { cast, record, type Scene } from './scenes.ts'

const planted = [...told, ...judged, ...made, ...steered, ...limited]

const fixtures = new Map<Scene, Fixture>()

beforeAll(async () => {
  for (const scene of new Set(planted.map((plant) => plant.scene))) fixtures.set(scene, await record(scene))
})

const fixtureOf = (scene: Scene): Fixture => fixtures.get(scene) as Fixture

describe('a change of the agent is told at its step, with both values', () => {
  test.each(planted)('$what', async ({ scene, changed, step, recorded, now }) => {
    const error: unknown = await assertSameRun(cast(scene, changed), fixtureOf(scene)).catch((thrown: unknown) => thrown)
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
