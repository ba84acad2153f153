/** Which hook points are passed: an event says so, or their hooks changed nothing. */
import { at, type Call, type Frame, type Run } from '@loom-agent/kernel'
import type { HookPoint } from './points.ts'

/** What names a point that was passed and changed nothing, in memory: no event records it. */
export function passedName(point: HookPoint, call = ''): string {
  return `${point}@${call}`
}

/** Whether a point of this turn is passed. */
export function isPassed(frame: Frame, passed: ReadonlySet<string>, point: HookPoint): boolean {
  return frame.hooked.includes(point) || passed.has(`${frame.turn}/${passedName(point)}`)
}

/** Whether the point after a call is passed. */
export function isCallPassed({ id, hooks }: Call, passed: ReadonlySet<string>): boolean {
  return hooks.includes('afterToolExecution') || passed.has(passedName('afterToolExecution', id))
}

/** What was passed, and where the last call was found whose hooks after it were not called. */
interface Passed {
  readonly passed: ReadonlySet<string>
  passedTo: number
}

/** The first call whose point after it is not passed. Most often that is the one after the last that was found; only the last look goes over all calls. */
export function firstUnpassed(known: Passed, { calls }: Run): Call | undefined {
  for (const start of [known.passedTo, 0]) {
    for (let index = start; index < calls.length; index += 1) {
      const call = at(calls, index) as Call
      if (isCallPassed(call, known.passed)) continue
      known.passedTo = index
      return call
    }
  }
  return undefined
}
