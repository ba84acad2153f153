/** What events of runs have cost. Only plans and looks at the past need it: no run loads it. */
import type { LoomEvent } from '@loom-agent/kernel'
import { brokenOff } from './known-cost.ts'

/** Input and output tokens together, and cost, of replies, failed attempts and children; the cost is undefined where it is not known. */
export function spentIn(events: readonly LoomEvent[]): { readonly tokens: number; readonly cost: number | undefined } {
  let tokens = 0
  let cost: number | undefined = hasBrokenOff(events) ? undefined : 0
  for (const { type, data } of events) {
    if ((type !== 'model.replied' && type !== 'model.failed' && type !== 'child.finished') || !data.usage) continue
    tokens += data.usage.input + data.usage.output
    cost = cost === undefined || data.cost === undefined ? undefined : cost + data.cost
  }
  return { tokens, cost }
}

/** Whether a run was stopped in these events while a request was under way. */
function hasBrokenOff(events: readonly LoomEvent[]): boolean {
  let code: string | undefined
  for (const { type, data } of events) {
    if (type === 'model.failed') ({ code } = data.error)
    else if (type === 'model.replied' || type === 'run.resumed') code = undefined
    else if (type === 'run.stopped' && brokenOff.has(code)) return true
  }
  return false
}
