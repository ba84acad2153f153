/** What streams carry: messages with a name, the data of each, and a cursor to continue behind it. */

/** One message. */
export interface StreamMessage {
  /** `event`, `signal`, `thread`, `removed`, `end` or `problem`. */
  readonly event: string
  /** The JSON of it. */
  readonly data: unknown
  /** What the stream continues behind; signals have none, because they are not stored. */
  readonly cursor?: string | undefined
}

/** A source of messages. It ends when its signal is aborted. */
export type Messages = AsyncIterator<StreamMessage, void>
