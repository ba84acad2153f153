/** When a thread at rest goes on because a time has come. */
import type { Until } from './effect.ts'
import type { Call, Frame, OpenQuestion, Run } from './frame.ts'
import { at } from './list.ts'

/** The nearest expiry of an open question. */
export function nearestExpiry(frame: Frame): Until | undefined {
  let nearest: OpenQuestion | undefined
  for (const id in frame.questions) {
    const question = frame.questions[id]
    if (question?.expires !== undefined && question.expires < (nearest?.expires ?? Number.POSITIVE_INFINITY)) nearest = question
  }
  return nearest && { at: nearest.expires as number, due: { type: 'question.expired', data: { id: nearest.id } } }
}

/** The nearest moment at which a question expires, a sleeping body wakes or a wait for a signal ends. */
export function nearestWake(frame: Frame, run: Run): Until | undefined {
  let nearest = nearestExpiry(frame)
  for (let index = 0; index < run.calls.length; index += 1) {
    const call = at(run.calls, index) as Call
    if (call.state === 'settled') continue
    for (const { key, until, signal } of call.open) {
      if (until !== undefined && until < (nearest?.at ?? Number.POSITIVE_INFINITY)) {
        const expired = signal !== undefined && { value: { status: 'expired' } }
        nearest = { at: until, due: { type: 'tool.step-finished', data: { call: call.id, key, ...expired } } }
      }
    }
  }
  return nearest
}
