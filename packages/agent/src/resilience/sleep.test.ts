import { manualClock } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { sleepUntil } from './sleep.ts'

test('a sleep ends at its moment', async () => {
  const clock = manualClock(0)
  let awake = false
  const sleeping = sleepUntil(100, { clock }).then(() => {
    awake = true
  })
  await clock.advance(99)
  expect(awake).toBe(false)
  await clock.advance(1)
  await sleeping
  expect(awake).toBe(true)
})

test('a sleep whose signal is aborted already does not start', async () => {
  const clock = manualClock(0)
  await expect(sleepUntil(100, { clock, signal: AbortSignal.abort('enough') })).rejects.toMatchObject({ code: 'LOOM_ABORTED', cause: 'enough' })
  expect(clock.timers).toBe(0)
})
