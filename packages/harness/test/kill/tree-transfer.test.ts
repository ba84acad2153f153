/** Random trees that are exported, removed, imported, adopted and resumed; `npm run crash -- --only trees` moves 200 on each journal. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type TreeFault, treeFaults, treeTransfer, type WorldServer } from '../../src/kill/index.ts'
import { startPostgresServer } from '../../src/servers/postgres-server.ts'

const timeout = 120_000

let world: WorldServer
let folder: string
beforeAll(async () => {
  world = await startWorld()
  folder = await mkdtemp(join(tmpdir(), 'loom-trees-'))
})
afterAll(async () => {
  await world.end()
  await rm(folder, { recursive: true })
})

test.each(['file', 'sqlite', 'postgres'] as const)(
  'on %s no effect of a tree is doubled by its move, and none is forgotten',
  { timeout },
  async (kind) => {
    const server = kind === 'postgres' ? await startPostgresServer() : undefined
    const report = await treeTransfer({ kind, trees: 12, seed: 4, world, folder, ...(server && { url: server.url }) })
    await server?.close()
    expect(report.findings).toEqual([])
    expect(report.trees).toBe(12)
    for (const figure of ['open', 'forks', 'crashed', 'adopted', 'blobs', 'effects'] as const) expect(report[figure], figure).toBeGreaterThan(0)
  },
)

describe('the judge of moves reports', () => {
  for (const [fault, what] of Object.entries(treeFaults) as [TreeFault, string][]) {
    test(what, { timeout }, async () => {
      const { findings } = await treeTransfer({ kind: 'sqlite', trees: 8, seed: 4, world, folder: join(folder, fault), fault })
      expect(findings.map(({ kind }) => kind)).toEqual(expect.arrayContaining([fault === 'forgets-effects' ? 'missing' : 'duplicate']))
    })
  }
})
