/** What the model reads where a hook threw at a call. What a developer can do about the hook is in the log, and in the `cause` of the call. */
import { isLoomError } from '@loom-agent/kernel'
import { messageOf, toSentence } from '../platform/normalize.ts'

/** What the hook itself threw, without the words about the hook. */
const whyOf = (error: unknown): string => toSentence(messageOf(isLoomError(error) && error.cause !== undefined ? error.cause : error))

/** For a call that was not made. */
export const failedBeforeCall = (tool: string, error: unknown): string =>
  `${tool} was not run, because a hook failed before it: ${whyOf(error)} Try another way, or go on without it.`

/** For a call whose result nobody may read. */
export const failedAfterCall = (tool: string, error: unknown): string =>
  `${tool} has run, and its result is withheld, because a hook failed after it: ${whyOf(error)} Do not run it again to see the result.`
