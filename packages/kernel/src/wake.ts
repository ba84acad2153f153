/**
 * What happens because a time has come.
 *
 * DEADLINE-1. The time of a run bounds what is in flight. Once it is used up, the driver records a request to stop; what is in flight is aborted, and no
 *     longer waited for when its grace period is over. Time in which the run waits for people, for a time or for a signal is not counted.
 */
import type { Until } from './effect.ts'
import type { Draft } from './event.ts'
import type { Call, Frame } from './frame.ts'

/** The nearest expiry of an open question. */
export function nearestExpiry(frame: Frame): Until | undefined {
  let nearest: Until | undefined
  for (const id in frame.questions) nearest = sooner(nearest, frame.questions[id]?.expires, { type: 'question.expired', data: { id } })
  return nearest
}

/** The nearest moment at which a question expires, or in one of these calls a sleeping body wakes or a wait for a signal ends. */
export function nearestWake(frame: Frame, calls: readonly Call[]): Until | undefined {
  let nearest = nearestExpiry(frame)
  for (const { id: call, open } of calls) {
    for (const { key, until, signal } of open) {
      const expired = signal !== undefined && { value: { status: 'expired' } }
      nearest = sooner(nearest, until, { type: 'tool.step-finished', data: { call, key, ...expired } })
    }
  }
  return nearest
}

/** When the run has used its time (DEADLINE-1), in milliseconds since 1970; infinite where nothing is counted or bounded. */
export function endOfTime({ run }: Frame): number {
  const max = run?.limits.time
  return run?.since === undefined || max === undefined || run.stop ? Number.POSITIVE_INFINITY : run.since + max - run.driven
}

/** The request to stop a run that has used its time. */
export function timeUsed({ run }: Frame): Draft {
  return { type: 'run.stop-requested', data: { reason: 'The run has used its time', limit: 'time', max: run?.limits.time ?? 0 } }
}

const sooner = (nearest: Until | undefined, at: number | undefined, due: Draft): Until | undefined =>
  at !== undefined && at < (nearest?.at ?? Number.POSITIVE_INFINITY) ? { at, due } : nearest
