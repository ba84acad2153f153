/** The last check before code of a tool is entered. */
import type { CallWork } from './call-work.ts'

/** Whether the lease is certainly valid; where it is not, the driver ends (CALL-3). */
export function mayEnter(work: Pick<CallWork, 'mayEnter' | 'outbox'>): boolean {
  if (work.mayEnter()) return true
  work.outbox.fence()
  return false
}
