/** Stage 4: has the run been stopped meanwhile? */
import { type CallJob, type Refusal, refuse } from './call-job.ts'

/** A call that was cancelled is not started. */
export function checkCancel(job: CallJob): Refusal | undefined {
  return job.cancellation.isAborted ? refuse(job.call, 'cancelled', 'Cancelled before it began.') : undefined
}
