import type { LeaseId } from '@loom-agent/kernel'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createHeartbeat } from './heartbeat.ts'
import { createHeldThreads } from './held-threads.ts'
import { heartbeatInterval } from './liveness.ts'

const lease = (epoch: number): LeaseId => ({ epoch, incarnation: 'life' })

describe('a release that fails (LIVE-4)', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  /** Threads whose releases fail so many times. */
  function failing(times: number) {
    const held = createHeldThreads(createHeartbeat({ send: async () => {} }))
    let tries = 0
    const release = (thread: string, lease: LeaseId): Promise<void> =>
      held.release(thread, lease, async () => {
        tries += 1
        if (tries <= times) throw new Error('The store cannot be reached.')
        held.drop(thread, lease)
      })
    return { held, release, tries: () => tries }
  }

  test('is tried again with every heartbeat until it succeeds', async () => {
    const { held, release, tries } = failing(3)
    held.add('t', lease(1))
    await expect(release('t', lease(1))).rejects.toThrow('cannot be reached')
    await vi.advanceTimersByTimeAsync(2 * heartbeatInterval)
    expect([tries(), held.has('t')]).toEqual([3, true])
    await vi.advanceTimersByTimeAsync(heartbeatInterval)
    expect([tries(), held.has('t')]).toEqual([4, false])
    await vi.advanceTimersByTimeAsync(5 * heartbeatInterval)
    expect([tries(), vi.getTimerCount()]).toEqual([4, 0])
  })

  test('is forgotten when the thread is acquired anew, or lost', async () => {
    const { held, release, tries } = failing(9)
    for (const change of [() => held.add('t', lease(2)), () => held.drop('t')]) {
      held.add('t', lease(1))
      await expect(release('t', lease(1))).rejects.toThrow('cannot be reached')
      const before = tries()
      change()
      await vi.advanceTimersByTimeAsync(2 * heartbeatInterval)
      expect(tries()).toBe(before)
    }
  })
})
