import { emptyFrame } from '@loom-agent/kernel'
import { manualClock } from '@loom-agent/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HookContext } from '../hook.ts'
import { rateLimit } from './rate-limit.ts'

const contextOf = (signal: AbortSignal): HookContext => {
  return { thread: 't', turn: 1, frame: emptyFrame('t'), deps: undefined, metadata: {}, signal, answer: undefined }
}

/** What may happen: a call comes, a call gives up waiting, time passes. */
const happening = fc.oneof(
  fc.record({ kind: fc.constant('call' as const) }),
  fc.record({ kind: fc.constant('abort' as const), which: fc.nat(20) }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 70_000 }) }),
)

test('in any sixty seconds no more calls start than allowed, however many come and give up (RATE-1, RATE-2)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(happening, { minLength: 10, maxLength: 60 }), async (perMinute, happenings) => {
      const clock = manualClock(0)
      const limit = rateLimit({ perMinute, clock, maxWait: Number.POSITIVE_INFINITY })
      const waiting: AbortController[] = []
      const begun: number[] = []
      const call = async (): Promise<void> => {
        const controller = new AbortController()
        waiting.push(controller)
        await limit.beforeModelCall?.(contextOf(controller.signal), { messages: [], settings: {} })
        if (!controller.signal.aborted) begun.push(clock.now())
        waiting.splice(waiting.indexOf(controller), 1)
      }
      for (const what of happenings) {
        if (what.kind === 'call') void call()
        else if (what.kind === 'abort') waiting[what.which % Math.max(1, waiting.length)]?.abort()
        else await clock.advance(what.ms)
      }
      await clock.advance(60 * 60_000)
      expect(clock.timers).toBe(0)
      const spans = begun.slice(perMinute).map((moment, index) => moment - (begun[index] ?? 0))
      expect(spans.filter((span) => span < 60_000)).toEqual([])
    }),
    { numRuns: 150 },
  )
})
