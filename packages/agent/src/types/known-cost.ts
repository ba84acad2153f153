/** What a run has cost, where that is known. */
import type { LoomEvent, Run } from '@loom-agent/kernel'

/** Requests that ended without a reply while they were under way: nobody knows what the provider charges for them. */
const brokenOff: ReadonlySet<string | undefined> = new Set(['LOOM_ABORTED', 'LOOM_MODEL_LOST'])

/** Micro-units that a run has cost; undefined where a price is not known, or the run was stopped while a request was under way. */
export function knownCost({ status, error, unpriced, cost }: Run): number | undefined {
  return unpriced > 0 || (status === 'stopped' && brokenOff.has(error?.code)) ? undefined : cost
}

/** Whether a run was stopped in these events while a request was under way. */
export function hasBrokenOff(events: readonly LoomEvent[]): boolean {
  let code: string | undefined
  for (const { type, data } of events) {
    if (type === 'model.failed') ({ code } = data.error)
    else if (type === 'model.replied' || type === 'run.resumed') code = undefined
    else if (type === 'run.stopped' && brokenOff.has(code)) return true
  }
  return false
}
