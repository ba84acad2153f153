/** Recorded tests keep what follows from times (RECORDED-14), and nothing of the times themselves (RECORDED-10). */
import { type AgentOptions, agent, approve, type DurableContext, memoryJournal, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { assertSameRun, manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { until } from '../../../../test/support/event-loop.ts'
import type { Fixture } from '../../src/regression/fixture.ts'
import { calls, fixtureOf, type Player } from './scenarios.ts'

type Clock = ReturnType<typeof manualClock>
type Body = (ctx: DurableContext, ms: number, clock: Clock) => Promise<unknown>

const deadline = (ctx: DurableContext, ms: number, clock: Clock): Promise<number> => ctx.step('until', () => clock.now() + ms, { effect: 'read' })

const bodies: Readonly<Record<string, Body>> = {
  'ctx.sleep': (ctx, ms) => ctx.sleep(ms),
  'ctx.waitFor': async (ctx, ms, clock) => (await ctx.waitFor('paid', { until: await deadline(ctx, ms, clock) })).status,
  'ctx.ask': async (ctx, ms) => (await ctx.ask('ok?', { expires: ms })).kind,
  'a race of a signal and a sleep': (ctx, ms) => Promise.race([ctx.waitFor('paid').then(() => 'paid'), ctx.sleep(ms).then(() => 'late')]),
}

const durations = [1, 3, 50, 100, 400, 900, 1001, 1100, 2200, 3300, 5400, 59_300, 61_300, 90_400, 3_600_100]

/** An agent with one tool, on a clock; `options` go beside it. */
function sleeper(journal: Journal, clock: Clock, options: AgentOptions): Player {
  return agent({
    name: 'player',
    model: scriptedModel([calls('wait'), 'Done.']),
    ports: { clock, development: false },
    ...options,
    journal,
  } as AgentOptions)
}

async function startOfDay(): Promise<Clock> {
  const clock = manualClock()
  await clock.advance(Date.parse('2026-11-01'))
  return clock
}

/** Lets a run live until a time is over, resumed where it waits for it. */
async function outlive(player: Player, clock: Clock, ms: number): Promise<string> {
  const run = player.start('Go.', { thread: 'thread' })
  await until(async () => (await player.journal.head('thread'))?.summary.status === 'waiting')
  await clock.advance(ms + 1)
  let result = await run.result()
  for (let again = 0; again < 3 && result.status === 'waiting'; again += 1) {
    const next = player.resume('thread').result()
    await clock.advance(ms + 1)
    result = await next
  }
  return result.status
}

/** Records what `live` does with the agent, and replays it with the same agent. */
async function recorded(options: (clock: Clock) => AgentOptions, live: (player: Player, clock: Clock) => Promise<unknown>): Promise<Fixture> {
  const clock = await startOfDay()
  const journal = memoryJournal()
  await live(sleeper(journal, clock, options(clock)), clock)
  const fixture = await fixtureOf(journal, sleeper(memoryJournal(), clock, options(clock)))
  await assertSameRun(sleeper(memoryJournal(), clock, options(clock)), fixture)
  return fixture
}

const waiting =
  (body: Body, ms: number) =>
  (clock: Clock): AgentOptions => ({ tools: { wait: tool({ durable: true, effect: 'read', run: (_, ctx) => body(ctx, ms, clock) }) } })

describe.each(Object.keys(bodies))('%s', (kind) => {
  const body = bodies[kind] as Body

  test.each(durations)('of %i ms that is over replays as it was', async (ms) => {
    await recorded(waiting(body, ms), async (player, clock) => expect(await outlive(player, clock, ms)).toBe('done'))
  })
})

describe.each(Object.keys(bodies).filter((kind) => kind !== 'ctx.sleep'))('%s', (kind) => {
  const body = bodies[kind] as Body

  test.each([
    [10_000, 9_400],
    [10_000, 9_700],
    [10_000, 9_999],
    [90_400, 90_300],
    [600_000, 599_800],
  ])('of %i ms that ends after %i replays as it was', async (ms, at) => {
    await recorded(waiting(body, ms), async (player, clock) => {
      const run = player.start('Go.', { thread: 'thread' })
      await until(async () => (await player.journal.head('thread'))?.summary.status === 'waiting')
      await clock.advance(at)
      if (kind === 'ctx.ask') {
        const [question] = (await run.result()).questions
        await run.answer(question?.id ?? '', approve())
      } else await run.signal('paid', 1)
      expect((await run.result()).text).toBe('Done.')
    })
  })
})

test.each(durations)('an approval that expires after %i ms replays as it was', async (ms) => {
  const options = (): AgentOptions => ({
    tools: { wait: tool({ run: () => 'ran' }) },
    permissions: { rules: [{ tool: 'wait', verdict: 'ask', expires: ms }] },
  })
  await recorded(options, (player, clock) => outlive(player, clock, ms))
})

test.each([
  [100, 80],
  [700, 400],
  [1300, 700],
  [60_000, 450],
])('a limit of %i ms that turns of %i ms reach replays as it was', async (time, took) => {
  const turns = Math.ceil(time / took) + 2
  const options = (clock: Clock): AgentOptions => ({
    model: scriptedModel([...Array.from({ length: turns }, (_, turn) => calls(['wait', { turn }])), 'Done.']),
    tools: { wait: tool({ effect: 'read', run: () => clock.advance(took).then(() => 'took a while') }) },
    limits: { time, turns: turns + 1 },
  })
  const fixture = await recorded(options, async (player) => expect((await player.run('Go.', { thread: 'thread' })).status).toBe('stopped'))
  expect(JSON.stringify(fixture)).toContain('"limit":"time"')
})

test.each(Object.keys(bodies))('the same run with %s lived twice gives the same fixture', async (kind) => {
  const fixtures = await Promise.all(
    [0, 7].map((late) =>
      recorded(waiting(bodies[kind] as Body, 2000), async (player, clock) => {
        const run = player.start('Go.', { thread: 'thread' })
        await until(async () => (await player.journal.head('thread'))?.summary.status === 'waiting')
        await clock.advance(late)
        await clock.advance(2001 + late)
        if ((await run.result()).status === 'waiting') await player.resume('thread').result()
      }),
    ),
  )
  expect(fixtures[1]).toEqual(fixtures[0])
})
