/** What goes wrong while a reply is read. */
import { messageOf } from '../platform/normalize.ts'

/** An error that came as a part of a stream: the vendor had started to reply. */
export class SentError extends Error {
  override readonly name: string = 'SentError'
  constructor(cause: unknown) {
    super(messageOf(cause), { cause })
  }
}

/** A stream that ended without its last part. */
export class InterruptedStream extends Error {
  override readonly name: string = 'InterruptedStream'
  constructor() {
    super('the stream ended before the reply was complete')
  }
}
