/** Why a thread takes nothing more. Loaded on use: both are rare, and long in words. */
import { LoomError } from '@loom-agent/kernel'

/** The error for a copy that is not whole (JOURNAL-22). */
export function threadPartial(thread: string): LoomError {
  const why = 'it came as the past of a fork, or it was not copied to its end'
  const advice = 'Use the journal that has the whole thread, or complete the copy with importThread() or migrate().'
  const message = `The thread ${thread} of this journal is a copy that is not whole: ${why}. It can be read, and neither driven nor changed. ${advice}`
  return new LoomError('LOOM_THREAD_PARTIAL', message, { context: { thread } })
}

/** The error for a thread that could not be written, though nothing failed. */
export function threadNeverFree(thread: string, tries: number): LoomError {
  const advice = 'Something appends to it without pause; find out what.'
  return new LoomError('LOOM_JOURNAL_CONFLICT', `The thread ${thread} could not be written in ${tries} tries. ${advice}`, {
    context: { thread, tries },
  })
}
