/** The laws where runs fail in the middle, with calls that are open, asked about or in doubt. */
import { planInput } from '@loom-agent/harness/crash'
import type { ToolStart } from '@loom-agent/kernel'
import { assertHistory, checkPairing } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventsOf } from '../support/threads.ts'
import { inTime, runToFailure, settle } from './run-plan.ts'
import { createProcess, createWorld, plans } from './world.ts'

const runs = Math.ceil(Number(process.env['LOOM_LAW_RUNS'] ?? 120) / 4)

/** Runs that are not stopped, and of which at least one process dies. */
const failing = plans
  .filter(({ turns, deaths }) => turns.length > 0 && deaths.length > 0)
  .map((plan) => ({ ...plan, stopAt: undefined, steerAt: undefined }))

describe('over random worlds in which a run fails', () => {
  test('a fork of every moment ends once what it asks is answered, and is never left waiting for nothing (EVOLVE-1)', async () => {
    await fc.assert(
      fc.asyncProperty(failing, fc.constantFrom('live' as const, 'ask' as const), async (plan, effects) => {
        const world = createWorld(plan)
        await inTime(runToFailure(world))
        const events = await eventsOf(world.journal, 't')
        const first = events.find(({ type }) => type === 'run.started')?.seq ?? 1
        const { agent } = createProcess(world)
        for (let seq = first; seq <= events.length; seq += 1) {
          const fork = await agent.fork(`t@${seq}`, { thread: `f${seq}`, limits: {}, effects })
          const result = await inTime(settle(world, agent, fork.resume()))
          expect({ seq, status: result.status }).toEqual({ seq, status: 'done' })
          assertHistory(await eventsOf(world.journal, `f${seq}`))
        }
      }),
      { numRuns: runs },
    )
  })

  test('the next run starts with a result for every call, and no call that may have happened is said not to have (DECIDE-6)', async () => {
    await fc.assert(
      fc.asyncProperty(failing, async (plan) => {
        const world = createWorld(plan)
        await inTime(runToFailure(world))
        const { agent } = createProcess(world)
        await inTime(settle(world, agent, agent.start(planInput(plan), { thread: 't' })))
        const events = await eventsOf(world.journal, 't')
        assertHistory(events)
        for (const { requests } of world.models) for (const { prompt } of requests) expect(checkPairing(prompt)).toEqual([])
        // The steps of a durable call say what may have happened.
        const isUnsafe = ({ effect, durable }: ToolStart): boolean => effect === 'unsafe' && !durable
        const began = new Set(events.flatMap((event) => (event.type === 'tool.started' && isUnsafe(event.data) ? [event.data.call] : [])))
        const cancelled = events.flatMap((event) => (event.type === 'tool.finished' && event.data.errorType === 'cancelled' ? [event.data.call] : []))
        expect(cancelled.filter((call) => began.has(call))).toEqual([])
      }),
      { numRuns: runs },
    )
  })
})
