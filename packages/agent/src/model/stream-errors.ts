/** What goes wrong while a reply is read. */
import { LoomError } from '@loom-agent/kernel'
import { readable } from '../platform/call-user.ts'
import { jsonText, messageOf } from '../platform/normalize.ts'

/** An error that came as a part of a stream: the vendor had started to reply. */
export class SentError extends Error {
  override readonly name: string = 'SentError'
  constructor(cause: unknown) {
    super(messageOf(cause), { cause: readable(cause) })
  }
}

/** A stream that ended without its last part. */
export class InterruptedStream extends Error {
  override readonly name: string = 'InterruptedStream'
  constructor() {
    super('the stream ended before the reply was complete')
  }
}

/** A guard has blocked the reply. */
export class BlockedReply extends Error {
  override readonly name: string = 'BlockedReply'
  readonly guard: string
  readonly reason: string
  constructor(guard: string, reason: string) {
    super(`the guard ${guard} blocked the reply: ${reason}`)
    this.guard = guard
    this.reason = reason
  }
}

/** Throws for a reply that is not what a model may send. Another attempt may get one that is. */
export function unreadable(problem: string, found: unknown): never {
  const advice = 'Check the model object, or use another model.'
  const message = `The reply of the model cannot be read: ${problem} (found ${jsonText(found).slice(0, 200)}). ${advice}`
  throw new LoomError('LOOM_MODEL_FAILED', message, { context: { problem } })
}
