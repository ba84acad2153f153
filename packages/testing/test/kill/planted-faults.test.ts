/** The judge of killed processes is judged: mistakes that are planted must be reported. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LifeOptions, live, type OutsideServer, type PlantedFault, plantedFaults, startOutside, type Verdict } from '../../src/kill/index.ts'

/** Where a mistake shows: calls, the moment to kill, and what the judge must say. */
type Case = Pick<LifeOptions, 'calls' | 'aim' | 'linger'> & { readonly verdict: Verdict }

const afterEffect = { bit: 'done', nth: 1, delay: 0 } as const
const cases: { readonly [F in Exclude<PlantedFault, 'unfenced'>]: Case } = {
  'acknowledges-early': { calls: ['put', 'send'], aim: afterEffect, verdict: 'lost' },
  'tells-early': { calls: ['put', 'send'], aim: { bit: 'append', nth: 3, delay: 0 }, verdict: 'lost' },
  alters: { calls: ['put', 'send'], aim: { bit: 'append', nth: 5 }, verdict: 'changed' },
  'loses-class': { calls: ['send', 'send'], aim: afterEffect, verdict: 'doubled' },
  'wrong-class': { calls: ['send', 'send'], aim: afterEffect, verdict: 'doubled' },
  'fresh-key': { calls: ['put', 'put'], aim: afterEffect, verdict: 'doubled' },
  'lying-check': { calls: ['book', 'book'], aim: afterEffect, verdict: 'doubled' },
  'acts-early': { calls: ['send', 'send'], aim: afterEffect, verdict: 'early' },
  'careless-human': { calls: ['send', 'send'], aim: afterEffect, verdict: 'doubled' },
  'credulous-human': { calls: ['send', 'send'], aim: { bit: 'asked', nth: 1, delay: 0 }, linger: { before: 200 }, verdict: 'forgotten' },
}
/** Lives in which a mistake may hide: when a signal arrives, the machine decides. */
const tries = 4

let outside: OutsideServer
let folder: string
beforeAll(async () => {
  outside = await startOutside()
  folder = await mkdtemp(join(tmpdir(), 'loom-faults-'))
})
afterAll(async () => {
  await outside.end()
  await rm(folder, { recursive: true })
})

async function verdictsOn(one: Omit<Case, 'verdict'>, faults: readonly PlantedFault[], seed: number): Promise<readonly Verdict[]> {
  const { findings, kills } = await live({ journal: 'sqlite', seed, outside, folder, kills: 2, linger: { after: 50 }, faults, ...one })
  expect(kills.length).toBeGreaterThan(0)
  return findings.map(({ verdict }) => verdict)
}

describe('a mistake that is planted is reported', () => {
  for (const [fault, { verdict, ...one }] of Object.entries(cases) as [keyof typeof cases, Case][]) {
    test(`${fault}: ${plantedFaults[fault]}`, async () => {
      const found: Verdict[] = []
      for (let seed = 1; seed <= tries && !found.includes(verdict); seed += 1) found.push(...(await verdictsOn(one, [fault], seed)))
      expect(found).toContain(verdict)
    })
  }

  test('and without one nothing is reported, killed at the same moments', async () => {
    for (const fault of ['acknowledges-early', 'tells-early', 'lying-check', 'credulous-human'] as const) {
      const { verdict: _, ...one } = cases[fault]
      expect(await verdictsOn(one, [], 100), fault).toEqual([])
    }
  })
})
