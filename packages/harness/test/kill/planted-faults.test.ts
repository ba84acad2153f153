/** The judge of killed processes is judged: every planted fault must be reported. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FindingKind } from '@loom-agent/testing/crash'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type KillTrialOptions, killTrial, type PlantedFault, plantedFaults, startWorld, type WorldServer } from '../../src/kill/index.ts'

/** Where a fault shows: calls, the moment to kill, and the finding that the judge must report. */
type Case = Pick<KillTrialOptions, 'calls' | 'moment' | 'delays'> & { readonly kind: FindingKind }

const afterEffect = { bit: 'done', nth: 1, delay: 0 } as const
const cases: { readonly [F in Exclude<PlantedFault, 'unfenced' | 'starts-again' | 'forgets-starts' | 'swaps-inputs'>]: Case } = {
  'acknowledges-early': { calls: ['idempotent', 'unsafe'], moment: afterEffect, kind: 'lost' },
  // The append of the result takes a second, in which the process is killed: the client has the result by then.
  'notifies-early': { calls: ['idempotent', 'unsafe'], moment: { bit: 'done', nth: 1, delay: 300_000 }, delays: { append: 1000 }, kind: 'lost' },
  alters: { calls: ['idempotent', 'unsafe'], moment: { bit: 'append', nth: 5 }, kind: 'changed' },
  'loses-class': { calls: ['unsafe', 'unsafe'], moment: afterEffect, kind: 'duplicate' },
  'wrong-class': { calls: ['unsafe', 'unsafe'], moment: afterEffect, kind: 'duplicate' },
  'fresh-key': { calls: ['idempotent', 'idempotent'], moment: afterEffect, kind: 'duplicate' },
  'lying-check': { calls: ['reconcilable', 'reconcilable'], moment: afterEffect, kind: 'duplicate' },
  'acts-early': { calls: ['unsafe', 'unsafe'], moment: afterEffect, kind: 'early' },
  'careless-human': { calls: ['unsafe', 'unsafe'], moment: afterEffect, kind: 'duplicate' },
  'credulous-human': { calls: ['unsafe', 'unsafe'], moment: { bit: 'asked', nth: 1, delay: 0 }, delays: { before: 200 }, kind: 'missing' },
}
/** Trials in which a fault may hide: the machine decides when a signal arrives. */
const tries = 4

let world: WorldServer
let folder: string
beforeAll(async () => {
  world = await startWorld()
  folder = await mkdtemp(join(tmpdir(), 'loom-faults-'))
})
afterAll(async () => {
  await world.end()
  await rm(folder, { recursive: true })
})

async function findingsOf(one: Omit<Case, 'kind'>, faults: readonly PlantedFault[], seed: number): Promise<readonly FindingKind[]> {
  const { findings, kills } = await killTrial({ journal: 'sqlite', seed, world, folder, kills: 2, delays: { after: 250 }, faults, ...one })
  expect(kills.length).toBeGreaterThan(0)
  return findings.map(({ kind }) => kind)
}

describe('a planted fault is reported', { timeout: 120_000 }, () => {
  for (const [fault, { kind, ...one }] of Object.entries(cases) as [keyof typeof cases, Case][]) {
    test(`${fault}: ${plantedFaults[fault]}`, async () => {
      const found: FindingKind[] = []
      for (let seed = 1; seed <= tries && !found.includes(kind); seed += 1) found.push(...(await findingsOf(one, [fault], seed)))
      expect(found).toContain(kind)
    })
  }

  test('and without one nothing is reported, killed at the same moments', async () => {
    for (const fault of ['acknowledges-early', 'notifies-early', 'lying-check', 'credulous-human'] as const) {
      const { kind: _, ...one } = cases[fault]
      expect(await findingsOf(one, [], 100), fault).toEqual([])
    }
  })
})
