/** The calls of a turn that have no result yet. */
import type { Call, Run } from './frame.ts'
import { at } from './list.ts'

/** The calls without a result that are decided about at a time: the next ones come when these have theirs. */
export const callWindow = 256

/** The first calls without a result, at most `callWindow`. What has begun and not ended is among them: the window only moves on. */
export function openCalls({ calls, settledTo, unsettled }: Run): readonly Call[] {
  const open = new Array<Call>(Math.min(unsettled, callWindow))
  let count = 0
  for (let index = settledTo; index < calls.length && count < callWindow; index += 1) {
    const call = at(calls, index) as Call
    if (call.state === 'settled') continue
    open[count] = call
    count += 1
  }
  return count === open.length ? open : open.slice(0, count)
}
