/** Which hook points are passed: an event says so, or their hooks changed nothing. */
import type { Call, Frame } from '@loom-agent/kernel'
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
export function isCallPassed({ id, hooked }: Call, passed: ReadonlySet<string>): boolean {
  return hooked.includes('afterToolExecution') || passed.has(passedName('afterToolExecution', id))
}
