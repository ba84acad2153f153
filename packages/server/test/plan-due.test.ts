import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dueTimes } from '../src/schedule/due-times.ts'
import { type DuePolicy, planDue } from '../src/schedule/plan-due.ts'

const second = dueTimes({ interval: 1000, from: 0 })
const policyOf = (missed: DuePolicy['missed'], most = 100): DuePolicy => ({ missed, most, grace: 5000 })

describe('a plan of what is due', () => {
  it('starts each due time of a process that was there', () => {
    expect(planDue(second, policyOf('skip'), { after: 10_000, now: 12_500 })).toEqual({ starts: [11_000, 12_000], next: 13_000 })
  })

  it('is none where nothing has come, also when the clock was set back', () => {
    expect(planDue(second, policyOf('all'), { after: 10_000, now: 10_999 })).toBeUndefined()
    expect(planDue(second, policyOf('all'), { after: 10_000, now: 2000 })).toBeUndefined()
  })

  it('makes up for none of the due times that were missed, for the last one, or for the last of all', () => {
    const at = { after: 0, now: 20_000 }
    const onTime = [16_000, 17_000, 18_000, 19_000, 20_000]
    expect(planDue(second, policyOf('skip'), at)).toEqual({ starts: onTime, skipped: { from: 1000, to: 15_000 }, next: 21_000 })
    expect(planDue(second, policyOf('once'), at)).toEqual({ starts: [15_000, ...onTime], skipped: { from: 1000, to: 14_000 }, next: 21_000 })
    const last = { starts: [13_000, 14_000, 15_000, ...onTime], skipped: { from: 1000, to: 12_000 }, next: 21_000 }
    expect(planDue(second, policyOf('all', 3), at)).toEqual(last)
    expect(planDue(second, policyOf('all'), at)?.skipped).toBeUndefined()
    expect(planDue(second, policyOf('all'), at)?.starts).toHaveLength(20)
  })

  it('has a moment that was missed once, or not at all', () => {
    const moment = dueTimes({ at: 1000 })
    expect(planDue(moment, policyOf('once'), { after: -1, now: 90_000 })).toEqual({ starts: [1000], next: undefined })
    expect(planDue(moment, policyOf('skip'), { after: -1, now: 90_000 })).toEqual({ starts: [], skipped: { from: 1000, to: 1000 }, next: undefined })
    expect(planDue(moment, policyOf('once'), { after: 1000, now: 90_000 })).toBeUndefined()
  })

  it('decides about each due time once, whenever it is made (DUE-4)', () => {
    const policies = fc.record({
      missed: fc.constantFrom('skip' as const, 'once' as const, 'all' as const),
      most: fc.integer({ min: 1, max: 20 }),
      grace: fc.integer({ min: 0, max: 10_000 }),
    })
    fc.assert(
      fc.property(policies, fc.array(fc.integer({ min: -20_000, max: 60_000 }), { maxLength: 20 }), (policy, steps) => {
        const started: number[] = []
        const skipped: number[] = []
        let now = 0
        let after = 0
        let latest = 0
        for (const step of steps) {
          now += step
          latest = Math.max(latest, now)
          const plan = planDue(second, policy, { after, now })
          if (!plan) continue
          started.push(...plan.starts)
          if (plan.skipped) for (let time = plan.skipped.from; time <= plan.skipped.to; time += 1000) skipped.push(time)
          after = now
          expect(plan.next).toBe(second.next(now))
        }
        const decided = [...started, ...skipped].sort((a, b) => a - b)
        expect(decided).toEqual(second.latest({ after: 0, to: after, most: 1e6 }))
        expect(latest - after).toBeLessThan(1000)
      }),
    )
  })
})
