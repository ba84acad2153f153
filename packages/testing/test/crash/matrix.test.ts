/** Law 2: whoever dies where, the next process ends in the same transcript, or the same up to a question about a call in doubt. */
import { type Journal, memoryJournal } from '@loom-agent/kernel'
import { describe, expect, test } from 'vitest'
import { assertCrashes, enumerateCrashes } from '../../src/crash/enumerate.ts'
import { live } from '../../src/crash/life.ts'
import { crashMatrix, matrixText } from '../../src/crash/matrix.ts'
import { crashScenarios } from '../../src/crash/scenarios/scenarios.ts'
import { memoryStorage } from '../../src/crash/storage.ts'
import { scenarioNamed } from './broken-worlds.ts'

/** Every boundary takes its time; those that nobody could tell apart are lived once, unless somebody asks for all. */
const distinct = process.env['LOOM_CRASH_ALL'] === undefined
const pairs = Number(process.env['LOOM_CRASH_PAIRS'] ?? 2)

describe('a crash anywhere is harmless', () => {
  for (const scenario of crashScenarios) {
    test(`in ${scenario.name}`, async () => {
      const report = await enumerateCrashes(scenario, { distinct, pairs, seed: 7 })
      assertCrashes(report)
      expect(report.points.length).toBeGreaterThan(pairs)
    })
  }

  test('at every single boundary, also at those that nobody could tell apart', async () => {
    const report = await enumerateCrashes(scenarioNamed('calls of all classes'))
    assertCrashes(report)
    expect(report.points.map(({ deaths }) => deaths[0]?.number)).toEqual(Array.from({ length: report.boundaries }, (_, index) => index + 1))
  })

  test('when the next process finds its work by itself', async () => {
    const found = ['serial calls that may happen once', 'a durable body that asks twice', 'a child that asks', 'a queue'].map(scenarioNamed)
    for (const scenario of found) assertCrashes(await enumerateCrashes(scenario, { recover: true, distinct, pairs }))
  })

  test('when one process after another dies, until people are asked whether to go on', async () => {
    const deaths = [6, 4, 4, 4, 4, 4, 4]
    const story = await live(scenarioNamed('a plain answer'), { storage: memoryStorage(), deaths })
    expect(story.deaths).toHaveLength(deaths.length)
    expect([...story.asked.values()].map(({ kind }) => kind)).toEqual(['parked'])
    expect(story.transcripts[0]?.endings).toEqual(['r1 finished null'])
    expect(story.found).toEqual([])
  })
})

test('the matrix takes any journal, opens it for each process anew, and prints a table', async () => {
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
  const reports = await crashMatrix(storage, { scenarios, distinct: true })
  expect({ opened, left: handles.size }).toEqual({ opened: abandoned, left: 0 })
  const lines = matrixText(reports).split('\n')
  expect(lines.map((line) => line.split(/\s{2,}/)[0])).toEqual(['scenario', 'a plain answer', 'an approval', '2 scenarios'])
  expect(lines.at(-1)).toMatch(/ 0$/)
})
