/** What a run has cost, where that is known. */
import type { Run } from '@loom-agent/kernel'

/** Requests that ended without a reply while they were under way: nobody knows what the provider charges for them. */
export const brokenOff: ReadonlySet<string | undefined> = new Set(['LOOM_ABORTED', 'LOOM_MODEL_LOST'])

/** Micro-units that a run has cost; undefined where a price is not known, or the run was stopped while a request was under way. */
export function knownCost({ status, error, unpriced, cost }: Run): number | undefined {
  return unpriced > 0 || (status === 'stopped' && brokenOff.has(error?.code)) ? undefined : cost
}
