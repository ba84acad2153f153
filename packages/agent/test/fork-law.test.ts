/**
 * The plan of a fork equals what happens (PLAN-1): all forks of a thread, with every edit, under every policy.
 *
 * `LOOM_FORKS=all` makes all of them; without it every 41st is made.
 */
import type { ForkPlan, PlannedCall } from '@loom-agent/agent'
import type { LoomEvent } from '@loom-agent/kernel'
import { beforeAll, describe, expect, test } from 'vitest'
import { allCases, editAt, isExact, judge, type Lived, live } from './fork-law.ts'
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

type Fault = (lived: Lived) => Partial<ForkPlan> | undefined
type Fate = PlannedCall['fate']

/** A fate that no call with another one may have. */
const confused =
  (from: Fate, to: Fate): Fault =>
  ({ plan: { calls } }) => {
    const index = calls.findIndex(({ fate }) => fate === from)
    return index === -1 ? undefined : { calls: calls.map((call, other) => (other === index ? { ...call, fate: to } : call)) }
  }

/** Another number in the estimate, where the fork repeats what its parent did. */
const estimated =
  (change: (estimate: ForkPlan['estimate']) => Partial<ForkPlan['estimate']>): Fault =>
  (lived) =>
    isExact(lived) ? { estimate: { ...lived.plan.estimate, ...change(lived.plan.estimate) } } : undefined

const faults: { readonly [name: string]: Fault } = {
  'a call is left out': ({ plan: { calls } }) => (calls.length > 0 ? { calls: calls.slice(1) } : undefined),
  'a call is planned twice': ({ plan: { calls } }) => (calls.length > 0 ? { calls: [...calls, ...calls.slice(0, 1)] } : undefined),
  'a call of a later run is planned': ({ plan: { calls } }) => ({ calls: [...calls, { call: '99.0', tool: 'pay', effect: 'unsafe', fate: 'runs' }] }),
  'a call that runs is asked about': confused('runs', 'asked'),
  'a call that is asked about runs': confused('asked', 'runs'),
  'a call that has a record runs': confused('recorded', 'runs'),
  'a call that has a record is asked about': confused('recorded', 'asked'),
  'a call that is left out runs': confused('stubbed', 'runs'),
  'a call that a policy denies is asked about': confused('denied', 'asked'),
  'a call that a policy denies runs': confused('denied', 'runs'),
  'a call of an unknown tool runs': confused('refused', 'runs'),
  'a call that a hook skips runs': confused('skipped', 'runs'),
  'a call has another class': ({ plan: { calls } }) =>
    calls.length > 0 ? { calls: calls.map((call) => ({ ...call, effect: call.effect === 'pure' ? 'read' : 'pure' })) } : undefined,
  'no call is unsafe': ({ plan: { unsafe } }) => (unsafe.length > 0 ? { unsafe: [] } : undefined),
  'every call is unsafe': ({ plan: { calls, unsafe } }) => (calls.length > unsafe.length ? { unsafe: calls } : undefined),
  'an open call is forgotten': ({ open }) => (open.length > 0 ? { reopened: [] } : undefined),
  'a settled call is opened again': ({ plan: { reopened } }) => ({ reopened: [...reopened, '99.0'] }),
  'one more event is reused': ({ plan: { reused } }) => ({ reused: { ...reused, events: reused.events + 1 } }),
  'it is cut elsewhere': () => ({ from: 't@999' }),
  'a turn too many is estimated': estimated(({ turns }) => ({ turns: turns + 1 })),
  'no token is estimated': estimated(() => ({ tokens: 0 })),
  'the cost of what is not known is nothing': estimated(() => ({ cost: 0 })),
}

describe('a plan is found to be wrong where', () => {
  test.each(Object.entries(faults))('%s', (_, fault) => {
    const spoiled = lives.flatMap((lived) => {
      const changed = fault(lived)
      return changed ? [{ ...lived, plan: { ...lived.plan, ...changed } }] : []
    })
    expect(spoiled.length).toBeGreaterThan(0)
    expect(spoiled.filter((one) => judge(one).length === 0).map(({ thread }) => thread)).toEqual([])
  })
})
