/** Errors as data, for events. */
import { errorCodes, type Failure, type LoomError } from '@loom-agent/kernel'

/** Whether trying again can help. */
export function isRecoverable(code: string): boolean {
  return (errorCodes as { readonly [code: string]: string | undefined })[code] !== 'never'
}

/** An error as data, for an event. */
export function failureOf({ code, message, context, recoverable }: LoomError): Failure {
  return { code, message, recoverable, ...(Object.keys(context).length > 0 && { context }) }
}
