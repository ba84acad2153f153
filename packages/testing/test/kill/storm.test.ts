/** A server that dies and a network that fails while agents run; `npm run crash` does the same more often. */
import { expect, test } from 'vitest'
import { killCampaign, killsIn } from '../../src/kill/campaign.ts'
import { live } from '../../src/kill/life.ts'
import { startOutside } from '../../src/kill/outside.ts'
import { stormCampaign } from '../../src/kill/storm.ts'
import { startPostgresServer } from '../../src/postgres-server.ts'

const timeout = 120_000

test('processes that are killed on a journal in PostgreSQL leave nothing lost, nothing doubled and nothing forgotten', { timeout }, async () => {
  const report = await killCampaign({ journal: 'postgres', cycles: 12, seed: 1 })
  expect(report.findings).toEqual([])
  expect(report.cycles).toBeGreaterThanOrEqual(12)
  expect(killsIn(report, 'append')).toBeGreaterThan(0)
  expect(report.told).toBeGreaterThan(100)
})

test('a server that is killed, replies that are lost and two first starts take nothing and double nothing', { timeout }, async () => {
  const { version, storms } = await stormCampaign({ rounds: 1, seed: 3, only: ['kill', 'lost-reply', 'first-starts'] })
  expect(Number(version)).toBeGreaterThan(9)
  expect(storms.map(({ storm }) => storm)).toEqual(['kill', 'lost-reply', 'first-starts'])
  for (const { struck, told, deeds, findings } of storms) {
    expect(findings).toEqual([])
    expect(struck).toBeGreaterThan(0)
    expect(told).toBeGreaterThan(50)
    expect(deeds).toBeGreaterThan(0)
  }
})

test('a journal that acknowledges before it has stored is found out on PostgreSQL too', { timeout }, async () => {
  const [outside, server] = [await startOutside(), await startPostgresServer({ fsync: false })]
  const ground = { folder: '', url: server.url, outside }
  const verdicts = new Set<string>()
  for (let seed = 1; seed <= 6 && !verdicts.has('lost'); seed += 1) {
    const aim = { bit: 'done', nth: 2 } as const
    const { findings } = await live({ journal: 'postgres', ...ground, seed, kills: 2, faults: ['acknowledges-early'], aim })
    for (const { verdict } of findings) verdicts.add(verdict)
  }
  expect([...verdicts]).toContain('lost')
  await outside.end()
  await server.close()
})
