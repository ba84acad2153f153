/** Runs that a caller has to resume. */
import type { Frame } from '@loom-agent/kernel'

/** Whether a run goes on only when a caller resumes it: it was paused, or had failed. */
export const needsResuming = ({ run }: Frame): boolean => run?.status === 'failed' || (run?.status === 'suspended' && run.pause)
