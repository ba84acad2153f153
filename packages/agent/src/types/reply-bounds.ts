/** What one reply of a model may hold. */
import { type Expected, expected, type Shape } from '../platform/expected.ts'

/** The most that one reply of a model may hold. A reply that holds more is cancelled, and the run fails with `LOOM_REPLY_LIMIT`. */
export interface ReplyBounds {
  /** Characters of text and reasoning together; default 16,777,216. */
  readonly characters?: number
  /** Pieces of the stream, whatever they hold; default 1,000,000. */
  readonly pieces?: number
  /** Blocks of text and reasoning, calls, sources, files and whatever else a reply is made of; default 10,000. */
  readonly parts?: number
  /** Calls, with those that the provider makes itself; default 1,000. */
  readonly calls?: number
  /** Characters of one name, id or media type; default 20,000. */
  readonly name?: number
  /** Characters of the arguments of all calls, as the model wrote them; default 8,388,608. One call may have 262,144 of them. */
  readonly arguments?: number
  /** Characters of files, sources, metadata and other data of the provider; default 67,108,864. */
  readonly data?: number
}

/** Bounds with every default filled in. */
export type CompleteBounds = Required<ReplyBounds>

/** What the bounds of a reply must be. */
export const replyBoundsShape: Shape & Record<keyof ReplyBounds, Expected> = {
  characters: expected.whole(1),
  pieces: expected.whole(1),
  parts: expected.whole(1),
  calls: expected.whole(0),
  name: expected.whole(1),
  arguments: expected.whole(0),
  data: expected.whole(0),
}

/** Several times what the largest replies of today's models hold. */
export const defaultBounds: CompleteBounds = {
  characters: 16 << 20,
  pieces: 1_000_000,
  parts: 10_000,
  calls: 1_000,
  name: 20_000,
  arguments: 8 << 20,
  data: 64 << 20,
}
