/** When a thread at rest goes on because a time has come. */
import type { Until } from './effect.ts'
import type { Draft } from './event.ts'
import { type Frame, openCalls, type Run } from './frame.ts'

/** The nearest expiry of an open question. */
export function nearestExpiry(frame: Frame): Until | undefined {
  let nearest: Until | undefined
  for (const { id, expires } of Object.values(frame.questions)) nearest = sooner(nearest, expires, { type: 'question.expired', data: { id } })
  return nearest
}

/** The nearest moment at which a question expires, a sleeping body wakes or a wait for a signal ends. */
export function nearestWake(frame: Frame, run: Run): Until | undefined {
  let nearest = nearestExpiry(frame)
  for (const { id: call, open } of openCalls(run)) {
    for (const { key, until, signal } of open) {
      const expired = signal !== undefined && { value: { status: 'expired' } }
      nearest = sooner(nearest, until, { type: 'tool.step-finished', data: { call, key, ...expired } })
    }
  }
  return nearest
}

const sooner = (nearest: Until | undefined, at: number | undefined, due: Draft): Until | undefined =>
  at !== undefined && at < (nearest?.at ?? Number.POSITIVE_INFINITY) ? { at, due } : nearest
