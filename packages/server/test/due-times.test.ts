import { isLoomError, type Timing } from '@loom-agent/kernel'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DueTimes, dueTimes } from '../src/schedule/due-times.ts'

const at = (time: string): number => Date.parse(time)
const shown = (times: readonly number[]): readonly string[] => times.map((time) => new Date(time).toISOString().slice(0, 16))

function following(times: DueTimes, after: number, most: number): readonly number[] {
  const found: number[] = []
  for (let next = times.next(after); next !== undefined && found.length < most; next = times.next(next)) found.push(next)
  return found
}

describe('due times', () => {
  it('of a cron expression follow the wall clock of its zone, over both changes of the hour', () => {
    const daily = dueTimes({ cron: '30 8 * * *', zone: 'Europe/Berlin' })
    expect(shown(following(daily, at('2026-03-27T12:00Z'), 3))).toEqual(['2026-03-28T07:30', '2026-03-29T06:30', '2026-03-30T06:30'])
    expect(shown(following(daily, at('2026-10-23T12:00Z'), 3))).toEqual(['2026-10-24T06:30', '2026-10-25T07:30', '2026-10-26T07:30'])
  })

  it('that the zone skips come at the first instant after the gap (DUE-2)', () => {
    const nightly = dueTimes({ cron: '30 2 * * *', zone: 'Europe/Berlin' })
    expect(shown(following(nightly, at('2026-03-28T00:00Z'), 3))).toEqual(['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'])
  })

  it('that the zone has twice come once, and those of every half hour in each half hour that there is (DUE-2)', () => {
    const nightly = dueTimes({ cron: '30 2 * * *', zone: 'Europe/Berlin' })
    expect(shown(following(nightly, at('2026-10-24T12:00Z'), 2))).toEqual(['2026-10-25T00:30', '2026-10-26T01:30'])
    const often = dueTimes({ cron: '*/30 * * * *', zone: 'Europe/Berlin' })
    const found = following(often, at('2026-10-24T23:00Z'), 10)
    expect(found.map((time, index) => time - (found[index - 1] ?? time))).toEqual([0, ...Array.from({ length: 9 }, () => 30 * 60_000)])
  })

  it('of an interval are its multiples, whatever the wall clock does', () => {
    const times = dueTimes({ interval: 90_000, from: 1000 })
    expect(following(times, 0, 3)).toEqual([91_000, 181_000, 271_000])
    expect(times.next(91_000)).toBe(181_000)
    expect(times.next(90_999)).toBe(91_000)
    expect(times.latest({ after: 0, to: 300_000, most: 2 })).toEqual([181_000, 271_000])
  })

  it('of a moment are that one', () => {
    const times = dueTimes({ at: 5 })
    expect([times.next(4), times.next(5)]).toEqual([5, undefined])
    expect(times.latest({ after: 0, to: 5, most: 9 })).toEqual([5])
    expect(times.latest({ after: 0, to: 4, most: 9 })).toEqual([])
  })

  it('end where the schedule does', () => {
    const times = dueTimes({ interval: 1000, from: 0, until: 2500 })
    expect(following(times, 0, 9)).toEqual([1000, 2000])
    expect(times.latest({ after: 0, to: 9000, most: 9 })).toEqual([1000, 2000])
  })

  it('after an instant and before another are the same, counted forwards and backwards (DUE-1)', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC', 'Pacific/Apia']
    const patterns = ['*/7 * * * *', '30 2 * * *', '0 0 * * 0', '15 1,2,3 * * *', '59 23 28-31 * *', '*/20 * * * * *', '@daily']
    const timings = fc.oneof(
      fc.record({ cron: fc.constantFrom(...patterns), zone: fc.constantFrom(...zones) }),
      fc.record({
        interval: fc.integer({ min: 1000, max: 100_000 }),
        from: fc.integer({ min: at('2026-03-01T00:00Z'), max: at('2026-12-01T00:00Z') }),
      }),
    )
    const starts = fc.oneof(
      fc.integer({ min: at('2026-03-28T20:00Z'), max: at('2026-03-29T08:00Z') }),
      fc.integer({ min: at('2026-10-24T20:00Z'), max: at('2026-10-25T08:00Z') }),
      fc.integer({ min: at('2026-11-01T00:00Z'), max: at('2026-11-01T12:00Z') }),
      fc.integer({ min: at('2026-01-01T00:00Z'), max: at('2027-01-01T00:00Z') }),
    )
    fc.assert(
      fc.property(timings, starts, fc.integer({ min: 1, max: 30 }), (timing: Timing, after, most) => {
        const times = dueTimes(timing)
        const found = following(times, after, most)
        const to = found.at(-1) ?? after
        expect(times.latest({ after, to, most })).toEqual(found)
        expect(times.latest({ after, to: to + 999, most: 1 }).at(0)).toBe(found.at(-1))
        expect(times.latest({ after, to: to - 1, most: most + 1 })).toEqual(found.slice(0, -1))
      }),
      { numRuns: 300 },
    )
  })

  it('are not computed beyond what is asked for: a year of seconds is no more work than a minute (DUE-3)', () => {
    const times = dueTimes({ cron: '* * * * * *', zone: 'Europe/Berlin' })
    const found = times.latest({ after: at('2025-01-01T00:00Z'), to: at('2026-01-01T00:00Z'), most: 3 })
    expect(found.map((time) => time - at('2026-01-01T00:00Z'))).toEqual([-2000, -1000, 0])
  })

  it('of what is no schedule are refused with the value', () => {
    const wrong: readonly [Timing, RegExp][] = [
      [{ cron: 'often', zone: 'UTC' }, /"often" is no cron expression/],
      [{ cron: '99 * * * *', zone: 'UTC' }, /"99 \* \* \* \*" is no cron expression/],
      [{ cron: '* * * * * * 2030', zone: 'UTC' }, /no cron expression/],
      [{ cron: '2026-01-01T00:00:00', zone: 'UTC' }, /no cron expression/],
      [{ cron: '*/0 * * * *', zone: 'UTC' }, /no cron expression/],
      [{ cron: `${'1,'.repeat(5000)}1 * * * *`, zone: 'UTC' }, /no cron expression/],
      [{ cron: '@reboot', zone: 'UTC' }, /no cron expression/],
      [{ cron: '0 8 * * *', zone: 'Mars/Base' }, /no time zone "Mars\/Base"/],
      [{ cron: '0 8 * * *', zone: '' }, /no time zone ""/],
      [{ cron: '0 8 * * *', zone: 'UTC', until: Number.NaN }, /until is NaN/],
      [{ interval: 0, from: 0 }, /interval is 0 ms/],
      [{ interval: 999, from: 0 }, /at least 1000/],
      [{ interval: Number.POSITIVE_INFINITY, from: 0 }, /interval is Infinity/],
      [{ at: Number.NaN }, /at is NaN/],
      [{ at: -1 }, /at is -1/],
      [{ at: 9e15 }, /at is 9000000000000000/],
    ]
    for (const [timing, message] of wrong) {
      const error = ((): unknown => {
        try {
          return dueTimes(timing)
        } catch (thrown) {
          return thrown
        }
      })()
      expect(isLoomError(error) && error.code).toBe('LOOM_SCHEDULE_INVALID')
      expect((error as Error).message).toMatch(message)
    }
  })
})
