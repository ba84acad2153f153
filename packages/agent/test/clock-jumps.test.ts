/** Sleeps, expiries, time-outs and measured durations survive changes of the wall clock (CLOCK-1, CLOCK-2, CLOCK-3). */
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test, vi } from 'vitest'
import { createDeadlines } from '../src/call/deadlines.ts'
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

describe.each([
  ['back by 30 hours', -30 * hour],
  ['forward by 30 hours', 30 * hour],
])('a wall clock that jumps %s while work is done', (_, ms) => {
  /** A wall clock and a monotonic clock that are set by hand. The platform's timers run beside them. */
  function world() {
    const times = { wall: 1_800_000_000_000, monotonic: 5000 }
    const clock = createSystemClock({ wall: () => times.wall, monotonic: () => times.monotonic })
    const pass = (time: number): void => {
      times.wall += time
      times.monotonic += time
    }
    return { clock, pass, jump: () => (times.wall += ms) }
  }

  test('does not change how long a rule, a call and a reply took (CLOCK-3)', async () => {
    const { clock, pass, jump } = world()
    const take = async (time: number): Promise<void> => {
      jump()
      pass(time)
    }
    const work = tool({
      name: 'work',
      effect: 'read',
      permission: () => take(20).then(() => 'allow' as const),
      run: () => take(100).then(() => 'done'),
    })
    const model = scriptedModel(({ prompt }) => {
      jump()
      pass(70)
      return prompt.at(-1)?.role === 'tool' ? 'ok' : { calls: [{ tool: 'work' }] }
    })
    const journal = memoryJournal()
    await agent({ model, tools: [work], journal, limits: { time: Number.MAX_SAFE_INTEGER }, ports: { clock } }).run('go', { thread: 't' })
    const durations = (await journal.read('t')).flatMap(({ type, data }): object[] => {
      if (type === 'tool.finished') return [{ ms: data.ms, stages: data.stages }]
      return type === 'model.replied' ? [{ ms: data.ms }] : []
    })
    expect(durations).toEqual([{ ms: 70 }, { ms: 100, stages: { authorize: 20, execute: 100 } }, { ms: 70 }])
  })

  test('ends no call before its time because another one has timed out (CLOCK-3)', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { clock, pass, jump } = world()
      const deadlines = createDeadlines(clock)
      const met: string[] = []
      deadlines.add(10, () => met.push('short'))
      deadlines.add(60_000, () => met.push('long'))
      jump()
      pass(10)
      vi.advanceTimersByTime(10)
      expect(met).toEqual(['short'])
      pass(59_990)
      vi.advanceTimersByTime(59_990)
      expect(met).toEqual(['short', 'long'])
    } finally {
      vi.useRealTimers()
    }
  })
})
