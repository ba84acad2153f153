/** Stage 4: has the run been stopped meanwhile? */
import { type CallJob, type CallScene, refuse, type Staged } from './call-job.ts'

/** A call that nobody wants any more is not begun. */
export function checkCancel(job: CallJob, scene: CallScene): Staged {
  return scene.signal.aborted ? refuse(job.call, 'cancelled', 'Cancelled before it began.') : { kind: 'go', job }
}
