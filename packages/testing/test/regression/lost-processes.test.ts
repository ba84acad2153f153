import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertSameRun, writeRegression } from '@loom-agent/testing'
import { afterAll, expect, test } from 'vitest'
import { live } from '../../src/crash/life.ts'
import type { Scene } from '../../src/crash/scenario.ts'
import { crashScenarios } from '../../src/crash/scenarios/scenarios.ts'
import { memoryStorage } from '../../src/crash/storage.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-lost-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Every so many boundaries a process dies. */
const stride = 15

/** Scenarios whose agent is the same in every process. */
const steady = crashScenarios.filter(({ name }) => !/^new |^a new |has changed|^an upgrade/.test(name))

/** Lives a scenario, with a death or without, and replays what it left. */
async function replayed(scenario: (typeof steady)[number], deaths: readonly number[]): Promise<number> {
  const storage = memoryStorage()
  const { passed } = await live(scenario, { storage, deaths })
  const journal = await storage.open()
  const where = { folder, name: 'life', overwrite: true, agent: { module: './agent.ts', export: 'player' } }
  const { fixture } = await writeRegression(journal, 't', where)
  const scene: Scene = { journal, outside: scenario.outside(), process: 0, seen: async () => {}, say: () => {} }
  await assertSameRun(scenario.agent(scene), fixture, { given: { deps: {} } })
  return passed.length
}

test.each(steady)('a run that lost its process is the same: $name', async (scenario) => {
  const boundaries = await replayed(scenario, [])
  expect(boundaries).toBeGreaterThan(2)
  for (let death = 3; death <= boundaries; death += stride) await replayed(scenario, [death])
})
