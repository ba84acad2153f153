/** Calling code of users that a run cannot go on without, so that its failure says what threw. */
import { isLoomError, LoomError } from '@loom-agent/kernel'
import { callUser } from './call-user.ts'
import { messageOf } from './normalize.ts'

/** Calls code of a user by its name, such as `instructions`. What it throws becomes a failure of the run that names it. */
export function callNamed<T>(what: string, call: () => T): Awaited<T> | Promise<Awaited<T>> {
  const fail = (error: unknown): never => {
    throw named(what, error)
  }
  try {
    const returned = callUser(call)
    return returned instanceof Promise ? returned.catch(fail) : returned
  } catch (error) {
    return fail(error)
  }
}

/** An error with a code says itself what it is about. */
function named(what: string, error: unknown): LoomError {
  if (isLoomError(error)) return error
  const reason = messageOf(error)
  return new LoomError('LOOM_RUN_FAILED', `The run failed: ${what} threw: ${reason}`, { cause: error, context: { reason, what } })
}
