/**
 * The plan of a fork equals what happens (PLAN-1): all forks of a thread, with every edit, under every policy.
 *
 * `LOOM_FORKS=all` makes all of them; without it every 41st is made.
 */
import type { LoomEvent } from '@loom-agent/kernel'
import { beforeAll, expect, test } from 'vitest'
import { allCases, editAt, judge, type Lived, live } from './fork-law.ts'
import { createForkWorld, liveParent } from './fork-world.ts'
import { eventsOf } from './journals.ts'

const every = process.env['LOOM_FORKS'] === 'all' ? 1 : 41
const world = createForkWorld()
let events: readonly LoomEvent[] = []
const lives: Lived[] = []

beforeAll(async () => {
  await liveParent(world)
  events = await eventsOf(world.clerk, 't')
})

test('the plan of every fork is what happens', { timeout: 600_000 }, async () => {
  expect(events.length).toBeGreaterThan(100)
  const bytes = JSON.stringify(events)
  const found: string[] = []
  for (const one of allCases(events.length).filter((_, index) => index % every === 0)) {
    const edit = editAt(world, events, one)
    if (edit === undefined) continue
    const lived = await live(world, events, one, edit).catch((error: unknown) => String(error))
    if (typeof lived === 'string') {
      found.push(`${JSON.stringify(one)}: ${lived}`)
      continue
    }
    lives.push(lived)
    for (const fault of judge(lived)) found.push(`${lived.thread}: ${fault}`)
  }
  expect(found).toEqual([])
  expect(lives.length).toBeGreaterThan(allCases(events.length).length / every / 2)
  expect(JSON.stringify(await eventsOf(world.clerk, 't'))).toBe(bytes)
})
