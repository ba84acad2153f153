/** Law 2: wherever a process dies, the next one ends in the same transcript, or the same up to a question about a call in doubt. */
import { memoryJournal } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { assertCrashes, enumerateCrashes, memoryStorage, runTrial } from '@loom-agent/testing/crash'
import { describe, expect, test } from 'vitest'
import { crashMatrix } from '../../src/matrix/matrix.ts'
import { crashScenarios } from '../../src/matrix/scenarios/scenarios.ts'
import { scenarioNamed } from './broken-worlds.ts'

/** Of crash points that the next process cannot distinguish one is tried, unless all are asked for. */
const distinct = process.env['LOOM_CRASH_ALL'] === undefined
const pairs = Number(process.env['LOOM_CRASH_PAIRS'] ?? 2)

describe('a crash anywhere is harmless', () => {
  for (const scenario of crashScenarios) {
    test(`in ${scenario.name}`, async () => {
      const report = await enumerateCrashes(scenario, { distinct, pairs, seed: 7 })
      assertCrashes(report)
      expect(report.outcomes.length).toBeGreaterThan(pairs)
    })
  }

  test('at every single crash point, also at those that cannot be distinguished', async () => {
    const report = await enumerateCrashes(scenarioNamed('calls of all classes'))
    assertCrashes(report)
    expect(report.outcomes.map(({ crashes }) => crashes[0]?.number)).toEqual(Array.from({ length: report.crashPoints }, (_, index) => index + 1))
  })

  test('when the next process finds its work by itself', async () => {
    const found = ['serial calls that may happen once', 'a durable body that asks twice', 'a child that asks', 'a queue'].map(scenarioNamed)
    for (const scenario of found) assertCrashes(await enumerateCrashes(scenario, { recover: true, distinct, pairs }))
  })

  test('when one process after another dies, until a human is asked whether to continue', async () => {
    const crashes = [6, 4, 4, 4, 4, 4, 4]
    const trial = await runTrial(scenarioNamed('a plain answer'), { storage: memoryStorage(), crashes })
    expect(trial.crashes).toHaveLength(crashes.length)
    expect([...trial.asked.values()].map(({ kind }) => kind)).toEqual(['parked'])
    expect(trial.transcripts[0]?.endings).toEqual(['r1 finished null'])
    expect(trial.found).toEqual([])
  })
})

test('the matrix takes any journal, opens it for each process, and adds up the outcomes', async () => {
  const scenarios = ['a plain answer', 'an approval'].map(scenarioNamed)
  let opened = 0
  let abandoned = 0
  const handles = new Set<Journal>()
  const storage = () => {
    const shared = memoryJournal()
    const open = (): Journal => {
      const handle = { ...shared }
      opened += 1
      handles.add(handle)
      return handle
    }
    const abandon = (handle: Journal): void => {
      abandoned += 1
      handles.delete(handle)
    }
    return { open, abandon }
  }
  const progress: number[] = []
  const report = await crashMatrix(storage, { scenarios, distinct: true, onProgress: (done) => progress.push(done) })
  expect({ opened, left: handles.size, progress }).toEqual({ opened: abandoned, left: 0, progress: [1, 2] })
  expect(report).toMatchObject({ scenarios: 2, violations: [] })
  expect(report.crashPoints).toBeGreaterThan(report.crashes)
})
