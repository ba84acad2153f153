/** Why an answer came too late. */
import { isLoomError } from '@loom-agent/kernel'

/** `faster`: somebody answered in another way. `expired`: nobody answered in time. `changed`: another thing is asked. `gone`: the question is no more. */
export type Conflict = 'faster' | 'expired' | 'changed' | 'gone'

/** The conflict that an error says; `undefined` for any other error. */
export function conflictOf(error: unknown): Conflict | undefined {
  if (!isLoomError(error)) return undefined
  if (error.code === 'LOOM_QUESTION_NOT_FOUND') return 'gone'
  if (error.code !== 'LOOM_QUESTION_SETTLED') return undefined
  if ('given' in error.context) return 'faster'
  return 'expires' in error.context ? 'expired' : 'changed'
}
