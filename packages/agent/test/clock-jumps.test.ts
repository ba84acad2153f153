/** Sleeps and expiries survive changes of the wall clock (CLOCK-1, CLOCK-2). */
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { createSystemClock } from '../src/platform/system-clock.ts'

const hour = 3_600_000

/** An agent whose tool sleeps for a moment, and a wall clock that can be set. */
function sleeper() {
  let offset = 0
  const clock = createSystemClock({ wall: () => Date.now() + offset })
  const asleep = Promise.withResolvers<void>()
  const nap = tool({
    name: 'nap',
    durable: true,
    effect: 'pure',
    async run(_, ctx) {
      await ctx.step('lie down', () => asleep.resolve())
      await ctx.sleep(200)
      return 'rested'
    },
  })
  const model = scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'awake' : { calls: [{ tool: 'nap' }] }))
  const journal = memoryJournal()
  const ports = { clock, development: false }
  return { worker: agent({ model, tools: [nap], journal, ports }), journal, asleep: asleep.promise, jump: (ms: number) => (offset += ms) }
}

describe('a wall clock that jumps while a body sleeps', () => {
  test.each([
    ['back by an hour', -hour],
    ['forward by an hour', hour],
  ])('%s: the sleep ends all the same', async (_, ms) => {
    const { worker, asleep, jump } = sleeper()
    const run = worker.start('rest')
    await asleep
    jump(ms)
    expect((await run.result()).status).toBe('done')
  })

  test('back by an hour, though the driver is woken before the sleep is over: the sleep is not begun anew', async () => {
    const { worker, journal, asleep, jump } = sleeper()
    const run = worker.start('rest', { thread: 't' })
    await asleep
    jump(-hour)
    run.steer('hurry')
    expect((await run.result()).status).toBe('done')
    const events = await journal.read('t')
    const [first, last] = [events[0]?.time ?? 0, events.at(-1)?.time ?? 0]
    expect(last).toBeGreaterThanOrEqual(first)
  })
})
