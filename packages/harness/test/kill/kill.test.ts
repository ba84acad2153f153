/** Real processes are killed while agents run; `npm run crash` does the same a thousand times. */
import { describe, expect, test } from 'vitest'
import { killCampaign, killsIn } from '../../src/kill/index.ts'

describe.each(['file', 'sqlite'] as const)('processes that are killed on the journal %s', (journal) => {
  test('leave nothing lost, no effect repeated and none missing', { timeout: 120_000 }, async () => {
    const report = await killCampaign({ journal, cycles: 30, seed: 1 })
    expect(report.findings).toEqual([])
    expect(report.cycles).toBeGreaterThanOrEqual(30)
    // Kills outside of appends and effects would prove nothing, and neither would runs without notifications and effects.
    expect(killsIn(report, 'append')).toBeGreaterThan(5)
    expect(killsIn(report, 'effect')).toBeGreaterThan(0)
    expect(report.notified).toBeGreaterThan(300)
    expect(report.effects).toBeGreaterThan(30)
  })
})
