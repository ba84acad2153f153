/** A server that dies and a network that fails while agents run; `npm run crash` does the same more often. */
import { expect, test } from 'vitest'
import { killCampaign, killsIn, killTrial, startWorld, stormCampaign } from '../../src/kill/index.ts'
import { startPostgresServer } from '../../src/servers/postgres-server.ts'

const timeout = 120_000

test('processes that are killed on a journal in PostgreSQL leave nothing lost, no effect repeated and none missing', { timeout }, async () => {
  const report = await killCampaign({ journal: 'postgres', cycles: 12, seed: 1 })
  expect(report.findings).toEqual([])
  expect(report.cycles).toBeGreaterThanOrEqual(12)
  expect(killsIn(report, 'append')).toBeGreaterThan(0)
  expect(report.notified).toBeGreaterThan(100)
})

test('a server that is killed, replies that are lost and two first starts lose nothing and repeat no effect', { timeout }, async () => {
  const { version, storms } = await stormCampaign({ rounds: 1, seed: 3, only: ['kill', 'lost-reply', 'first-starts'] })
  expect(Number(version)).toBeGreaterThan(9)
  expect(storms.map(({ storm }) => storm)).toEqual(['kill', 'lost-reply', 'first-starts'])
  for (const report of storms) {
    const said = JSON.stringify(report)
    expect(report.findings, said).toEqual([])
    expect(report.struck, said).toBeGreaterThan(0)
    expect(report.notified, said).toBeGreaterThan(50)
    expect(report.effects, said).toBeGreaterThan(0)
  }
})

test('a process that recovers what another has only just started repeats nothing and loses nothing', { timeout }, async () => {
  const [world, server] = [await startWorld(), await startPostgresServer()]
  const site = { folder: '', url: server.url, world }
  const { findings, taken, effects } = await killTrial({ journal: 'postgres', ...site, seed: 10, kills: 0, together: 2, takesOver: true })
  expect(findings).toEqual([])
  expect(taken).toBeGreaterThan(0)
  expect(effects).toBeGreaterThan(taken)
  await world.end()
  await server.close()
})

test('a journal that acknowledges before it has stored is reported on PostgreSQL too', { timeout }, async () => {
  const [world, server] = [await startWorld(), await startPostgresServer({ fsync: false })]
  const site = { folder: '', url: server.url, world }
  const kinds = new Set<string>()
  for (let seed = 1; seed <= 6 && !kinds.has('lost'); seed += 1) {
    const moment = { bit: 'done', nth: 2 } as const
    const { findings } = await killTrial({ journal: 'postgres', ...site, seed, kills: 2, faults: ['acknowledges-early'], moment })
    for (const { kind } of findings) kinds.add(kind)
  }
  expect([...kinds]).toContain('lost')
  await world.end()
  await server.close()
})
