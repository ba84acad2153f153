/** Errors as data, for events. */
import type { Failure, LoomError } from '@loom-agent/kernel'

/** An error as data, for an event. */
export function failureOf({ code, message, context, recoverable }: LoomError): Failure {
  return { code, message, recoverable, ...(Object.keys(context).length > 0 && { context }) }
}
