/** Errors as data, for events. */
import type { Failure, LoomError } from '@loom-agent/kernel'
import { contextWithoutSecrets, withoutSecrets } from './redaction.ts'

/** An error as data, for an event: without secrets, also where Loom's own code put them there (SECRET-1). */
export function failureOf({ code, message, context, recoverable }: LoomError): Failure {
  const hasContext = Object.keys(context).length > 0
  return { code, message: withoutSecrets(message, 'message'), recoverable, ...(hasContext && { context: contextWithoutSecrets(context) }) }
}
