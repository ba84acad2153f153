/** Which hook points are passed: an event says so, or their hooks changed nothing. */
import type { Frame } from '@loom-agent/kernel'
import type { HookPoint } from './points.ts'

/** What names a point that was passed, in the frame and in memory. */
export function passedName(point: HookPoint, call = ''): string {
  return `${point}@${call}`
}

/** Whether a point of this turn is passed. */
export function isPassed(frame: Frame, passed: ReadonlySet<string>, point: HookPoint): boolean {
  const name = passedName(point)
  return frame.hooked.includes(name) || passed.has(`${frame.turn}/${name}`)
}

/** Whether the point after a call is passed. */
export function isCallPassed(frame: Frame, passed: ReadonlySet<string>, call: string): boolean {
  const name = passedName('afterToolExecution', call)
  return frame.hooked.includes(name) || passed.has(name)
}
