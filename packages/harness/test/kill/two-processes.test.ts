/** One thread, several processes: one performs the call, and every question gets its own answer. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimRace, nestedAsks, startWorld, type WorldServer } from '../../src/kill/index.ts'

/** Many processes start here, one after another. */
const timeout = 120_000

let world: WorldServer
let folder: string
beforeAll(async () => {
  world = await startWorld()
  folder = await mkdtemp(join(tmpdir(), 'loom-claims-'))
})
afterAll(async () => {
  await world.end()
  await rm(folder, { recursive: true })
})

test('of 1,000 claimants in two processes exactly one performs the call, and all of them see it done', { timeout }, async () => {
  const rounds = 6
  const { wins, findings } = await claimRace({ name: 'race', world, folder, rounds, claimants: 1000 })
  expect(findings).toEqual([])
  expect(wins.reduce((sum, won) => sum + won, 0)).toBe(rounds)
})

test('three durable tools three agents down, each asking twice, get their own answers from six processes, and every step happens once', {
  timeout,
}, async () => {
  const trees = [await nestedAsks({ world, folder, seed: 1 }), await nestedAsks({ world, folder, seed: 2 })]
  expect(trees.flatMap(({ findings }) => findings)).toEqual([])
  expect(trees.map(({ processes, depth, order }) => [processes, depth, order.length])).toEqual([
    [7, 3, 6],
    [7, 3, 6],
  ])
  // Another seed, another order: otherwise the order would not have been left to chance.
  expect(trees[0]?.order).not.toEqual(trees[1]?.order)
})
