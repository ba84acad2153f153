import { manualClock } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { createDeadlines } from './deadlines.ts'

test('many deadlines have one timer, and each is met at its time', async () => {
  const clock = manualClock()
  const deadlines = createDeadlines(clock)
  const met: string[] = []
  const later = deadlines.add(20, () => met.push('later'))
  deadlines.add(10, () => met.push('sooner'))
  deadlines.add(30, () => met.push('last'))
  expect(clock.timers).toBe(1)
  await clock.advance(10)
  expect(met).toEqual(['sooner'])
  deadlines.remove(later)
  await clock.advance(10)
  expect(met).toEqual(['sooner'])
  await clock.advance(10)
  expect([met, clock.timers]).toEqual([['sooner', 'last'], 0])
})

test('a deadline that is removed leaves a timer that finds nothing to do; closing ends it', async () => {
  const clock = manualClock()
  const deadlines = createDeadlines(clock)
  deadlines.remove(deadlines.add(10, () => expect.fail('it was removed')))
  expect(clock.timers).toBe(1)
  deadlines.close()
  expect(clock.timers).toBe(0)
})
