/** What a tool of Loom's own may read of its thread. */
import type { Frame } from '@loom-agent/kernel'
import type { ToolContext } from './define.ts'

/** The record of a thread, for the body of one call. */
export interface ThreadRecord {
  /** The thread as it is now. */
  readonly frame: Frame
  /** Characters of a result that reach the model. */
  readonly outputLimit: number
  /** The bytes that a batch of this thread, or of one that it was forked from, brought under a name; undefined where none did. */
  blob(name: string): Promise<Uint8Array | undefined>
}

/** The key under which contexts have the record. It is no name, so that no body of a user's has it by accident. */
export const threadRecord: unique symbol = Symbol('threadRecord')

/** The record that the context of a call has. */
export function recordOf(context: ToolContext): ThreadRecord {
  return (context as ToolContext & { readonly [threadRecord]: ThreadRecord })[threadRecord]
}
