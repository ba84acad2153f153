/** A start happens once (START-1), whichever processes make it and whenever they are killed. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRace, startWorld, type WorldServer } from '../../src/kill/index.ts'

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

test.each(['sqlite', 'file'] as const)('two processes make 50 starts under kills on %s: one run each, no input doubled or lost', async (kind) => {
  const report = await startRace({ name: `starts-${kind}`, kind, world, folder, starts: 50, kills: 12, seed: 3 })
  expect(report.findings).toEqual([])
  expect(report).toMatchObject({ kills: 12, runs: 50 })
  expect(report.repeats).toBeGreaterThan(50)
})
