/** The judges are judged: every planted fault must be reported. */
import { crashText, enumerateCrashes, type Finding } from '@loom-agent/testing/crash'
import { describe, expect, test } from 'vitest'
import { simulate } from '../../src/simulate/simulate.ts'
import { type BrokenStorage, brokenForMatrix, brokenForSimulation, rash, scenarioNamed } from './broken-worlds.ts'

const revealing = [
  'serial calls that may happen once',
  'an approval',
  'a queue',
  'a steered message while it works',
  'a steered message at the last moment',
]

/** What the enumerator finds on a storage, scenario by scenario until it finds something of the expected kind. */
async function enumerated({ storage, kinds }: BrokenStorage): Promise<readonly Finding[]> {
  for (const name of revealing) {
    const { uninterrupted, outcomes } = await enumerateCrashes(scenarioNamed(name), { journal: storage, only: [14, 18] })
    const found = [...uninterrupted, ...outcomes.flatMap((outcome) => outcome.found)]
    if (found.some(({ kind }) => kinds.includes(kind))) return found
  }
  return []
}

async function simulated({ storage, kinds }: BrokenStorage): Promise<readonly Finding[]> {
  for (let seed = 1; seed <= 60; seed += 1) {
    const { found } = await simulate({ seed, journal: storage, exits: true })
    if (found.some(({ kind }) => kinds.includes(kind))) return found
  }
  return []
}

describe('the enumerator reports a journal that', () => {
  for (const broken of brokenForMatrix) {
    test(broken.name, async () => {
      expect((await enumerated(broken)).length).toBeGreaterThan(0)
    })
  }
})

describe('the simulation reports a journal that', () => {
  for (const broken of brokenForSimulation) {
    test(broken.name, async () => {
      expect((await simulated(broken)).length).toBeGreaterThan(0)
    })
  }
})

test('the enumerator reports a program that answers questions about calls in doubt by itself', async () => {
  expect(crashText(await enumerateCrashes(rash))).toMatch(/duplicate at t@\d+: pay\({}\) \(unsafe, key \w+\) was done 2 times/)
})
