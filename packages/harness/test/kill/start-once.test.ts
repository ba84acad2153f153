/** A start happens once (START-1), whichever processes make it and whenever they are killed; `npm run crash -- --only starts` makes a thousand. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FindingKind } from '@loom-agent/testing/crash'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PlantedFault, plantedFaults, startRace, startWorld, type WorldServer } from '../../src/kill/index.ts'

let world: WorldServer
let folder: string
beforeAll(async () => {
  world = await startWorld()
  folder = await mkdtemp(join(tmpdir(), 'loom-starts-'))
})
afterAll(async () => {
  await world.end()
  await rm(folder, { recursive: true })
})

const timeout = 120_000

test.each(['sqlite', 'file'] as const)(
  'two processes make 50 starts under kills on %s: one run each, no input doubled or lost',
  { timeout },
  async (kind) => {
    const report = await startRace({ name: `starts-${kind}`, kind, world, folder, starts: 50, kills: 12, seed: 3 })
    expect(report.findings).toEqual([])
    expect(report).toMatchObject({ kills: 12, runs: 50 })
    expect(report.repeats).toBeGreaterThan(50)
  },
)

const faults: { readonly [F in PlantedFault]?: readonly FindingKind[] } = {
  'starts-again': ['duplicate', 'transcript'],
  'forgets-starts': ['missing', 'transcript'],
  'swaps-inputs': ['transcript'],
}

describe('the judge of starts reports', () => {
  for (const [fault, kinds] of Object.entries(faults) as [PlantedFault, readonly FindingKind[]][]) {
    test(plantedFaults[fault], async () => {
      const { findings } = await startRace({ name: fault, kind: 'sqlite', world, folder, starts: 10, kills: 0, seed: 3, faults: [fault] })
      expect(findings.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...kinds]))
    })
  }
})
