import { planInput } from '@loom-agent/harness/crash'
import { type Frame, fold, type LoomEvent, readEvents } from '@loom-agent/kernel'
import { alwaysReenter, alwaysReplay, assertHistory, assertSameFrame, checkPairing, deepFreeze, frames } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runPlan } from './run-plan.ts'
import { createWorld, plans, type World } from './world.ts'

const runs = Number(process.env['LOOM_LAW_RUNS'] ?? 120)

async function threadsOf(world: World): Promise<ReadonlyMap<string, readonly LoomEvent[]>> {
  const threads = new Map<string, LoomEvent[]>()
  for (const { thread } of await world.journal.threads()) {
    const events: LoomEvent[] = []
    for await (const event of readEvents(world.journal, thread)) events.push(event)
    threads.set(thread, events)
  }
  return threads
}

/** Effects that may happen once, whichever process dies when. */
const onceOnly = (key: string): boolean => /^(unsafe|ask|reconcilable|durable .*:(first|second):)/.test(key)

function checkEffects(world: World): void {
  for (const [key, count] of world.effects) if (onceOnly(key)) expect({ key, count }).toEqual({ key, count: 1 })
}

const terminal = new Set(['run.finished', 'run.failed', 'run.stopped'])

describe('over random worlds', () => {
  test('every run ends, effects happen as often as their class promises, and the journal keeps every rule of histories', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const world = createWorld(plan)
        const { result } = await runPlan(world)
        expect(['done', 'stopped']).toContain(result.status)
        checkEffects(world)
        for (const [, events] of await threadsOf(world)) {
          assertHistory(events)
          expect(events.filter(({ type }) => terminal.has(type)).length).toBeLessThanOrEqual(1)
        }
        for (const { requests } of world.models) for (const { prompt } of requests) expect(checkPairing(prompt)).toEqual([])
      }),
      { numRuns: runs },
    )
  })

  test('the fold of the journal is the live frame, at every seq (law 1), and folding twice gives the same (law 3)', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const world = createWorld(plan)
        await runPlan(world, { ports: alwaysReplay(world.journal) })
        for (const [thread, events] of await threadsOf(world)) {
          let last: Frame | undefined
          for (const frame of frames(thread, events.map(deepFreeze))) last = deepFreeze(frame)
          assertSameFrame(last as Frame, fold(thread, events))
        }
      }),
      { numRuns: runs },
    )
  })

  test('deaths change nothing in what the model is sent, except for calls whose outcome a human had to report (law 2)', async () => {
    const steady = plans.map((plan) => ({ ...plan, stopAt: undefined, steerAt: undefined, answers: ['approve'] as const }))
    await fc.assert(
      fc.asyncProperty(steady, async (plan) => {
        const calm = createWorld(plan)
        await runPlan(calm, { withoutDeaths: true })
        const stormy = createWorld(plan)
        await runPlan(stormy)
        // A child's prompt may be as long as the root's: only those of the root are compared.
        const isOfRoot = ([first]: readonly unknown[]): boolean => JSON.stringify(first).includes(JSON.stringify(planInput(plan)))
        const longestPrompt = ({ models }: World) => {
          const prompts = models.flatMap((model) => model.requests.map(({ prompt }) => prompt)).filter(isOfRoot)
          return JSON.stringify(prompts.reduce((a, b) => (b.length > a.length ? b : a), []))
        }
        const expected = longestPrompt(calm)
        const actual = longestPrompt(stormy)
        expect(expected).not.toBe('[]')
        if (actual.includes('reported by a human') || [...stormy.asked.values()].some(({ answer }) => answer.kind === 'respond')) return
        expect(actual).toBe(expected)
      }),
      { numRuns: runs },
    )
  })

  test('durable bodies entered again after every step end alike', async () => {
    const durable = plans.map((plan) => ({
      ...plan,
      turns: [
        [
          { kind: 'durable' as const, ticks: 1 },
          { kind: 'durable' as const, ticks: 0 },
        ],
      ],
      stopAt: undefined,
    }))
    await fc.assert(
      fc.asyncProperty(durable, async (plan) => {
        const world = createWorld(plan)
        const { result } = await runPlan(world, { ports: alwaysReenter() })
        expect(result.status).toBe('done')
        checkEffects(world)
      }),
      { numRuns: Math.ceil(runs / 4) },
    )
  })
})
