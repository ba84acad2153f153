import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertSameRun, writeRegression } from '@loom-agent/testing'
import { memoryStorage, type ProcessContext, runTrial } from '@loom-agent/testing/crash'
import { afterAll, expect, test } from 'vitest'
import { crashScenarios } from '../../src/matrix/scenarios/scenarios.ts'
import { scenarioNamed } from './broken-worlds.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-lost-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A process dies at every so many crash points. */
const stride = 15

/** Scenarios whose agent is the same in every process. */
const steady = crashScenarios.filter(({ name }) => !/^new |^a new |has changed|^an upgrade/.test(name))

/** Runs a scenario, with a crash or without, and replays what it left. */
async function replayed(scenario: (typeof steady)[number], crashes: readonly number[]): Promise<number> {
  const storage = memoryStorage()
  const { passed } = await runTrial(scenario, { storage, crashes })
  const journal = await storage.open()
  const where = { folder, name: 'trial', overwrite: true, agent: { module: './agent.ts', export: 'scripted' } }
  const { fixture } = await writeRegression(journal, 't', where)
  const context: ProcessContext = { journal, world: scenario.world(), process: 0, seen: async () => {}, mark: () => {} }
  await assertSameRun(scenario.agent(context), fixture, { given: { deps: {} } })
  return passed.length
}

test('a stop that came when a durable body had just been entered again comes there, wherever the process was lost', async () => {
  const scenario = scenarioNamed('a stop while a child waits')
  const crashPoints = await replayed(scenario, [])
  for (let crash = 1; crash <= crashPoints; crash += 1) await replayed(scenario, [crash])
})

test.each(steady)('a run that lost its process is the same: $name', async (scenario) => {
  const crashPoints = await replayed(scenario, [])
  expect(crashPoints).toBeGreaterThan(2)
  for (let crash = 3; crash <= crashPoints; crash += stride) await replayed(scenario, [crash])
})
