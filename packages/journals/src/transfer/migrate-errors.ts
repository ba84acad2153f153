/** Why a thread cannot be migrated. */
import { LoomError } from '@loom-agent/kernel'
import { journalError } from '../storage/failure.ts'

/** The target has another thread of this id. */
export function different(thread: string, seq: number, how: string): LoomError {
  const advice = 'Remove it from the target if it is not needed, or migrate to another journal.'
  return journalError('unusable', `The thread ${thread} of the target is not that of the source: at ${thread}@${seq} ${how}. ${advice}`, {
    context: { thread, seq },
  })
}

/** The thread of the target has a holder. */
export function busy(thread: string, holder: string): LoomError {
  const advice = 'Wait until it is released, and migrate again.'
  return new LoomError('LOOM_THREAD_BUSY', `The thread ${thread} of the target is held by ${holder}. ${advice}`, {
    context: { thread, holder },
  })
}
