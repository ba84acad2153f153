/** The feed shows every commit once to every cursor (JOURNAL-15), under kills; `npm run crash -- --only feed` does it with 20,000 appends. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { feedRace } from '../../src/kill/index.ts'
import { type FeedAttempt, judgeFeed, type SeenEntry } from '../../src/kill/judge-feed.ts'
import { type PostgresServer, startPostgresServer } from '../../src/servers/postgres-server.ts'
import { type SourceFault, sourceFaults } from '../../src/source-faults/source-fault.ts'

const timeout = 120_000

let folder: string
let server: PostgresServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loom-feeds-'))
  server = await startPostgresServer()
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const few = { writers: 3, appends: 150, kills: 3, departures: 2, seed: 11 } as const

test('writers that are killed and readers that leave and return: every commit is seen once, in order, on sqlite', { timeout }, async () => {
  const report = await feedRace({ name: 'feed', kind: 'sqlite', folder, ...few })
  expect(report.findings).toEqual([])
  expect(report.appends).toBeGreaterThanOrEqual(150)
  expect(report).toMatchObject({ kills: 3, readers: 3 })
  expect(report.returns).toBeGreaterThanOrEqual(3)
})

test('and on postgres, whose server is killed too, and whose commits become visible late', { timeout }, async () => {
  const report = await feedRace({ name: 'feed', kind: 'postgres', folder, url: server.url, server, serverKills: 1, ...few })
  expect(report.findings).toEqual([])
  expect(report.appends).toBeGreaterThanOrEqual(150)
  expect(report.serverKills).toBe(1)
})

describe('a fault in the sources of the feed is reported', () => {
  const faults = ['sqlite-feed-skips', 'sqlite-feed-repeats', 'sqlite-feed-disorders', 'postgres-feed-repeats'] as const satisfies SourceFault[]
  for (const fault of faults) {
    test(`${fault}: ${sourceFaults[fault].what}`, { timeout }, async () => {
      const kind = fault.startsWith('sqlite') ? ('sqlite' as const) : ('postgres' as const)
      const site = { folder, url: server.url }
      const { findings } = await feedRace({ name: fault, kind, ...site, writers: 2, appends: 60, kills: 0, departures: 1, seed: 5, fault })
      expect(findings.map((finding) => finding.kind)).toContain('feed')
    })
  }

  test(`postgres-feed-is-late: ${sourceFaults['postgres-feed-is-late'].what}`, { timeout }, async () => {
    let found = 0
    for (let seed = 1; seed <= 4 && found === 0; seed += 1) {
      const race = { writers: 4, appends: 240, kills: 0, departures: 0, seed, fault: 'postgres-feed-is-late' } as const
      found = (await feedRace({ name: `late-${seed}`, kind: 'postgres', folder, url: server.url, ...race })).findings.filter(
        ({ kind }) => kind === 'feed',
      ).length
    }
    expect(found).toBeGreaterThan(0)
  })
})

describe('the judge of the feed', () => {
  const commit = (thread: string, seq: number, more: Partial<FeedAttempt> = {}): FeedAttempt => ({
    kind: 'changed',
    thread,
    incarnation: 'life',
    seq,
    outcome: 'acknowledged',
    ...more,
  })
  const attempts = [commit('a', 1), commit('b', 1), commit('a', 2), commit('c', 1), commit('c', 1, { kind: 'removed' })]
  const seen: readonly SeenEntry[] = attempts.map(({ kind, thread, incarnation, seq }, index) => ({
    kind,
    thread,
    incarnation,
    seq,
    position: String(index),
  }))
  const judged = (...entries: (readonly SeenEntry[])[]) =>
    judgeFeed(
      attempts,
      entries.map((own, index) => ({ reader: `reader ${index}`, entries: own })),
    ).map(({ message }) => message)
  const [a1, b1, a2, c1, removal] = seen as [SeenEntry, SeenEntry, SeenEntry, SeenEntry, SeenEntry]

  test('finds nothing where every commit is seen once, and those of a removed thread before its removal or never', () => {
    expect(judged(seen, [a1, b1, a2, removal])).toEqual([])
  })

  test.each([
    ['a commit that is missing', [a1, a2, removal], 'never saw it'],
    ['a commit that comes twice', [...seen, b1], 'saw it twice'],
    ['commits of a thread in the wrong order', [a2, b1, a1, removal], 'saw it after @2'],
    ['a removal that is missing', [a1, b1, a2], 'never saw it'],
    ['a commit after the removal of its thread', [a1, b1, a2, removal, c1], 'saw it after the removal'],
    ['a commit that nobody has made', [...seen, { ...a2, seq: 3 }], 'no writer has appended it'],
  ])('finds %s', (_what, entries, message) => {
    expect(judged(entries).join()).toContain(message)
  })

  test('finds two cursors that saw another order', () => {
    expect(judged(seen, [b1, a1, a2, removal]).join()).toContain('saw it next')
  })
})
